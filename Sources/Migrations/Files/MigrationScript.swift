package import ChatDBEngine

/// One direction of a migration: SQL text that is looked through and found fit before any of it runs.
public struct MigrationScript: Sendable {
    /// The text as it stands in the file, without a byte order mark.
    public let text: String
    /// Where it comes from, for messages: a file, or the migration in a database.
    public let source: String
    private let content: ScriptContent

    /// What it asks of the run. None is an empty set.
    ///
    /// Throws `invalid` for a text that is not fit to run, which only a migration of the build can still be: others are
    /// looked through when they are loaded.
    public var directives: Set<MigrationDirective> {
        get throws(MigrationFileError) { try content.parts().directives }
    }

    /// At least one, in their order; lines are those of `text`. Throws as `directives` does.
    package var statements: [SQLStatement] {
        get throws(MigrationFileError) { try content.parts().statements }
    }

    /// For each statement, what its tokens say. Throws as `directives` does.
    var facts: [StatementFacts] {
        get throws(MigrationFileError) { try content.parts().facts }
    }

    /// Looks through down SQL that was found in a database, by the rules for files.
    package init(storedDown text: String, of migration: String) throws(MigrationFileError) {
        self.init(unread: text, source: "stored down SQL of \(migration)", whenEmpty: "no statements")
        _ = try content.parts()
    }

    /// A text that is looked through when somebody first asks for its parts.
    init(unread fullText: String, source: String, whenEmpty: String) {
        text = fullText.unicodeScalars.first == "\u{FEFF}" ? String(fullText.unicodeScalars.dropFirst()) : fullText
        self.source = source
        content = ScriptContent(text, source: source, whenEmpty: whenEmpty)
    }
}

extension MigrationScript: Hashable {
    /// Equal when text and source are: the rest follows from them.
    public static func == (left: MigrationScript, right: MigrationScript) -> Bool {
        left.text == right.text && left.source == right.source
    }

    /// By text and source.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(source)
    }
}
