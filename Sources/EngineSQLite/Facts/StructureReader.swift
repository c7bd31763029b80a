import ChatDBEngine
import GRDB

/// Reads a database's schema by structure. It is the schema of the file: temporary views that hide tables are ignored.
struct StructureReader {
    let database: Database

    /// Tables, indexes, triggers and views. Throws `damaged` for a definition that is not SQL text.
    func structure() throws -> DatabaseStructure {
        do {
            return try readStructure()
        } catch let error as SQLTextError {
            throw StoreError(.damaged, "a definition in the schema cannot be read: \(error.reason)")
        } catch let error as StoreError where error.kind == .denied {
            // SQLite's own message is only "not authorized".
            guard let module = try writingModule() else { throw error }
            throw StoreError(.denied, "it has \(module.table)", engineCode: error.engineCode)
        }
    }

    /// The module of a virtual table that a hardened connection cannot open; nil without one.
    private func writingModule() throws -> WritingModule? {
        let tables = try rows("SELECT sql FROM sqlite_master WHERE type = 'table' AND rootpage = 0 ORDER BY name")
        for table in tables {
            let sql: String = try table.get("sql")
            let words = sql.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            guard let using = words.firstIndex(of: "using"), using + 1 < words.count else { continue }
            if let module = WritingModule(rawValue: String(words[using + 1])) { return module }
        }
        return nil
    }

    private func readStructure() throws -> DatabaseStructure {
        var result = DatabaseStructure()
        let kinds = try tableKinds()
        let parts = try PartsOfSchema(rows)
        let objects: Query = """
            SELECT type, name, tbl_name, sql FROM sqlite_master
            WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql IS NOT NULL ORDER BY name
            """
        for row in try rows(objects) {
            let name: String = try row.get("name")
            let table: String = try row.get("tbl_name")
            let sql: String = try row.get("sql")
            switch try row.get("type") as String {
            case "table" where kinds[name]?.type != "shadow":
                result.tables[name] = try tableStructure(name, sql, kinds[name], parts)
            case "index" where kinds[table]?.type != "shadow":
                result.indexes[name] = try indexStructure(name, table, sql, parts)
            case "trigger":
                result.triggers[name] = TriggerStructure(table: table, text: try SQLText(sql))
            case "view":
                result.views[name] = try SQLText(sql)
            default:
                break
            }
        }
        return result
    }

    // MARK: Tables

    private struct TableKind {
        let type: String
        let withoutRowID: Bool
        let isStrict: Bool
    }

    private func tableKinds() throws -> [String: TableKind] {
        var kinds: [String: TableKind] = [:]
        let listed = try TableList.read(of: database) { try rows("PRAGMA table_list") }
        for row in listed where try row.get("schema") as String == "main" {
            kinds[try row.get("name")] = TableKind(
                type: try row.get("type"), withoutRowID: try row.get("wr"), isStrict: try row.get("strict"))
        }
        return kinds
    }

    private func tableStructure(
        _ name: String, _ sql: String, _ kind: TableKind?, _ parts: PartsOfSchema
    ) throws -> TableStructure {
        if kind?.type == "virtual" {
            let columns = try tableColumns(parts.columns[name] ?? [], CreateTableText(""))
            return TableStructure(columns: columns.all, virtualDefinition: try Self.virtualDefinition(sql))
        }
        let text = try CreateTableText(sql)
        let columns = try tableColumns(parts.columns[name] ?? [], text)
        let (keys, uniques) = (try keyLists(of: "pk", on: name, parts), try keyLists(of: "u", on: name, parts))
        var options: [String] = []
        if text.isAutoincrement { options.append("AUTOINCREMENT") }
        if kind?.isStrict == true { options.append("STRICT") }
        if kind?.withoutRowID == true { options.append("WITHOUT ROWID") }
        var table = TableStructure(
            columns: columns.all, primaryKey: keys.first?.written ?? columns.primaryKey,
            unique: uniques.map(\.written), foreignKeys: try foreignKeys(parts.foreignKeys[name] ?? [], text),
            checks: text.checks,
            options: options.sorted())
        table.primaryConflict = text.primaryConflict
        for key in uniques { table.uniqueConflicts[key.written] = text.uniqueConflict(key.names) }
        return table
    }

    /// The text of a virtual table, as it is written: its module reads the arguments as it likes. Control characters are
    /// shown escaped.
    private static func virtualDefinition(_ sql: String) throws(SQLTextError) -> SQLText {
        let text = try SQLText(sql)
        let isPlain = sql.utf8.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
        return isPlain ? SQLText(folded: text.folded, shown: sql) : text
    }

    private func tableColumns(
        _ rows: [ResultRow], _ text: CreateTableText
    ) throws -> (all: [ColumnStructure], primaryKey: [String]) {
        var all: [ColumnStructure] = []
        var key: [(position: Int, name: String)] = []
        for row in rows {
            let name: String = try row.get("name")
            let defaultText: String? = try row.get("dflt_value")
            let type: String = try row.get("type")
            let position: Int = try row.get("pk")
            if position > 0 { key.append((position, name)) }
            all.append(
                ColumnStructure(
                    name: name, type: type.uppercased(), notNull: try row.get("notnull"),
                    nullConflict: text.nullConflict(name),
                    defaultValue: try defaultText.map { try defaultValue($0) }, collation: text.collations[name],
                    generated: text.generated[name], isStored: try row.get("hidden") == 3))
        }
        return (all, key.sorted { $0.position < $1.position }.map { SQLName.written($0.name) })
    }

    private func foreignKeys(_ rows: [ResultRow], _ text: CreateTableText) throws -> [ForeignKeyStructure] {
        var keys: [Int64: ForeignKeyStructure] = [:]
        for row in rows {
            let id: Int64 = try row.get("id")
            var key =
                try keys[id]
                ?? ForeignKeyStructure(
                    columns: [], parent: row.get("table"), parentColumns: [], onDelete: row.get("on_delete"),
                    onUpdate: row.get("on_update"), deferred: false)
            key.columns.append(try row.get("from"))
            let parentColumn: String? = try row.get("to")
            if let parentColumn { key.parentColumns.append(parentColumn) }
            keys[id] = key
        }
        return keys.values.map { key in
            var key = key
            key.deferred = text.isDeferred(key.columns)
            return key
        }.sorted { ($0.columns.joined(separator: ","), $0.parent) < ($1.columns.joined(separator: ","), $1.parent) }
    }

    /// The columns of each key for which UNIQUE (`u`) or PRIMARY KEY (`pk`) made an index. An INTEGER PRIMARY KEY has
    /// no index.
    private func keyLists(
        of origin: String, on table: String, _ parts: PartsOfSchema
    ) throws -> [(written: [String], names: [String])] {
        try (parts.keys[table] ?? []).filter { try $0[0].get("origin") == origin }.map { rows in
            let columns = try indexColumns(rows, expressions: [])
            return (columns.map(\.written), columns.compactMap(\.name))
        }.sorted { $0.written.joined(separator: ",") < $1.written.joined(separator: ",") }
    }

    // MARK: Indexes

    private func indexStructure(
        _ name: String, _ table: String, _ sql: String, _ parts: PartsOfSchema
    ) throws -> IndexStructure {
        let definition = try SQLDefinition(sql)
        let condition = definition.tail.drop { !definition.lexer.isWord($0, "WHERE") }.dropFirst()
        let rows = parts.indexColumns[name] ?? []
        let columns = try indexColumns(rows, expressions: definition.items.map { definition.text($0) })
        var index = IndexStructure(
            table: table, columns: columns.map(\.written),
            unique: try rows.contains { try $0.get("unique") },
            condition: condition.isEmpty ? nil : definition.text(condition))
        for (place, column) in columns.enumerated() { index.expressions[place] = column.expression }
        return index
    }

    /// A column of an index.
    private struct IndexColumn {
        /// As SQL writes it, in the form that is compared.
        let written: String
        /// Its name; nil for an expression.
        var name: String?
        /// The expression with names as they were written; nil for a name.
        var expression: String?
    }

    private func indexColumns(_ rows: [ResultRow], expressions: [SQLText]) throws -> [IndexColumn] {
        var columns: [IndexColumn] = []
        for row in rows {
            let name: String? = try row.get("name")
            guard let name else {
                let text = columns.count < expressions.count ? expressions[columns.count] : nil
                columns.append(IndexColumn(written: text?.folded ?? "?", expression: text?.shown))
                continue
            }
            let collation: String? = try row.get("coll")
            let isDescending: Bool = try row.get("desc")
            let order = isDescending ? " DESC" : ""
            let written = SQLName.written(name) + (collation.map { $0 == "BINARY" ? "" : " COLLATE \($0)" } ?? "")
            columns.append(IndexColumn(written: written + order, name: name))
        }
        return columns
    }

    /// A default in the form that is compared. SQLite takes a name for a text there, whose case counts: `"Open"` and
    /// `Open` are `'Open'`. Names in a schema may hold control characters, which are shown escaped and not refused.
    private func defaultValue(_ sql: String) throws(SQLTextError) -> String {
        var lexer = SQLLexer(sql, refusesControls: false)
        if let token = try lexer.nextSignificant(), try lexer.nextSignificant() == nil, token.kind != .string,
            !Self.constants.contains(where: { lexer.isWord(token, $0) }), let name = lexer.name(of: token)
        {
            let quote = UInt8(ascii: "'")
            return "'" + String(decoding: name.utf8.flatMap { $0 == quote ? [$0, $0] : [$0] }, as: UTF8.self) + "'"
        }
        return try SQLLexer.folded(sql, refusesControls: false)
    }

    private static let constants = ["NULL", "TRUE", "FALSE", "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"]

    private func rows(_ query: Query) throws -> [ResultRow] {
        try SQLiteTransaction(database: database).rows(query)
    }
}

/// What SQLite lists of each table and index, by the name of its owner. Each list is read with one statement: one for
/// each table and index would be several hundred statements for each database.
private struct PartsOfSchema {
    /// By table.
    let columns: [String: [ResultRow]]
    /// By table.
    let foreignKeys: [String: [ResultRow]]
    /// By index, those of constraints too. The schema does not list the primary key of a table without row ids; the list
    /// of indexes does.
    let indexColumns: [String: [ResultRow]]
    /// The columns of each index that a constraint made, by table.
    let keys: [String: [[ResultRow]]]

    init(_ rows: (Query) throws -> [ResultRow]) throws {
        func byOwner(_ query: Query) throws -> [String: [ResultRow]] {
            try Dictionary(grouping: rows(query)) { try $0.get("owner") as String }
        }
        columns = try byOwner(
            """
            SELECT m.name AS owner, x.* FROM main.sqlite_master AS m CROSS JOIN pragma_table_xinfo(m.name, 'main') AS x
            WHERE m.type = 'table'
            """)
        foreignKeys = try byOwner(
            """
            SELECT m.name AS owner, x.* FROM main.sqlite_master AS m
            CROSS JOIN pragma_foreign_key_list(m.name, 'main') AS x WHERE m.type = 'table'
            """)
        indexColumns = try byOwner(
            """
            SELECT l.name AS owner, m.name AS table_name, l.origin, l."unique", x.name, x.coll, x."desc"
            FROM main.sqlite_master AS m CROSS JOIN pragma_index_list(m.name, 'main') AS l
            CROSS JOIN pragma_index_xinfo(l.name, 'main') AS x WHERE m.type = 'table' AND x."key" = 1
            """)
        keys = try Dictionary(grouping: indexColumns.values.filter { try $0[0].get("origin") as String != "c" }) {
            try $0[0].get("table_name") as String
        }
    }
}

/// A module of virtual tables that prepares statements to write when SQLite opens one of its tables. A hardened
/// connection permits no such statement, so chatdb could not read a database with such a table.
enum WritingModule: String, CaseIterable {
    case rtree
    case rtreeInt32 = "rtree_i32"
    case geopoly

    /// A table of the module, with the reason why chatdb cannot open it.
    var table: String { "a table of the module \(rawValue), \(StoreError.writingModule)" }
}
