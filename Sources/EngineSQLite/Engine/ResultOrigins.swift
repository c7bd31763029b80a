import ChatDBEngine
import ChatDBSchema

/// Finds the origins of the columns of a statement's result, through subqueries, common tables and compounds. The
/// caller passes the masked columns: those that SQLite asked to read, and for which it got NULL.
final class ResultOrigins {
    /// A column of a table of the file, or of a table-valued function.
    struct TableColumn {
        let name: String
        /// Whether `*` leaves it out.
        let isHidden: Bool
        let isRowID: Bool
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
        /// The origin of the row ID; nil if the source has none.
        let rowID: ResultOrigin?
        /// Whether it is a table-valued function, whose arguments are hidden columns.
        let isFunction: Bool

        init(_ name: String?, _ columns: [Column], rowID: ResultOrigin? = nil, isFunction: Bool = false) {
            (self.name, self.columns, self.rowID, self.isFunction) = (name, columns, rowID, isFunction)
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
        var windows: [String: ResultOrigin] = [:]
        /// The result columns, which ORDER BY may name.
        var results: [String: ResultOrigin] = [:]
        /// The arguments of table-valued functions.
        var arguments: [SelectSyntax.Expression] = []

        init(in parent: Scope?) { self.parent = parent }
    }

    /// The columns of a SELECT, and what its conditions read.
    private struct Rows {
        var columns: [Column] = []
        var conditions = ResultOrigin.shown
    }

    private final class CommonTable {
        let syntax: SelectSyntax.CommonTable
        /// The columns found so far. A recursive table reads its own columns.
        var columns: [Column] = []
        var isOpen = false
        var isRecursive = false
        /// The result, kept so that it is computed once.
        var rows: Rows?

        init(_ syntax: SelectSyntax.CommonTable) { self.syntax = syntax }
    }

    private let masked: [String: [String: ColumnClass]]
    private let columns: (String) -> [TableColumn]
    private var tables: [String: Source] = [:]
    private let effort = StatementEffort()

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
        do throws(UnclearStatement) {
            return try select(SelectSyntax(sql, effort), in: nil).columns.map(\.origin)
        } catch {
            return nil
        }
    }

    // MARK: Statements

    private func select(
        _ syntax: SelectSyntax, in parent: Scope?, found: (([Column]) -> Void)? = nil
    ) throws(UnclearStatement) -> Rows {
        try effort.nested { () throws(UnclearStatement) in
            let scope = Scope(in: parent)
            for table in syntax.commonTables { scope.commonTables[table.name] = CommonTable(table) }
            var all: Rows?
            for arm in syntax.arms {
                let rows = try self.arm(arm, in: scope)
                let columns = all.map { Self.joined($0.columns, rows.columns) } ?? rows.columns
                all = Rows(columns: columns, conditions: (all?.conditions ?? .shown).and(rows.conditions))
                found?(columns)
            }
            return all ?? Rows()
        }
    }

    private func arm(_ arm: SelectSyntax.Arm, in parent: Scope) throws(UnclearStatement) -> Rows {
        let scope = Scope(in: parent)
        var conditions = try add(arm.from, to: scope, of: scope, outside: parent)
        var filter: ResultOrigin?
        if scope.sources.contains(where: \.isFunction) {
            // A condition may give an argument too, and an argument may be the value of another function.
            let read = try origin(of: arm.filter, in: scope)
            filter = read
            var given = conditions.and(read)
            for expression in scope.arguments { given = given.and(try origin(of: expression, in: scope)) }
            if given != .shown {
                scope.sources = try scope.sources.map { source throws(UnclearStatement) in
                    try self.source(source, and: given)
                }
            }
        }
        // A window may name only those before it.
        for (name, definition) in arm.windows { scope.windows[name] = try origin(of: definition, in: scope).computed }
        var columns: [Column] = []
        for result in arm.results {
            switch result {
            case .all: columns += Self.visible(scope.sources)
            case .allOf(let name): columns += Self.visible(scope.sources.filter { $0.name == name })
            case .expression(let expression, let name):
                columns.append(Column(name: name, origin: try origin(of: expression, in: scope)))
            }
        }
        try effort.take(columns.count + 1)
        for column in columns {
            scope.results[column.name] = scope.results[column.name]?.or(column.origin) ?? column.origin
        }
        if let filter {
            conditions = conditions.and(filter)
        } else {
            conditions = conditions.and(try origin(of: arm.filter, in: scope))
        }
        return Rows(columns: columns, conditions: conditions.and(try origin(of: arm.order, in: scope)))
    }

    /// A table-valued function gives what it computes from its arguments.
    private func source(_ source: Source, and given: ResultOrigin) throws(UnclearStatement) -> Source {
        guard source.isFunction else { return source }
        try effort.take(source.columns.count)
        let columns = source.columns.map {
            Column(name: $0.name, origin: $0.origin.and(given), isHidden: $0.isHidden)
        }
        return Source(source.name, columns, rowID: source.rowID?.and(given), isFunction: true)
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

    /// Adds the tables of FROM to the scope of a SELECT or of a join in it, and returns what their conditions read.
    private func add(
        _ items: [SelectSyntax.Item], to scope: Scope, of arm: Scope, outside: Scope
    ) throws(UnclearStatement) -> ResultOrigin {
        var conditions = ResultOrigin.shown
        for item in items {
            switch item.source {
            case .table(let name, let isQualified, let arguments):
                if let arguments { arm.arguments.append(arguments) }
                if !isQualified, arguments == nil, let (table, declared) = Self.commonTable(name, in: scope) {
                    let rows = try rows(of: table, in: declared)
                    scope.sources.append(Source(item.alias ?? name, try distinct(rows.columns)))
                    conditions = conditions.and(rows.conditions)
                } else {
                    let table = fileTable(name)
                    try effort.take(table.columns.count)
                    scope.sources.append(
                        Source(
                            item.alias ?? name, table.columns, rowID: table.rowID,
                            isFunction: table.isFunction || arguments != nil))
                }
            case .select(let syntax):
                let rows = try select(syntax, in: outside)
                scope.sources.append(Source(item.alias, try distinct(rows.columns)))
                conditions = conditions.and(rows.conditions)
            case .join(let items):
                let inner = Scope(in: scope)
                let read = try effort.nested { () throws(UnclearStatement) in
                    try add(items, to: inner, of: arm, outside: outside)
                }
                conditions = conditions.and(read)
                if let alias = item.alias {
                    let columns = try distinct(Self.visible(inner.sources))
                    scope.sources.append(
                        Source(alias, columns, isFunction: inner.sources.contains(where: \.isFunction)))
                } else {
                    scope.sources += inner.sources
                }
            }
        }
        for item in items {
            guard let condition = item.condition else { continue }
            conditions = conditions.and(try origin(of: condition, in: scope))
        }
        return conditions
    }

    private static func commonTable(_ name: String, in scope: Scope) -> (CommonTable, Scope)? {
        var outer: Scope? = scope
        while let next = outer {
            if let table = next.commonTables[name] { return (table, next) }
            outer = next.parent
        }
        return nil
    }

    private func fileTable(_ name: String) -> Source {
        if let known = tables[name] { return known }
        let classes = masked[name] ?? [:]
        func origin(_ column: String) -> ResultOrigin {
            classes[column].map { .masked($0, isComputed: false) } ?? .shown
        }
        let listed = columns(name)
        let key = listed.first { $0.isRowID }.map { origin($0.name.lowercased()) } ?? .shown
        let source = Source(
            name,
            listed.map { column in
                let name = column.name.lowercased()
                return Column(name: name, origin: origin(name), isHidden: column.isHidden)
            }, rowID: origin("rowid") == .shown ? key : origin("rowid"),
            isFunction: listed.contains(where: \.isHidden))
        tables[name] = source
        return source
    }

    /// The rows of a common table. A recursive one is read again until nothing is added.
    private func rows(of table: CommonTable, in scope: Scope) throws(UnclearStatement) -> Rows {
        if table.isOpen {
            table.isRecursive = true
            return Rows(columns: table.columns)
        }
        if let rows = table.rows { return rows }
        table.isOpen = true
        defer { table.isOpen = false }
        let names = table.syntax.columns
        var last: [ResultOrigin] = []
        while true {
            let known = last
            let found = try select(table.syntax.body, in: scope) { found in
                table.columns = found.enumerated().map { index, column in
                    let before = known.indices.contains(index) ? known[index] : .none
                    return Column(
                        name: names.indices.contains(index) ? names[index] : column.name,
                        origin: before.or(column.origin))
                }
            }
            last = table.columns.map(\.origin)
            if !table.isRecursive || last == known || last.isEmpty {
                let rows = Rows(columns: table.columns, conditions: found.conditions)
                table.rows = rows
                return rows
            }
        }
    }

    /// The columns of a subquery, with the names by which SQLite distinguishes equal ones: `a`, `a:1`.
    private func distinct(_ columns: [Column]) throws(UnclearStatement) -> [Column] {
        try effort.take(columns.count)
        var taken: [String: Int] = [:]
        return columns.map { column in
            var name = column.name
            while let number = taken[name] {
                taken[column.name, default: number] += 1
                name = "\(column.name):\(taken[column.name] ?? 0)"
            }
            taken[name] = 0
            return Column(name: name, origin: column.origin)
        }
    }

    // MARK: Expressions

    private func origin(of expression: SelectSyntax.Expression, in scope: Scope) throws(UnclearStatement)
        -> ResultOrigin
    {
        if expression.isBare {
            if let name = expression.names.first { return try origin(of: name, in: scope) }
            if let (syntax, _) = expression.subqueries.first {
                let rows = try select(syntax, in: scope)
                let value = rows.columns.first?.origin ?? .unclear
                return rows.conditions == .shown ? value : value.and(rows.conditions)
            }
        }
        var origin = ResultOrigin.shown
        for name in expression.names { origin = origin.and(try self.origin(of: name, in: scope)) }
        for window in expression.windows { origin = origin.and(scope.windows[window] ?? .unclear) }
        for (syntax, isExists) in expression.subqueries {
            let rows = try select(syntax, in: scope)
            origin = origin.and(rows.conditions)
            // EXISTS reads no column of the result.
            if !isExists { for column in rows.columns { origin = origin.and(column.origin) } }
        }
        return origin
    }

    private func origin(of name: SelectSyntax.Name, in scope: Scope) throws(UnclearStatement) -> ResultOrigin {
        var outer: Scope? = scope
        while let next = outer {
            try effort.take(next.sources.count + 1)
            var found = next.sources.compactMap { source in
                name.table == nil || source.name == name.table ? source[name.column] : nil
            }
            if name.table == nil, let result = next.results[name.column] { found.append(result) }
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
