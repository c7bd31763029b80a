import ChatDBEngine

/// The parts of a statement that decide where the columns of its result come from. SQLite has accepted the statement
/// before, so this parser checks no grammar: it only finds the parts.
struct SelectSyntax {
    /// A table of a WITH clause.
    struct CommonTable {
        let name: String
        /// The names in parentheses behind the name; empty without them.
        let columns: [String]
        let body: SelectSyntax
    }

    /// One SELECT of a compound, or one row of VALUES.
    struct Arm {
        var results: [Result] = []
        var from: [Item] = []
        /// WHERE
        var filter = Expression()
        /// GROUP BY, HAVING, ORDER BY and LIMIT.
        var order = Expression()
        var windows: [(name: String, definition: Expression)] = []
    }

    enum Result {
        /// `*`
        case all
        /// `t.*`
        case allOf(String)
        case expression(Expression, name: String)
    }

    /// A table, a subquery or a join in parentheses in FROM.
    struct Item {
        enum Source {
            /// A table, with the arguments of a table-valued function.
            case table(name: String, isQualified: Bool, arguments: Expression?)
            case select(SelectSyntax)
            case join([Item])
        }

        let source: Source
        var alias: String?
        /// ON
        var condition: Expression?
    }

    struct Expression {
        /// The names in it that may be columns, without those in subqueries.
        var names: [Name] = []
        var subqueries: [(select: SelectSyntax, isExists: Bool)] = []
        /// The windows that it names: behind OVER, or first in the parentheses of a window.
        var windows: [String] = []
        /// Whether it is nothing but its only name or subquery, in parentheses or with COLLATE.
        var isBare = false
    }

    /// A name, with the table before the point.
    struct Name {
        let table: String?
        let column: String
        /// Whether it may be a word of the grammar: without quotes and without a table.
        let isPlain: Bool
    }

    let commonTables: [CommonTable]
    let arms: [Arm]

    /// The syntax of a text. Throws when it is not a SELECT, VALUES or WITH that this parser understands.
    init(_ sql: String, _ effort: StatementEffort) throws(UnclearStatement) {
        let parser = try SelectParser(sql, effort)
        self = try parser.select(parser.all)
    }

    init(commonTables: [CommonTable], arms: [Arm]) {
        (self.commonTables, self.arms) = (commonTables, arms)
    }
}

/// chatdb does not understand a statement.
struct UnclearStatement: Error {}

/// The work on one statement. Beyond its limits the statement counts as not understood, so that a statement takes
/// neither much time nor much of the stack.
final class StatementEffort {
    private var steps = 250_000
    private var depth = 0

    /// Each token, name, column and table that is visited is a step.
    func take(_ count: Int = 1) throws(UnclearStatement) {
        steps -= count
        if steps < 0 { throw UnclearStatement() }
    }

    /// Runs a part of the work that may begin itself again.
    func nested<T>(_ body: () throws(UnclearStatement) -> T) throws(UnclearStatement) -> T {
        guard depth < 100 else { throw UnclearStatement() }
        depth += 1
        defer { depth -= 1 }
        try take()
        return try body()
    }
}
