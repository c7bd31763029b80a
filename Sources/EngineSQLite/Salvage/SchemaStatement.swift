import ChatDBEngine
import ChatDBSalvage

/// The statements that a schema may hold.
enum SchemaStatement {
    private static let modules: Set<String> = ["FTS3", "FTS4", "FTS5"]

    static func isVirtual(_ sql: String?) -> Bool { words(of: sql) == ["CREATE", "VIRTUAL"] }

    static func isUnique(_ sql: String?) -> Bool { words(of: sql) == ["CREATE", "UNIQUE"] }

    /// Whether a text is one statement that makes the object, in the form in which SQLite stores it: without a
    /// database's name, not temporary, and not `CREATE TABLE … AS SELECT`.
    static func isPlain(_ sql: String, of object: SchemaObject) -> Bool {
        guard let words = PlainWords(sql), (try? SQLStatements.split(sql))?.count == 1,
            words.name?.lowercased() == object.name.lowercased(), words.kind == object.kind
        else { return false }
        let next = words.namePlace + 1
        switch object.kind {
        case .table where words.isVirtual:
            return words.isWord(next, "USING") && modules.contains { words.isWord(next + 1, $0) }
        case .table: return words.isPunctuation(next, "(")
        case .index: return words.isWord(next, "ON")
        case .trigger, .view: return !words.isPunctuation(next, ".")
        }
    }

    /// The object with the names in its definition, because the names in the row of the schema may be damaged.
    static func named(_ object: SchemaObject) -> SchemaObject {
        guard let sql = object.sql, let words = PlainWords(sql), words.kind == object.kind, let name = words.name else {
            return object
        }
        let table = [.table, .view].contains(object.kind) ? name : words.table ?? object.table
        // SQLite compares names without regard to case.
        if name.lowercased() == object.name.lowercased(), table.lowercased() == object.table.lowercased() {
            return object
        }
        return SchemaObject(kind: object.kind, name: name, table: table, root: object.root, sql: sql)
    }

    /// The first words of a definition.
    private struct PlainWords {
        private var tokens: [SQLToken] = []
        private let text: SQLLexer
        private(set) var isVirtual = false
        let kind: SchemaObject.Kind
        let namePlace: Int
        /// The table in `ON table` of an index or a trigger. It is nil if the definition has no such words.
        private(set) var table: String?

        init?(_ sql: String) {
            var lexer = SQLLexer(sql, refusesControls: false)
            do throws(SQLTextError) {
                while tokens.count < 8, let token = try lexer.nextSignificant() { tokens.append(token) }
            } catch {
                return nil
            }
            let text = lexer
            let tokens = tokens
            func isWord(_ index: Int, _ word: String) -> Bool {
                index < tokens.count && text.isWord(tokens[index], word)
            }
            guard isWord(0, "CREATE") else { return nil }
            isVirtual = isWord(1, "VIRTUAL")
            let place = isVirtual || isWord(1, "UNIQUE") ? 2 : 1
            let kinds: [SchemaObject.Kind] =
                isVirtual ? [.table] : place == 2 ? [.index] : [.table, .index, .trigger, .view]
            guard let kind = kinds.first(where: { isWord(place, $0.rawValue.uppercased()) }) else { return nil }
            (self.kind, namePlace, self.text) = (kind, place + 1, text)
            if [.index, .trigger].contains(kind) { table = Self.table(in: sql, after: place + 1) }
        }

        /// The name after the first word `ON` behind the object's name. It is nil if there is no such word among the
        /// first tokens: the columns of `UPDATE OF` are before it.
        private static func table(in sql: String, after namePlace: Int) -> String? {
            var lexer = SQLLexer(sql, refusesControls: false)
            var isNext = false
            for place in 0..<mostTokens {
                guard let token = try? lexer.nextSignificant() else { return nil }
                if isNext { return lexer.name(of: token) }
                isNext = place > namePlace && lexer.isWord(token, "ON")
            }
            return nil
        }

        /// A table of SQLite has at most 2000 columns, and a comma follows each.
        private static let mostTokens = 5_000

        var name: String? { namePlace < tokens.count ? text.name(of: tokens[namePlace]) : nil }

        func isWord(_ index: Int, _ word: String) -> Bool { index < tokens.count && text.isWord(tokens[index], word) }

        func isPunctuation(_ index: Int, _ sign: String) -> Bool {
            index < tokens.count && text.isPunctuation(tokens[index], sign)
        }
    }

    private static func words(of sql: String?) -> [String] {
        (sql ?? "").split { !$0.isLetter }.prefix(2).map { $0.uppercased() }
    }
}
