public import ChatDBEngine
public import ChatDBSchema

/// The result of a copy.
public struct CopyReport: Sendable, Hashable {
    /// A table that was copied.
    public struct Table: Sendable, Hashable {
        /// The database.
        public let database: DatabaseName
        /// Its name.
        public let name: String
        /// The number of its rows.
        public let rows: Int
        /// The sum over its rows, 64 hexadecimal digits; nil where nothing was copied yet. Rule: docs/copying.md,
        /// "Verification".
        public let sum: String?
    }

    /// The store that was copied.
    public let from: StoreLocation
    /// The copy.
    public let to: StoreLocation
    /// The id of the store, and the generation of the copy.
    public let identity: StoreIdentity
    /// The tables: those of the agent database first, and each by name.
    public let tables: [Table]
    /// The number of texts in which bytes were replaced.
    public let replacedTexts: Int
    /// Whether the source is marked as moved.
    public let hasMoved: Bool
    /// Whether the copy was there already, because an earlier one ended before it set the mark. Its rows were compared
    /// once more.
    public let wasThere: Bool

    init(
        from: StoreLocation, to: StoreLocation, identity: StoreIdentity, tables: [Table], replacedTexts: Int,
        hasMoved: Bool, wasThere: Bool = false
    ) {
        self.from = from
        self.to = to
        self.identity = identity
        self.tables = tables
        self.replacedTexts = replacedTexts
        self.hasMoved = hasMoved
        self.wasThere = wasThere
    }

    /// The number of all rows.
    public var rows: Int { tables.reduce(0) { $0 + $1.rows } }
}
