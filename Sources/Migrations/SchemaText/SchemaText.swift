public import ChatDBEngine
import ChatDBSchema

/// The canonical SQL text of a schema: equal schemas have equal texts, with any history. Functions come first, then
/// tables with one column or constraint per line, then indexes, triggers and views, each kind sorted by name. Names are
/// as they were written, quoted where necessary.
public enum SchemaText {
    /// The schema of a history, built in memory.
    public static func sql(of migrations: [Migration], engine: any StorageEngine) throws -> String {
        sql(of: try structure(of: migrations, engine: engine))
    }

    /// The structure of a history's schema. The one of this build's own migrations for SQLite is made from its text in
    /// `migrations/newest`, which takes less time than the migrations.
    package static func structure(of migrations: [Migration], engine: any StorageEngine) throws -> DatabaseStructure {
        guard let sql = NewestSchema.sql(after: migrations) else {
            return try VersionSchemas(engine: engine).structure(after: migrations)
        }
        return try structure(of: sql, engine: engine)
    }

    /// The structure that a text of this form creates.
    static func structure(of sql: String, engine: any StorageEngine) throws -> DatabaseStructure {
        let connection = try engine.scratch()
        defer { connection.close() }
        try connection.begin()
        for statement in try SQLStatements.split(sql) { try connection.run(.unchecked(sql: statement.text)) }
        return try connection.structure()
    }

    /// The structure of chatdb's internal tables in either database.
    package static func ledger(engine: any StorageEngine) throws -> DatabaseStructure {
        let connection = try engine.scratch()
        defer { connection.close() }
        try connection.begin()
        try Ledger.create(in: connection)
        return try connection.structure()
    }

    /// The SQL that creates a structure.
    package static func sql(of structure: DatabaseStructure) -> String {
        // Defaults and triggers call functions.
        var statements = structure.functions.sorted { $0.key < $1.key }.map { $0.value.shown + ";" }
        statements += structure.tables.sorted { $0.key < $1.key }.map { table($0.key, $0.value) }
        statements += structure.indexes.sorted { $0.key < $1.key }.map { index($0.key, $0.value) }
        // A trigger may belong to a view.
        statements += structure.views.sorted { $0.key < $1.key }.map { $0.value.shown + ";" }
        statements += structure.triggers.sorted { $0.key < $1.key }.map { $0.value.text.shown + ";" }
        return statements.joined(separator: "\n\n") + "\n"
    }

    private static func table(_ name: String, _ table: TableStructure) -> String {
        if let definition = table.virtualDefinition { return definition.shown + ";" }
        var lines = table.columns.map(\.summary)
        var keys = table.keys
        if let key = ownKey(of: table) {
            let column = key.column
            lines[column] += " PRIMARY KEY\(key.isDescending ? " DESC" : "")" + conflictClause(table.primaryConflict)
            if table.options.contains("AUTOINCREMENT") { lines[column] += " AUTOINCREMENT" }
            keys.removeFirst()
        }
        let options = table.options.filter { $0 != "AUTOINCREMENT" }.joined(separator: ", ")
        let body = (lines + keys).map { "    " + $0 }.joined(separator: ",\n")
        return "CREATE TABLE \(SQLName.written(name)) (\n\(body)\n)\(options.isEmpty ? "" : " " + options);"
    }

    /// The position of the column that is the whole primary key, without an order or collation.
    ///
    /// It is also the position of an INTEGER column with a key in descending order, in a table with row IDs. SQLite has
    /// this key only if `DESC` stands at the column: behind the columns, `PRIMARY KEY (id DESC)` would make the column
    /// another name of the row ID, in another table.
    private static func ownKey(of table: TableStructure) -> (column: Int, isDescending: Bool)? {
        guard table.primaryKey.count == 1, let key = table.primaryKey.first else { return nil }
        if let column = table.columns.firstIndex(where: { SQLName.written($0.name) == key }) { return (column, false) }
        guard key.hasSuffix(" DESC"), !table.options.contains("WITHOUT ROWID") else { return nil }
        let descending = table.columns.firstIndex { column in
            let name = SQLName.written(column.name)
            return column.type == "INTEGER" && (key == "\(name) DESC" || key.hasPrefix("\(name) COLLATE "))
        }
        return descending.map { ($0, true) }
    }

    static func index(_ name: String, _ index: IndexStructure) -> String {
        "CREATE \(index.unique ? "UNIQUE " : "")INDEX \(SQLName.written(name)) ON \(SQLName.written(index.table)) "
            + "\(index.definition);"
    }
}
