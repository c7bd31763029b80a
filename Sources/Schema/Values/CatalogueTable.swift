/// A table with its columns, as the catalogue tells them.
public struct CatalogueTable: Sendable, Hashable {
    /// The name in the database.
    public let name: String
    /// One sentence: what a row is.
    public let meaning: String
    /// In the order of the table.
    public let columns: [CatalogueColumn]

    /// A table of the catalogue.
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

/// Who may see what a column holds.
public enum ColumnClass: String, Sendable, Hashable, Codable, CaseIterable {
    /// Says nothing about a person: ids, states, counters, switches.
    case `public`
    /// Names, texts, links, times of a person's acts: shown to whom asks for it.
    case personal
    /// Keys, passwords, ratchet state: leaves by no route but the repository that needs it.
    case secret
}

/// A column with its meaning and class.
public struct CatalogueColumn: Sendable, Hashable {
    /// The name in the database.
    public let name: String
    /// Who may see it.
    public let columnClass: ColumnClass
    /// One short phrase: what the value is, with its unit where it has one.
    public let meaning: String

    /// A column anybody may see.
    public static func `public`(_ name: String, _ meaning: String) -> CatalogueColumn {
        CatalogueColumn(name: name, columnClass: .public, meaning: meaning)
    }

    /// A column that tells of a person.
    public static func personal(_ name: String, _ meaning: String) -> CatalogueColumn {
        CatalogueColumn(name: name, columnClass: .personal, meaning: meaning)
    }

    /// A column with a key or a password.
    public static func secret(_ name: String, _ meaning: String) -> CatalogueColumn {
        CatalogueColumn(name: name, columnClass: .secret, meaning: meaning)
    }
}
