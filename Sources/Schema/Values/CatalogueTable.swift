/// A table of the catalogue with its columns.
public struct CatalogueTable: Sendable, Hashable {
    /// The name, as in the database.
    public let name: String
    /// One sentence that says what a row is.
    public let meaning: String
    /// The columns, in the order of the table.
    public let columns: [CatalogueColumn]

    /// A table with its name, meaning and columns.
    public init(_ name: String, _ meaning: String, _ columns: [CatalogueColumn]) {
        self.name = name
        self.meaning = meaning
        self.columns = columns
    }

    /// The column of that name, or nil.
    public func column(_ name: String) -> CatalogueColumn? {
        columns.first { $0.name == name }
    }
}

/// The secrecy of a column: who may see its values.
public enum ColumnClass: String, Sendable, Hashable, Codable, CaseIterable {
    /// Ids, states, counters, switches: reveals nothing about a person.
    case `public`
    /// Names, texts, links, times of a person's acts: shown on request only.
    case personal
    /// Keys, passwords, ratchet state: only the repository that needs it reads it.
    case secret
}

/// A column of the catalogue with its meaning and class.
public struct CatalogueColumn: Sendable, Hashable {
    /// The name, as in the database.
    public let name: String
    /// Its secrecy.
    public let columnClass: ColumnClass
    /// One phrase that says what the value is, with its unit if it has one.
    public let meaning: String
    /// The values of a state that this build knows, and their first words; nil for a column that is no state. The app
    /// writes more behind some of the words, an error with a path or a host, and keeps unknown words of other people's
    /// apps. So only these words are public.
    package let words: Set<String>?

    private init(_ name: String, _ columnClass: ColumnClass, _ meaning: String, words: Set<String>? = nil) {
        self.name = name
        self.columnClass = columnClass
        self.meaning = meaning
        self.words = words
    }

    /// A column of class ``ColumnClass/public``.
    public static func `public`(_ name: String, _ meaning: String) -> CatalogueColumn {
        CatalogueColumn(name, .public, meaning)
    }

    /// A column of class ``ColumnClass/personal``.
    public static func personal(_ name: String, _ meaning: String) -> CatalogueColumn {
        CatalogueColumn(name, .personal, meaning)
    }

    /// A column of class ``ColumnClass/secret``.
    public static func secret(_ name: String, _ meaning: String) -> CatalogueColumn {
        CatalogueColumn(name, .secret, meaning)
    }

    /// A column of class ``ColumnClass/public`` with the texts of an enumeration, behind which the app may write more.
    ///
    /// - Parameter others: first words that only SimpleX Chat writes.
    static func state<Value: StoredText>(
        _ name: String, _ meaning: String, _ type: Value.Type, others: Set<String> = []
    ) -> CatalogueColumn {
        let texts = Value.known.map(\.text)
        let first = texts.map { text in String(text.prefix { $0 != " " }) }
        return .word(name, meaning, others.union(texts).union(first))
    }

    /// A column of class ``ColumnClass/public`` with words, of which only these are shown: an app stores unknown words as
    /// other people's apps sent them.
    static func word(_ name: String, _ meaning: String, _ words: Set<String>) -> CatalogueColumn {
        CatalogueColumn(name, .public, meaning, words: words)
    }
}
