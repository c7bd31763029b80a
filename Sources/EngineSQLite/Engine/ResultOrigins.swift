import ChatDBEngine
import ChatDBSchema

/// What the values of a column say about masked columns.
enum ResultOrigin: Hashable {
    /// No row yet: the column of a recursive table before its first row is known.
    case none
    /// It reads no masked column: NULL is NULL.
    case shown
    /// Every row reads a masked column. With `isComputed`, a value may be a constant in the place of NULL.
    case masked(ColumnClass, isComputed: Bool)
    /// Some parts of a compound read a masked column and others do not.
    case partly(ColumnClass, isComputed: Bool)
    /// The statement is not understood here.
    case unclear

    /// A column whose rows come from here or from there.
    func or(_ other: ResultOrigin) -> ResultOrigin {
        switch (self, other) {
        case (.none, _): other
        case (_, .none): self
        case (.masked(let first, let one), .masked(let second, let two)):
            .masked(Self.stricter(first, second), isComputed: one || two)
        default:
            if let (first, one) = masked {
                if let (second, two) = other.masked {
                    .partly(Self.stricter(first, second), isComputed: one || two)
                } else {
                    .partly(first, isComputed: one)
                }
            } else if let (second, two) = other.masked {
                .partly(second, isComputed: two)
            } else {
                self == .unclear ? self : other
            }
        }
    }

    /// An expression that reads columns of this origin.
    var computed: ResultOrigin {
        guard let (columnClass, _) = masked else { return self }
        return .masked(columnClass, isComputed: true)
    }

    /// An expression that reads columns of both origins.
    func and(_ other: ResultOrigin) -> ResultOrigin {
        switch (computed, other.computed) {
        case (.masked(let first, _), .masked(let second, _)): .masked(Self.stricter(first, second), isComputed: true)
        case (.masked, _): computed
        case (_, .masked): other.computed
        case (.unclear, _), (_, .unclear): .unclear
        case (.none, _), (_, .none): .none
        default: .shown
        }
    }

    private var masked: (ColumnClass, isComputed: Bool)? {
        switch self {
        case .masked(let columnClass, let isComputed), .partly(let columnClass, let isComputed):
            (columnClass, isComputed)
        case .none, .shown, .unclear: nil
        }
    }

    static func stricter(_ first: ColumnClass, _ second: ColumnClass) -> ColumnClass {
        first == .secret || second == .secret ? .secret : first
    }
}

/// Finds the origins of the columns of a statement's result, through subqueries, common tables and compounds. It names
/// no column of its own: a column is masked when SQLite asked for it and read NULL instead.
final class ResultOrigins {
    /// A column of a table of the file, or of a table-valued function.
    struct TableColumn {
        let name: String
        /// Whether `*` leaves it out.
        let isHidden: Bool
        let isKey: Bool
    }

    private struct Column {
        let name: String
        let origin: ResultOrigin
        var isHidden = false
    }

    /// A table or subquery in FROM.
    private struct Source {
        let name: String?
        let columns: [Column]
        let byName: [String: ResultOrigin]
        /// That of the row ID; nil without one.
        var rowID: ResultOrigin?

        init(_ name: String?, _ columns: [Column], rowID: ResultOrigin? = nil) {
            (self.name, self.columns, self.rowID) = (name, columns, rowID)
            byName = Dictionary(columns.map { ($0.name, $0.origin) }) { $0.or($1) }
        }

        subscript(column: String) -> ResultOrigin? {
            byName[column] ?? (["rowid", "oid", "_rowid_"].contains(column) ? rowID : nil)
        }
    }

    /// What the names in a part of the statement mean.
    private final class Scope {
        let parent: Scope?
        var commonTables: [String: CommonTable] = [:]
        var sources: [Source] = []
        var windows: [String: SelectSyntax.Expression] = [:]

        init(in parent: Scope?) { self.parent = parent }
    }

    private final class CommonTable {
        let syntax: SelectSyntax.CommonTable
        /// Those found so far; a recursive table reads its own.
        var columns: [Column]?

        init(_ syntax: SelectSyntax.CommonTable) { self.syntax = syntax }
    }

    /// The statement takes too long to understand.
    private struct TooMuch: Error {}

    private let masked: [String: [String: ColumnClass]]
    private let columns: (String) -> [TableColumn]
    private var tables: [String: Source] = [:]
    /// Steps that are left. A long statement of nested recursive tables would take more.
    private var steps = 2_000_000

    /// - Parameters:
    ///   - masked: the columns that read as NULL.
    ///   - columns: the columns of a table by its name in lower case; empty for an unknown one.
    init(masked: [MaskedColumn], columns: @escaping (String) -> [TableColumn]) {
        var classes: [String: [String: ColumnClass]] = [:]
        for column in masked {
            classes[column.table.lowercased(), default: [:]][column.column.lowercased()] = column.columnClass
        }
        (self.masked, self.columns) = (classes, columns)
    }

    /// The origins of a statement's result columns; nil when the statement is not understood.
    func origins(of sql: String) -> [ResultOrigin]? {
        guard let syntax = SelectSyntax(sql) else { return nil }
        return try? select(syntax, in: nil).columns.map(\.origin)
    }

    // MARK: Statements

    /// The columns of a SELECT, and what its conditions read.
    private func select(
        _ syntax: SelectSyntax, in parent: Scope?, found: (([Column]) -> Void)? = nil
    ) throws(TooMuch) -> (columns: [Column], conditions: ResultOrigin) {
        let scope = Scope(in: parent)
        for table in syntax.commonTables { scope.commonTables[table.name] = CommonTable(table) }
        var columns: [Column]?
        var conditions = ResultOrigin.shown
        for arm in syntax.arms {
            let (others, condition) = try self.arm(arm, in: scope)
            columns = columns.map { Self.joined($0, others) } ?? others
            conditions = conditions.and(condition)
            if let columns { found?(columns) }
        }
        return (columns ?? [], conditions)
    }

    private func arm(
        _ arm: SelectSyntax.Arm, in parent: Scope
    ) throws(TooMuch) -> (columns: [Column], conditions: ResultOrigin) {
        let scope = Scope(in: parent)
        scope.windows = arm.windows
        var conditions = try add(arm.from, to: scope, outside: parent)
        var columns: [Column] = []
        for result in arm.results {
            switch result {
            case .all: columns += Self.visible(scope.sources)
            case .allOf(let name): columns += Self.visible(scope.sources.filter { $0.name == name })
            case .expression(let expression, let name):
                columns.append(Column(name: name, origin: try origin(of: expression, in: scope)))
            }
        }
        conditions = conditions.and(try origin(of: arm.conditions, in: scope))
        return (columns, conditions)
    }

    private static func visible(_ sources: [Source]) -> [Column] { sources.flatMap(\.columns).filter { !$0.isHidden } }

    /// The columns of a compound, with the names of the first.
    private static func joined(_ first: [Column], _ second: [Column]) -> [Column] {
        first.enumerated().map { index, column in
            let other = second.indices.contains(index) ? second[index].origin : .unclear
            return Column(name: column.name, origin: column.origin.or(other))
        }
    }

    // MARK: Tables

    /// Adds the tables of FROM to a scope, and returns what their conditions read.
    private func add(
        _ items: [SelectSyntax.Item], to scope: Scope, outside: Scope
    ) throws(TooMuch) -> ResultOrigin {
        var conditions = ResultOrigin.shown
        for item in items {
            switch item.source {
            case .table(let name, let isQualified, let arguments):
                scope.sources.append(try table(name, isQualified, arguments, item.alias, in: scope))
            case .select(let syntax):
                let (columns, inner) = try select(syntax, in: outside)
                scope.sources.append(Source(item.alias, Self.distinct(columns)))
                conditions = conditions.and(inner)
            case .join(let items):
                let inner = Scope(in: scope.parent)
                inner.windows = scope.windows
                conditions = conditions.and(try add(items, to: inner, outside: outside))
                scope.sources +=
                    item.alias.map { [Source($0, Self.distinct(Self.visible(inner.sources)))] } ?? inner.sources
            }
        }
        for item in items {
            guard let condition = item.condition else { continue }
            conditions = conditions.and(try origin(of: condition, in: scope))
        }
        return conditions
    }

    private func table(
        _ name: String, _ isQualified: Bool, _ arguments: SelectSyntax.Expression?, _ alias: String?, in scope: Scope
    ) throws(TooMuch) -> Source {
        if !isQualified, arguments == nil {
            var outer: Scope? = scope
            while let next = outer {
                if let table = next.commonTables[name] {
                    return Source(alias ?? name, Self.distinct(try columns(of: table, in: next)))
                }
                outer = next.parent
            }
        }
        let table = fileTable(name)
        guard let arguments else { return Source(alias ?? name, table.columns, rowID: table.rowID) }
        // Everything that a table-valued function gives is computed from its arguments.
        let given = try origin(of: arguments, in: scope)
        let columns = table.columns.map { Column(name: $0.name, origin: $0.origin.and(given), isHidden: $0.isHidden) }
        return Source(alias ?? name, columns, rowID: table.rowID?.and(given))
    }

    private func fileTable(_ name: String) -> Source {
        if let known = tables[name] { return known }
        let classes = masked[name] ?? [:]
        func origin(_ column: String) -> ResultOrigin {
            classes[column].map { .masked($0, isComputed: false) } ?? .shown
        }
        let listed = columns(name)
        let key = listed.first { $0.isKey }.map { origin($0.name.lowercased()) } ?? .shown
        let source = Source(
            name,
            listed.map { column in
                let name = column.name.lowercased()
                return Column(name: name, origin: origin(name), isHidden: column.isHidden)
            }, rowID: origin("rowid") == .shown ? key : origin("rowid"))
        tables[name] = source
        return source
    }

    /// The columns of a common table. Those of a recursive one are read again until nothing is added.
    private func columns(of table: CommonTable, in scope: Scope) throws(TooMuch) -> [Column] {
        if let columns = table.columns { return columns }
        let names = table.syntax.columns
        table.columns = []
        var last: [ResultOrigin] = []
        while true {
            let known = last
            var result: [Column] = []
            let (columns, _) = try select(table.syntax.body, in: scope) { found in
                result = found.enumerated().map { index, column in
                    let before = known.indices.contains(index) ? known[index] : .none
                    return Column(
                        name: names.indices.contains(index) ? names[index] : column.name,
                        origin: before.or(column.origin))
                }
                table.columns = result
            }
            let origins = result.map(\.origin)
            if origins == last || columns.isEmpty { return result }
            last = origins
        }
    }

    /// The columns of a subquery, with the names by which SQLite distinguishes equal ones: `a`, `a:1`.
    private static func distinct(_ columns: [Column]) -> [Column] {
        var taken: Set<String> = []
        return columns.map { column in
            var (name, number) = (column.name, 0)
            while !taken.insert(name).inserted {
                number += 1
                name = "\(column.name):\(number)"
            }
            return Column(name: name, origin: column.origin)
        }
    }

    // MARK: Expressions

    private func origin(of expression: SelectSyntax.Expression, in scope: Scope) throws(TooMuch) -> ResultOrigin {
        if expression.isBare {
            if let name = expression.names.first { return try origin(of: name, in: scope) }
            if let (syntax, _) = expression.subqueries.first {
                let (columns, conditions) = try select(syntax, in: scope)
                let value = columns.first?.origin ?? .unclear
                return conditions == .shown ? value : value.and(conditions)
            }
        }
        var origin = ResultOrigin.shown
        for name in expression.names { origin = origin.and(try self.origin(of: name, in: scope)) }
        for (syntax, isExists) in expression.subqueries {
            let (columns, conditions) = try select(syntax, in: scope)
            origin = origin.and(conditions)
            // EXISTS reads no column of the result.
            if !isExists { for column in columns { origin = origin.and(column.origin) } }
        }
        return origin
    }

    private func origin(of name: SelectSyntax.Name, in scope: Scope) throws(TooMuch) -> ResultOrigin {
        steps -= 1
        guard steps > 0 else { throw TooMuch() }
        var outer: Scope? = scope
        while let next = outer {
            let found = next.sources.compactMap { source in
                name.table == nil || source.name == name.table ? source[name.column] : nil
            }
            if name.table == nil, let window = next.windows[name.column] {
                let read = try origin(of: window, in: next)
                return found.reduce(read.computed) { $0.and($1) }
            }
            if let first = found.first { return found.dropFirst().reduce(first) { $0.or($1) } }
            outer = next.parent
        }
        return name.isPlain && Self.words.contains(name.column) ? .shown : .unclear
    }

    /// Words of the grammar that may stand in an expression or a condition.
    private static let words: Set<String> = [
        "all", "and", "asc", "between", "by", "case", "collate", "cross", "current", "current_date", "current_time",
        "current_timestamp", "desc", "distinct", "else", "end", "escape", "except", "exclude", "exists", "false",
        "filter", "first", "following", "from", "glob", "group", "groups", "having", "in", "is", "isnull", "last",
        "like", "limit", "match", "no", "not", "notnull", "null", "nulls", "offset", "or", "order", "others", "over",
        "partition", "preceding", "range", "regexp", "row", "rows", "then", "ties", "true", "unbounded", "when",
        "where", "window",
    ]
}
