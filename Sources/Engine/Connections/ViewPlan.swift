/// How a database that is only read is shown as another version of it: temporary views that stand before its tables.
/// A query that names `users` finds the view of that name; what the file itself has is `main.users`.
public struct ViewPlan: Sendable {
    /// The tables to look for in the file.
    public let tables: Set<String>
    /// Functions of one value that the views call. What is in the file must not be able to.
    public let functions: [ReadingFunction]
    /// The views, for what was found: by name, with the columns and, among the options, `STRICT`. What is not in it is
    /// not in the file, or no ordinary table there.
    public let views: @Sendable (_ found: [String: TableStructure]) -> ReadingViews

    /// A plan.
    public init(
        tables: Set<String>, functions: [ReadingFunction] = [],
        views: @escaping @Sendable (_ found: [String: TableStructure]) -> ReadingViews
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
        /// The name of the table it stands for.
        public let name: String
        /// The query; it names the tables of the file as `main.users`.
        public let select: String

        /// A view.
        public init(name: String, select: String) {
            self.name = name
            self.select = select
        }
    }

    /// The views, in the order in which they are made.
    public let views: [View]
    /// What the reader should know of what was found, a clause each.
    public let notes: [String]

    /// Views for a database.
    public init(views: [View], notes: [String] = []) {
        self.views = views
        self.notes = notes
    }
}

/// A function of one value, the same answer every time.
public struct ReadingFunction: Sendable {
    /// Its name in SQL.
    public let name: String
    /// What it answers.
    public let body: @Sendable (SQLValue) -> SQLValue

    /// A function.
    public init(_ name: String, _ body: @escaping @Sendable (SQLValue) -> SQLValue) {
        self.name = name
        self.body = body
    }
}
