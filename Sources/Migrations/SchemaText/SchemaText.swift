public import Engine
import Schema

/// One canonical SQL text for a schema: the same schema gives the same text, however it came about. Tables with a column
/// or constraint on each line, then indexes, triggers and views, each kind sorted by name.
public enum SchemaText {
    /// The schema a history leads to, made in memory.
    public static func sql(of migrations: [Migration], engine: any StorageEngine) throws -> String {
        sql(of: try structure(of: migrations, engine: engine))
    }

    /// The schema a history leads to, by structure.
    package static func structure(of migrations: [Migration], engine: any StorageEngine) throws -> DatabaseStructure {
        do {
            return try VersionSchemas(migrations, engine: engine).structure(after: migrations.count)
        } catch let failure as StatementFailure {
            throw failure.cause
        }
    }

    /// A structure as SQL that would make it.
    package static func sql(of structure: DatabaseStructure) -> String {
        var statements = structure.tables.sorted { $0.key < $1.key }.map { table($0.key, $0.value) }
        statements += structure.indexes.sorted { $0.key < $1.key }.map { index($0.key, $0.value) }
        statements += structure.triggers.sorted { $0.key < $1.key }.map { readable($0.value.text) + ";" }
        statements += structure.views.sorted { $0.key < $1.key }.map { readable($0.value) + ";" }
        return statements.joined(separator: "\n\n") + "\n"
    }

    private static func table(_ name: String, _ table: TableStructure) -> String {
        if let definition = table.virtualDefinition { return readable(definition) + ";" }
        var lines = table.columns.map(line)
        if !table.primaryKey.isEmpty {
            let isNumbered = table.options.contains("AUTOINCREMENT")
            if let first = lines.firstIndex(where: { $0.hasPrefix("\(table.primaryKey[0]) ") }),
                table.primaryKey.count == 1
            {
                lines[first] += isNumbered ? " PRIMARY KEY AUTOINCREMENT" : " PRIMARY KEY"
            } else {
                lines.append("PRIMARY KEY (\(table.primaryKey.joined(separator: ", ")))")
            }
        }
        lines += table.unique.map { "UNIQUE (\($0.joined(separator: ", ")))" }
        lines += table.foreignKeys.map(\.summary)
        lines += table.checks.map { "CHECK (\(readable($0)))" }
        let options = table.options.filter { $0 != "AUTOINCREMENT" }.joined(separator: ", ")
        let body = lines.map { "    " + $0 }.joined(separator: ",\n")
        return "CREATE TABLE \(name) (\n\(body)\n)\(options.isEmpty ? "" : " " + options);"
    }

    private static func index(_ name: String, _ index: IndexStructure) -> String {
        let condition = index.condition.map { " WHERE \(readable($0))" } ?? ""
        return "CREATE \(index.unique ? "UNIQUE " : "")INDEX \(name) ON \(index.table) "
            + "(\(index.columns.joined(separator: ", ")))\(condition);"
    }

    private static func line(_ column: ColumnStructure) -> String {
        var column = column
        column.defaultValue = column.defaultValue.map(readable)
        column.generated = column.generated.map(readable)
        return column.summary
    }

    /// Text that was read from a schema is well formed; if it were not, it would be shown as it is.
    private static func readable(_ text: String) -> String {
        (try? SQLLexer.readable(text)) ?? text
    }
}
