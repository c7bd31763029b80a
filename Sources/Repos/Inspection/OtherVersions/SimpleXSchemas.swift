package import ChatDBEngine
package import ChatDBSchema
import ChatDBSimplexFiles
import Foundation

/// What is known of the schemas of SimpleX Chat's databases: at some dates the columns of the tables that chatdb reads,
/// and all triggers.
package struct SimpleXSchemas: Sendable {
    /// The tables of one date, with their columns.
    package struct Described: Sendable {
        package let date: String
        package let tables: [String: Set<String>]

        /// `2026-02-22`.
        var day: String { "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.suffix(2))" }
    }

    /// A trigger of the app.
    package struct Trigger: Sendable, Hashable, Decodable {
        package let name: String
        /// The table whose changes it counts.
        package let table: String
        /// The date of the migration that creates it.
        package let since: String
    }

    /// The described versions, the oldest first.
    package let described: [DatabaseName: [Described]]
    /// The triggers of all versions, by name.
    package let triggers: [DatabaseName: [Trigger]]

    /// What this build knows, read once.
    package static let known = Result { try SimpleXSchemas(json: text) }

    private static let text = EmbeddedFiles.all.first { $0.path == "schema.json" }?.content ?? ""

    private struct File: Decodable {
        struct Version: Decodable {
            let date: String
            /// The tables that differ from the date before, with their columns; null for a table that was dropped.
            let tables: [String: String?]
        }

        let triggers: [String: [Trigger]]
        let versions: [String: [Version]]
    }

    private init(described: [DatabaseName: [Described]], triggers: [DatabaseName: [Trigger]]) {
        (self.described, self.triggers) = (described, triggers)
    }

    init(json: String) throws {
        let file = try JSONDecoder().decode(File.self, from: Data(json.utf8))
        var described: [DatabaseName: [Described]] = [:]
        var triggers: [DatabaseName: [Trigger]] = [:]
        for database in DatabaseName.allCases {
            var tables: [String: Set<String>] = [:]
            described[database] = (file.versions[database.rawValue] ?? []).map { version in
                for (name, columns) in version.tables {
                    tables[name] = columns.map { Set($0.split(separator: " ").map(String.init)) }
                }
                return Described(date: version.date, tables: tables)
            }
            triggers[database] = file.triggers[database.rawValue]
        }
        self.init(described: described, triggers: triggers)
    }

    /// What is known of the databases on a server. Their triggers are others, which chatdb does not know.
    package var onServer: SimpleXSchemas {
        SimpleXSchemas(
            described: described.mapValues { versions in
                versions.map { version in
                    Described(date: version.date, tables: version.tables.filter { !Self.onlyInFiles.contains($0.key) })
                }
            }, triggers: [:])
    }

    /// Tables that a server has as functions.
    private static let onlyInFiles: Set<String> = ["group_member_status_predicates"]

    /// Whether a version has a table of this name.
    package func hasTable(_ name: String, in database: DatabaseName) -> Bool {
        (described[database] ?? []).contains { $0.tables[name] != nil }
    }

    /// The date of the newest described version whose tables and columns a file has all, `2026-09-24`, perhaps without
    /// the list of migrations. It is nil if the file lacks something of each version.
    package func newest(within structure: DatabaseStructure, in database: DatabaseName) -> String? {
        (described[database] ?? []).last { version in
            !version.tables.isEmpty
                && version.tables.allSatisfy { table, columns in
                    table == "migrations" || structure.tables[table]?.columnNames.isSuperset(of: columns) == true
                }
        }?.day
    }

    /// The described versions between which a version lies: the last one that is not newer, and the first one that is
    /// not older. The answer is nil if the version is older or newer than all described ones.
    func neighbours(of date: String, in database: DatabaseName) -> (Described, Described)? {
        let all = described[database] ?? []
        guard let lower = all.last(where: { $0.date <= date }), let upper = all.first(where: { $0.date >= date })
        else { return nil }
        return (lower, upper)
    }
}
