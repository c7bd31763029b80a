/// How much room a database takes, and what takes it.
public struct DatabaseSpace: Sendable, Hashable {
    /// One table with its indexes.
    public struct Table: Sendable, Hashable {
        /// Its name. It is not ours: escape it before printing.
        public let name: String
        /// How many rows it has; nil when they cannot be counted.
        public let rows: Int64?
        /// How many bytes it and its indexes take; nil when that was not looked for, or the engine does not tell.
        public let bytes: Int64?

        /// A table and what is known of it.
        public init(name: String, rows: Int64?, bytes: Int64?) {
            self.name = name
            self.rows = rows
            self.bytes = bytes
        }
    }

    /// Bytes of a page.
    public let pageSize: Int64
    /// How many pages the database has, free ones among them.
    public let pages: Int64
    /// How many pages hold nothing.
    public let freePages: Int64
    /// The tables, by name.
    public let tables: [Table]
    /// The names of the views, which are not counted: counting would run them.
    public let views: [String]

    /// A database and what is known of its tables.
    public init(pageSize: Int64, pages: Int64, freePages: Int64, tables: [Table], views: [String]) {
        self.pageSize = pageSize
        self.pages = pages
        self.freePages = freePages
        self.tables = tables
        self.views = views
    }
}
