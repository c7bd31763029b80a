import ChatDBEngine

/// The lines of a full check of a file, as an error may show them: numbers of pages and rows, and names of this build's
/// tables, columns and indexes. Other names come from the file, and may be anybody's words.
package enum DamageLines {
    /// The lines, with `other` in the place of each name that this build does not know.
    package static func shown(_ lines: [String]) -> [String] {
        lines.map { EngineMessage.shown($0, known: names, numbersAreIDs: true) }
    }

    /// The names in this build's migrations, in lower case.
    private static let names: Set<String> = {
        var names: Set<String> = []
        for file in MigrationSource.ownFiles where file.path.hasSuffix(".sql") {
            var lexer = SQLLexer(file.content)
            while let token = try? lexer.nextSignificant() {
                guard token.kind != .string, let name = lexer.name(of: token) else { continue }
                names.insert(name.lowercased())
            }
        }
        return names
    }()
}
