/// A plan for reading a database as another version: views that hide its tables. A query that names `users` reads the
/// view of that name.
public struct ViewPlan: Sendable {
    /// The tables to look for in the file.
    public let tables: Set<String>
    /// Functions of one value that the views call. The schema of the file must not be able to call them.
    public let functions: [ReadingFunction]
    /// Makes the views for the tables that were found: by name, with their columns and, among the options, `STRICT`. A
    /// table that was not found is not in the database, or is not an ordinary table there.
    public let views: @Sendable (_ found: [String: TableStructure], _ syntax: ViewSyntax) -> ReadingViews

    /// A plan.
    public init(
        tables: Set<String>, functions: [ReadingFunction] = [],
        views: @escaping @Sendable (_ found: [String: TableStructure], _ syntax: ViewSyntax) -> ReadingViews
    ) {
        self.tables = tables
        self.functions = functions
        self.views = views
    }
}

/// Views for one database as it was found.
public struct ReadingViews: Sendable {
    /// One view.
    public struct View: Sendable, Hashable {
        /// The name of the table it hides.
        public let name: String
        /// The query; it names the tables of the database with their schema.
        public let select: String

        /// A view.
        public init(name: String, select: String) {
            self.name = name
            self.select = select
        }
    }

    /// The views, in the order in which they are made.
    public let views: [View]
    /// Notes for the reader about the tables that were found, a clause each.
    public let notes: [String]

    /// Views for a database.
    public init(views: [View], notes: [String] = []) {
        self.views = views
        self.notes = notes
    }
}
