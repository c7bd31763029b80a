import ChatDBKit

/// The files of applied migrations that were edited in a folder. The database has the schema of the texts from before
/// the edits, so what an edit added was never there.
struct EditedFiles {
    private var edited = CreatedParts()
    private var others = CreatedParts()

    init(of part: FoundDatabase, _ context: StoreContext) {
        guard !part.edited.isEmpty, part.isOfOtherMigrations || context.isOfFolder else { return }
        for migration in context.build[part.name] ?? [] {
            if part.edited.contains(migration.name) {
                edited.read(migration.up.text, context.location.syntax)
            } else {
                others.read(migration.up.text, context.location.syntax)
            }
        }
    }

    /// Whether an edit may have added a missing table or column: an edited file creates it, and no other file does.
    func add(_ missing: StructureDifference) -> Bool {
        let name = missing.name.lowercased()
        return switch missing.object {
        case .table: edited.tables.contains(name) && !others.tables.contains(name)
        case .column: edited.columns.contains(name) && !others.columns.contains(name)
        case .index, .trigger, .view, .function: add(named: name)
        }
    }

    /// The same for an index or a trigger.
    func add(named part: String) -> Bool {
        let name = part.lowercased()
        return edited.others.contains(name) && !others.others.contains(name)
    }
}

/// The parts of a schema that the statements of migrations create. The names are in lower case.
private struct CreatedParts {
    var tables: Set<String> = []
    /// Each with its table: `users.user_id`.
    var columns: Set<String> = []
    /// Indexes, triggers and views.
    var others: Set<String> = []

    /// Adds what the statements of a text create. A text that is no SQL counts up to the error.
    mutating func read(_ text: String, _ syntax: SQLSyntax) {
        var lexer = SQLLexer(text, syntax: syntax, refusesControls: false)
        var words: [Word] = []
        while let token = try? lexer.nextSignificant() {
            if token.kind == .semicolon {
                read(words)
                words = []
            } else {
                words.append(Word(name: lexer.name(of: token)?.lowercased(), text: lexer.text(of: token)))
            }
        }
        read(words)
    }

    /// A word or sign of a statement.
    private struct Word {
        /// The name that it may be; nil for a sign.
        let name: String?
        let text: String
    }

    private mutating func read(_ statement: [Word]) {
        var rest = statement[...]
        let verb = rest.popFirst()?.name
        // Before the kind there may be UNIQUE, TEMP, VIRTUAL, or OR REPLACE.
        let kinds = ["table", "index", "trigger", "view"]
        guard let kind = rest.prefix(3).firstIndex(where: { $0.name.map(kinds.contains) == true }) else { return }
        let isTable = rest[kind].name == "table"
        rest = rest[(kind + 1)...]
        guard let name = Self.takeName(&rest) else { return }
        if verb == "create", isTable {
            tables.insert(name)
            columns.formUnion(Self.firstWords(of: rest).map { "\(name).\($0)" })
        } else if verb == "create" {
            others.insert(name)
        } else if verb == "alter", isTable {
            alter(name, rest)
        }
    }

    private mutating func alter(_ table: String, _ words: ArraySlice<Word>) {
        var rest = words
        if rest.first?.name == "rename" { return rename(table, rest.dropFirst()) }
        while let add = rest.firstIndex(where: { $0.name == "add" }) {
            rest = rest[(add + 1)...]
            if rest.first?.name == "column" { rest.removeFirst() }
            if let column = Self.takeName(&rest) { columns.insert("\(table).\(column)") }
        }
    }

    /// A renamed table has the columns that it had before, as after a table was made again.
    private mutating func rename(_ table: String, _ words: ArraySlice<Word>) {
        guard let new = words.last?.name else { return }
        if words.first?.name != "to" {
            columns.insert("\(table).\(new)")
        } else if tables.contains(table) {
            tables.insert(new)
            let beginning = "\(table)."
            for column in columns where column.hasPrefix(beginning) {
                columns.insert("\(new).\(column.dropFirst(beginning.count))")
            }
        }
    }

    /// The name at the beginning, after IF NOT EXISTS or IF EXISTS, and without its schema.
    private static func takeName(_ words: inout ArraySlice<Word>) -> String? {
        for word in ["if", "not", "exists", "only"] where words.first?.name == word { words.removeFirst() }
        var name = words.popFirst()?.name
        while words.first?.text == "." {
            words.removeFirst()
            name = words.popFirst()?.name
        }
        return name
    }

    /// The first word of each part in the brackets of a CREATE TABLE. Those of columns are their names.
    private static func firstWords(of words: ArraySlice<Word>) -> [String] {
        var found: [String] = []
        var depth = 0
        var isFirst = false
        for word in words {
            if isFirst, depth == 1, let name = word.name { found.append(name) }
            isFirst = false
            switch word.text {
            case "(":
                depth += 1
                isFirst = depth == 1
            case ")": depth -= 1
            case ",": isFirst = depth == 1
            default: break
            }
        }
        return found
    }
}
