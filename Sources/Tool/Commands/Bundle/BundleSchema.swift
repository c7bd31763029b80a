import ChatDBKit

/// Where the schema differs from that of the version.
enum BundleSchema {
    /// Per database the differences; null for one that cannot be compared, with a note.
    static func differences(
        _ status: StoreStatus, _ store: Store, _ context: StoreContext, _ notes: inout [String]
    ) -> JSONValue {
        var members: [JSONValue.Member] = []
        for database in DatabaseName.allCases {
            guard let part = status.readable[database] else { continue }
            do {
                let connection = try store.connection(database)
                guard part.kind == .chatdb else {
                    // SimpleX Chat's are compared with what is known of their versions, as `check` does.
                    if let drift = try part.simplexDrift(as: database, in: connection) {
                        members.append(.init(database.rawValue, .array(json(drift, of: database))))
                    } else {
                        let reason = part.kind == .simplex ? "its version is not described" : "it is not chatdb's"
                        notes.append("the schema of the \(database) database was not compared: \(reason)")
                    }
                    continue
                }
                let drift = try context.drift(of: database, in: connection, after: part.applied)
                members.append(.init(database.rawValue, .array(drift.map { json($0, of: database) })))
            } catch {
                members.append(.init(database.rawValue, .null))
                notes.append("the schema of the \(database) database was not compared: \(ErrorReport(error).code)")
            }
        }
        return .object(members)
    }

    private static func json(_ difference: StructureDifference, of database: DatabaseName) -> JSONValue {
        let known = known(difference, of: database)
        return [
            "kind": .string(difference.kind.rawValue), "object": .string(difference.object.rawValue),
            "name": .string(known.name(difference.name)), "expected": JSONValue(difference.expected),
            "found": JSONValue(difference.found.map(known.shown)),
        ]
    }

    /// The definitions are not known, so only the names are there. What a version has and the file lacks is known by its
    /// name.
    private static func json(_ drift: SimpleXDrift, of database: DatabaseName) -> [JSONValue] {
        var known = KnownWords()
        for table in Catalogue.tables(of: database) { known.add([table.name] + table.columns.map(\.name)) }
        return (drift.missing + drift.others).map { one in
            [
                "kind": .string(one.kind.rawValue), "object": .string(one.object.rawValue),
                "name": .string(one.kind == .missing ? one.name : known.name(one.name)), "expected": .null,
                "found": .null,
            ]
        }
    }

    /// What a definition may hold of which everybody knows.
    private static func known(_ difference: StructureDifference, of database: DatabaseName) -> KnownWords {
        var known = KnownWords()
        for table in Catalogue.tables(of: database) { known.add([table.name] + table.columns.map(\.name)) }
        // A part that the version has is this build's, and so is its name.
        if difference.expected != nil { known.add(difference.name.split(separator: ".").map(String.init)) }
        known.add(tokensOf: difference.expected ?? "")
        return known
    }
}

/// What a bundle shows of a definition that is not ours: words of SQL, names and values of this build. All else may be
/// anything, a person's name between quotes of whatever sort, or a telephone number.
struct KnownWords {
    private var words: Set<String> = Set(
        """
        integer int text blob real numeric any strict rowid nocase binary rtrim new old excluded abort main temp fts5 0 1 \
        count min max sum abs length lower upper substr trim replace coalesce ifnull nullif iif typeof hex quote cast \
        date time datetime julianday strftime unixepoch instr printf format random changes last_insert_rowid
        """.split { $0 == " " || $0 == "\n" }.map(String.init))

    mutating func add(_ names: [String]) { words.formUnion(names.map { $0.lowercased() }) }

    mutating func add(tokensOf definition: String) {
        var lexer = SQLLexer(definition, refusesControls: false)
        while let token = try? lexer.nextSignificant() { words.insert(lexer.text(of: token).lowercased()) }
    }

    /// A name as `table` or `table.column`, with `other` in the place of each part that is not known.
    func name(_ name: String) -> String {
        name.split(separator: ".", omittingEmptySubsequences: false)
            .map { words.contains($0.lowercased()) ? String($0) : "other" }.joined(separator: ".")
    }

    /// A definition with `…` in the place of what is not known.
    func shown(_ definition: String) -> String {
        var lexer = SQLLexer(definition, refusesControls: false)
        var shown: [String] = []
        do {
            while let token = try lexer.nextSignificant() { shown.append(self.shown(token, lexer)) }
        } catch {
            return "…"
        }
        return shown.joined(separator: " ")
    }

    private func shown(_ token: SQLToken, _ lexer: SQLLexer) -> String {
        let text = lexer.text(of: token)
        if words.contains(text.lowercased()) { return text }
        switch token.kind {
        case .punctuation, .semicolon: return text
        case .string, .blob: return "'…'"
        case .word: return SQLLexer.isKeyword(text) ? text : "…"
        case .quotedIdentifier: return words.contains((lexer.name(of: token) ?? "").lowercased()) ? text : "\"…\""
        case .number, .parameter, .comment: return "…"
        }
    }
}
