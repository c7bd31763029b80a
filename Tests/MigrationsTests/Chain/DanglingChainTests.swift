import ChatDBKit
import TestKit
import Testing

@testable import ChatDBMigrations

/// M10 on this build's chain: dangling references from before, in every table with references, do not stop a run.
@Suite struct DanglingChainTests {
    private static let starts: [(DatabaseName, String)] = [
        (.chat, "20250317_many_profiles"), (.chat, "20250707_operators"), (.chat, "20250818_chat_tags_and_notes"),
        (.chat, "20260504_relay_address_key"), (.agent, "20250318_agent_notifications"),
        (.agent, "20250527_agent_users"),
    ]

    @Test(
        "with a dangling reference in each table, whose row numbers have gaps",
        arguments: FaultSample.everyIfTortured(else: 3).pick(starts))
    func goesUp(_ database: DatabaseName, _ version: String) throws {
        let store = try SyntheticStore()
        let build = try MigrationSource.build.load()
        _ = try store.migrator(build) { $0.target = .up(to: version) }.run()
        let (filled, count) = try fill(store.location.path(of: database))
        #expect(filled > 3 && count > 3, "\(filled) tables, \(count) references")
        do {
            let report = try store.migrator(build).run()
            #expect(report.findings[database]?.danglingReferences == count)
        } catch let failure as MigrationFailure {
            Issue.record("\(failure.error.message)")
        }
    }

    /// Inserts two dangling rows into each table with references, as far as its checks permit, and deletes the first of
    /// them. Returns the number of tables that have one, and of dangling references.
    private func fill(_ path: String) throws -> (tables: Int, references: Int) {
        let connection = try SQLiteEngine().openForMigration(path, creating: false)
        defer { connection.close() }
        try connection.begin()
        var filled = 0
        for (name, table) in try connection.structure().tables.sorted(by: { $0.key < $1.key })
        where !table.foreignKeys.isEmpty && table.virtualDefinition == nil {
            let referring = Set(table.foreignKeys.flatMap(\.columns))
            let columns = table.columns.filter { column in
                column.generated == nil
                    && (referring.contains(column.name) || column.notNull && column.defaultValue == nil)
            }
            let rows = (1...2).map { row in
                columns.map { value($0, in: table, row) }.joined(separator: ", ")
            }
            let names = columns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
            let quoted = SQLName.quoted(name)
            guard
                (try? connection.run(
                    .unchecked(sql: "INSERT INTO \(quoted) (\(names)) VALUES (\(rows[0])), (\(rows[1]))"))) != nil
            else { continue }
            if !table.options.contains("WITHOUT ROWID") {
                try connection.run(
                    .unchecked(sql: "DELETE FROM \(quoted) WHERE rowid = (SELECT min(rowid) FROM \(quoted))"))
            }
            filled += 1
        }
        let references = try connection.danglingReferences(touching: nil).values.reduce(0, +)
        try connection.commit()
        return (filled, references)
    }

    private func value(_ column: ColumnStructure, in table: TableStructure, _ row: Int) -> String {
        // The first text in a check on the column is a permitted value.
        let name = column.name.uppercased()
        let checks = table.checks.map(\.folded)
        if let check = checks.first(where: { $0.contains(name) && $0.contains("'") }) {
            return "'\(check.split(separator: "'", omittingEmptySubsequences: false)[1])'"
        }
        switch column.type {
        case "INTEGER": return "\(checks.contains { $0.contains(name) } ? row % 2 : 9000 + row)"
        case "REAL": return "\(row).5"
        case "BLOB": return "x'0\(row)'"
        default: return "'value \(row)'"
        }
    }
}
