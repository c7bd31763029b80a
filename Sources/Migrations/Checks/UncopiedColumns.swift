import ChatDBEngine
import ChatDBSchema

extension LossComparison {
    /// The columns with data that the target has and that a step does not copy, and those whose values a step overwrites;
    /// by step and table. Of chatdb's own migrations, only values that become NULL or the empty text count as overwritten.
    func unkept(
        by steps: [MigrationStep], in transaction: any ReadTransaction
    ) throws -> (uncopied: [UncopiedColumns], overwritten: [OverwrittenColumns]) {
        var copies = TableCopies(of: live, syntax)
        var (uncopied, overwritten): ([UncopiedColumns], [OverwrittenColumns]) = ([], [])
        for step in steps {
            let isOwn = step.isOwn
            for (statement, facts) in zip(try step.script.statements, try step.script.facts) {
                copies.follow(statement, facts, onlyEmptied: isOwn)
            }
            let lost = copies.takeLost()
            for (table, columns) in lost.uncopied.sorted(by: { $0.key < $1.key }) {
                let found = try columnsWithData(of: table, columns, in: transaction)
                if found.isEmpty { continue }
                uncopied.append(UncopiedColumns(migration: step.name, table: table, columns: found))
            }
            for (table, columns) in lost.overwritten.sorted(by: { $0.key < $1.key }) {
                let found = try columnsWithData(of: table, columns, in: transaction)
                if found.isEmpty { continue }
                overwritten.append(OverwrittenColumns(migration: step.name, table: table, columns: found))
            }
        }
        return (uncopied, overwritten)
    }
}

/// Follows the values of the columns of a database through statements that make its tables again, from their tokens.
///
/// A column counts as copied if an INSERT into the new table lists it, or has no list. The values themselves are not
/// looked at, except for `NULL` and the empty text in the place of a column.
struct TableCopies {
    /// A table that a statement has made.
    private struct Made {
        /// The keys of the columns that got values.
        var filled: Set<String> = []
        /// Whether all columns got values.
        var isFilled = false
        /// The keys of the columns whose values were overwritten after that.
        var overwritten: Set<String> = []
    }

    private let syntax: SQLSyntax
    /// The tables of the database, by their keys.
    private let originals: [String: String]
    /// Those that still exist, by the keys of their current names.
    private var standing: [String: String]
    /// The columns of each table of the database that it still has, by the keys of their current names.
    private var columns: [String: [String: String]]
    /// The new tables, by their keys.
    private var made: [String: Made] = [:]
    /// The columns that lost their values, by table.
    private var lost: [String: Set<String>] = [:]
    /// The columns whose values were overwritten, by table.
    private var overwritten: [String: Set<String>] = [:]

    init(of live: DatabaseStructure, _ syntax: SQLSyntax) {
        self.syntax = syntax
        let tables = live.tables.filter { $0.value.virtualDefinition == nil }
        originals = Dictionary(tables.keys.map { (syntax.key($0), $0) }, uniquingKeysWith: { first, _ in first })
        standing = originals
        columns = tables.mapValues { table in
            Dictionary(
                table.columns.map { (syntax.key($0.name), $0.name) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// The losses since the last call. Ends a step: a table that was made again counts as one of the database from now on.
    mutating func takeLost() -> (uncopied: [String: Set<String>], overwritten: [String: Set<String>]) {
        for key in made.keys {
            guard let table = replaced(by: key) else { continue }
            compare(key, table)
            made[key] = nil
            standing[key] = table
        }
        defer { (lost, overwritten) = ([:], [:]) }
        return (lost, overwritten)
    }

    /// - Parameter onlyEmptied: whether only values that become NULL or the empty text count as overwritten.
    mutating func follow(_ statement: SQLStatement, _ facts: StatementFacts, onlyEmptied: Bool = false) {
        for table in facts.dropped.map(syntax.key) {
            if let replaced = replaced(by: table) { compare(table, replaced) }
            made[table] = nil
            standing[table] = nil
        }
        switch facts.alteration {
        case .renamesTable(let old, let new):
            let (old, new) = (syntax.key(old), syntax.key(new))
            made[new] = made.removeValue(forKey: old)
            standing[new] = standing.removeValue(forKey: old)
        case .renamesColumn(let old, let table, let new):
            rename(syntax.key(old), of: syntax.key(table), to: syntax.key(new))
        case .dropsColumns(let names, let table):
            drop(names.map(syntax.key), of: syntax.key(table))
        case nil:
            if let assigned = AssignedColumns(statement, syntax) {
                overwrite(onlyEmptied ? assigned.emptied : assigned.columns, of: assigned.table)
            }
            switch TableFilling(statement, syntax) {
            case .creates(let table, let isFilled): made[table] = Made(isFilled: isFilled)
            case .inserts(let table, let columns):
                made[table]?.filled.formUnion(columns ?? [])
                if columns == nil { made[table]?.isFilled = true }
            case .updates:
                for table in made.keys where facts.names.contains(table) { made[table]?.filled.formUnion(facts.names) }
            case nil: break
            }
        }
    }

    /// The table of the database that a new table replaces: it was dropped or renamed, and the new one has its name. Nil if
    /// the new table replaces none.
    private func replaced(by key: String) -> String? {
        guard made[key] != nil, let table = originals[key], !standing.values.contains(table) else { return nil }
        return table
    }

    private mutating func compare(_ key: String, _ table: String) {
        guard let new = made[key] else { return }
        for (column, original) in columns[table] ?? [:] {
            if !new.isFilled, !new.filled.contains(column) { lost[table, default: []].insert(original) }
            if new.overwritten.contains(column) { overwritten[table, default: []].insert(original) }
        }
    }

    /// - Parameter names: the columns; nil for all.
    private mutating func overwrite(_ names: [String]?, of key: String) {
        if let new = made[key] {
            // The first value of a column overwrites none.
            let old = names.map { $0.filter { new.isFilled || new.filled.contains($0) } } ?? Array(new.filled)
            made[key]?.overwritten.formUnion(old)
        } else if let table = standing[key], let current = columns[table] {
            overwritten[table, default: []].formUnion((names ?? Array(current.keys)).compactMap { current[$0] })
        }
    }

    private mutating func rename(_ old: String, of key: String, to new: String) {
        if made[key]?.filled.remove(old) != nil { made[key]?.filled.insert(new) }
        if made[key]?.overwritten.remove(old) != nil { made[key]?.overwritten.insert(new) }
        guard let table = standing[key] ?? replaced(by: key) else { return }
        if let original = columns[table]?.removeValue(forKey: old) { columns[table]?[new] = original }
    }

    private mutating func drop(_ names: [String], of key: String) {
        made[key]?.filled.subtract(names)
        guard let table = standing[key] else { return }
        for name in names {
            if let original = columns[table]?.removeValue(forKey: name) { lost[table, default: []].insert(original) }
        }
    }
}

/// What a statement does to the values of a table, from its tokens. All names are keys.
private enum TableFilling {
    /// Creates the table, with rows if it is `CREATE TABLE … AS`.
    case creates(String, isFilled: Bool)
    /// Inserts rows with values for these columns; nil for all columns.
    case inserts(String, columns: Set<String>?)
    /// Changes rows.
    case updates

    /// Nil for every other statement.
    init?(_ statement: SQLStatement, _ syntax: SQLSyntax) {
        var lexer = SQLLexer(statement.text, syntax: syntax)
        // The words of the statement without what is in parentheses, and all words with the names that they may be.
        var (words, names, top): ([String], [String], [Int]) = ([], [], [])
        var depth = 0
        while let token = try? lexer.nextSignificant() {
            let text = lexer.text(of: token)
            if text == ")" { depth -= 1 }
            if depth == 0 { top.append(words.count) }
            if text == "(" { depth += 1 }
            words.append(text.lowercased())
            names.append(lexer.name(of: token).map(syntax.key) ?? text)
        }
        let isWord = { (index: Int, word: String) in words.indices.contains(index) && words[index] == word }
        let verbs = ["insert", "replace", "update", "delete", "select"]
        let verb = isWord(0, "with") ? top.first { verbs.contains(words[$0]) } ?? 0 : 0
        if isWord(verb, "update") {
            self = .updates
            return
        }
        if isWord(0, "create") {
            guard let table = words.prefix(3).firstIndex(of: "table") else { return nil }
            var name = isWord(table + 1, "if") ? table + 4 : table + 1
            if isWord(name + 1, ".") { name += 2 }
            guard names.indices.contains(name) else { return nil }
            self = .creates(names[name], isFilled: isWord(name + 1, "as"))
            return
        }
        guard ["insert", "replace", "with"].contains(words.first),
            let into = top.first(where: { isWord($0, "into") }), names.indices.contains(into + 1)
        else { return nil }
        var name = into + 1
        if isWord(name + 1, "."), names.indices.contains(name + 2) { name += 2 }
        let list = isWord(name + 1, "as") ? name + 3 : name + 1
        guard isWord(list, "("), !isWord(list + 1, "select"), !isWord(list + 1, "with"),
            let end = words[list...].firstIndex(of: ")")
        else {
            self = .inserts(names[name], columns: nil)
            return
        }
        let columns = names[(list + 1)..<end].filter { $0 != "," }
        let empty = Self.emptyValues(words[(end + 1)...])
        self = .inserts(
            names[name], columns: Set(columns.enumerated().filter { !empty.contains($0.offset) }.map(\.element)))
    }

    /// The places in the list of a SELECT that have NULL or the empty text; empty for any other query.
    private static func emptyValues(_ query: ArraySlice<String>) -> Set<Int> {
        guard query.first == "select", query.allSatisfy({ !["union", "intersect", "except"].contains($0) }) else {
            return []
        }
        var values: [[String]] = [[]]
        var depth = 0
        for word in query.dropFirst() {
            if word == ")" { depth -= 1 }
            if depth == 0, ["from", "where", "returning", "on"].contains(word) { break }
            if depth == 0, word == "," { values.append([]) } else { values[values.count - 1].append(word) }
            if word == "(" { depth += 1 }
        }
        return Set(values.indices.filter { values[$0] == ["null"] || values[$0] == ["''"] })
    }
}
