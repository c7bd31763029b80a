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
        }
    }

    private func readStructure() throws -> DatabaseStructure {
        var result = DatabaseStructure()
        let kinds = try tableKinds()
        // An index can come before its table; each list is read once for all that need it.
        var lists: [String: [ListedIndex]] = [:]
        func list(of table: String) throws -> [ListedIndex] {
            if let known = lists[table] { return known }
            let list = try indexList(of: table)
            lists[table] = list
            return list
        }
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
                result.tables[name] = try tableStructure(name, sql, kinds[name], list(of: name))
            case "index" where kinds[table]?.type != "shadow":
                result.indexes[name] = try indexStructure(name, table, sql, list(of: table))
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
        _ name: String, _ sql: String, _ kind: TableKind?, _ indexes: [ListedIndex]
    ) throws -> TableStructure {
        if kind?.type == "virtual" {
            let columns = try tableColumns(name, CreateTableText(""))
            return TableStructure(columns: columns.all, virtualDefinition: try SQLText(sql))
        }
        let text = try CreateTableText(sql)
        let columns = try tableColumns(name, text)
        let (keys, uniques) = (try keyLists(of: "pk", in: indexes), try keyLists(of: "u", in: indexes))
        var options: [String] = []
        if text.isAutoincrement { options.append("AUTOINCREMENT") }
        if kind?.isStrict == true { options.append("STRICT") }
        if kind?.withoutRowID == true { options.append("WITHOUT ROWID") }
        var table = TableStructure(
            columns: columns.all, primaryKey: keys.first?.written ?? columns.primaryKey,
            unique: uniques.map(\.written), foreignKeys: try foreignKeys(name, text), checks: text.checks,
            options: options.sorted())
        table.primaryConflict = text.primaryConflict
        for key in uniques { table.uniqueConflicts[key.written] = text.uniqueConflict(key.names) }
        return table
    }

    private func tableColumns(
        _ table: String, _ text: CreateTableText
    ) throws -> (all: [ColumnStructure], primaryKey: [String]) {
        var all: [ColumnStructure] = []
        var key: [(position: Int, name: String)] = []
        for row in try rows("PRAGMA main.table_xinfo(\(identifier: table))") {
            let name: String = try row.get("name")
            let defaultText: String? = try row.get("dflt_value")
            let type: String = try row.get("type")
            let position: Int = try row.get("pk")
            if position > 0 { key.append((position, name)) }
            all.append(
                ColumnStructure(
                    name: name, type: type.uppercased(), notNull: try row.get("notnull"),
                    nullConflict: text.nullConflict(name),
                    defaultValue: try defaultText.map { try folded($0) }, collation: text.collations[name],
                    generated: text.generated[name], isStored: try row.get("hidden") == 3))
        }
        return (all, key.sorted { $0.position < $1.position }.map { SQLName.written($0.name) })
    }

    private func foreignKeys(_ table: String, _ text: CreateTableText) throws -> [ForeignKeyStructure] {
        var keys: [Int64: ForeignKeyStructure] = [:]
        for row in try rows("PRAGMA main.foreign_key_list(\(identifier: table))") {
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
        of origin: String, in indexes: [ListedIndex]
    ) throws -> [(written: [String], names: [String])] {
        try indexes.filter { $0.origin == origin }.map { index in
            let columns = try indexColumns(index.name, expressions: [])
            return (columns.map(\.written), columns.compactMap(\.name))
        }.sorted { $0.written.joined(separator: ",") < $1.written.joined(separator: ",") }
    }

    // MARK: Indexes

    /// An index as its table lists it.
    private struct ListedIndex {
        let name: String
        let isUnique: Bool
        let origin: String
    }

    private func indexList(of table: String) throws -> [ListedIndex] {
        try rows("PRAGMA main.index_list(\(identifier: table))").map {
            ListedIndex(name: try $0.get("name"), isUnique: try $0.get("unique"), origin: try $0.get("origin"))
        }
    }

    private func indexStructure(
        _ name: String, _ table: String, _ sql: String, _ indexes: [ListedIndex]
    ) throws -> IndexStructure {
        let definition = try SQLDefinition(sql)
        let condition = definition.tail.drop { !definition.lexer.isWord($0, "WHERE") }.dropFirst()
        return IndexStructure(
            table: table,
            columns: try indexColumns(name, expressions: definition.items.map(definition.folded)).map(\.written),
            unique: indexes.contains { $0.name == name && $0.isUnique },
            condition: condition.isEmpty ? nil : definition.text(condition))
    }

    /// The columns of an index as they are written, with their names; an expression has none.
    private func indexColumns(
        _ index: String, expressions: [String]
    ) throws -> [(written: String, name: String?)] {
        var columns: [(written: String, name: String?)] = []
        for row in try rows("PRAGMA main.index_xinfo(\(identifier: index))") where try row.get("key") {
            let name: String? = try row.get("name")
            guard let name else {
                columns.append((columns.count < expressions.count ? expressions[columns.count] : "?", nil))
                continue
            }
            let collation: String? = try row.get("coll")
            let isDescending: Bool = try row.get("desc")
            let order = isDescending ? " DESC" : ""
            let written = SQLName.written(name) + (collation.map { $0 == "BINARY" ? "" : " COLLATE \($0)" } ?? "")
            columns.append((written + order, name))
        }
        return columns
    }

    /// Names in a schema may hold control characters, which are shown escaped and not refused.
    private func folded(_ sql: String) throws(SQLTextError) -> String {
        try SQLLexer.folded(sql, refusesControls: false)
    }

    private func rows(_ query: Query) throws -> [ResultRow] {
        try SQLiteTransaction(database: database).rows(query)
    }
}
