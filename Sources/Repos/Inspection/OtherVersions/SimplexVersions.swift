package import ChatDBEngine
package import ChatDBSchema
import ChatDBSimplexFiles
import Foundation

/// What chatdb knows of the versions of SimpleX Chat's databases: the names of all migrations, and for some dates the
/// columns of the tables that chatdb reads.
package struct SimplexVersions: Sendable {
    /// The tables of one date, with their columns.
    package struct Described: Sendable {
        package let date: String
        package let tables: [String: Set<String>]
    }

    /// The names of the migrations without the `m` of the agent's, in their order.
    package let migrations: [DatabaseName: [String]]
    /// The described versions, the oldest first.
    package let described: [DatabaseName: [Described]]

    /// What this build knows, read once.
    package static let known = Result { try SimplexVersions(json: text) }

    private static let text = EmbeddedFiles.all.first { $0.path == "schema.json" }?.content ?? ""

    private struct File: Decodable {
        struct Version: Decodable {
            let date: String
            /// The tables that differ from the date before, with their columns; null for a table that was dropped.
            let tables: [String: String?]
        }

        let migrations: [String: [String]]
        let versions: [String: [Version]]
    }

    init(json: String) throws {
        let file = try JSONDecoder().decode(File.self, from: Data(json.utf8))
        var migrations: [DatabaseName: [String]] = [:]
        var described: [DatabaseName: [Described]] = [:]
        for database in DatabaseName.allCases {
            migrations[database] = (file.migrations[database.rawValue] ?? []).map(Self.plain)
            var tables: [String: Set<String>] = [:]
            described[database] = (file.versions[database.rawValue] ?? []).map { version in
                for (name, columns) in version.tables {
                    tables[name] = columns.map { Set($0.split(separator: " ").map(String.init)) }
                }
                return Described(date: version.date, tables: tables)
            }
        }
        (self.migrations, self.described) = (migrations, described)
    }

    /// The name of a migration without the `m` that the agent's have since the middle of 2022.
    private static func plain(_ name: String) -> String { name.hasPrefix("m2") ? String(name.dropFirst()) : name }

    /// The described versions between which a version lies: the last one that is not newer, and the first one that is
    /// not older. It is nil if the version is older or newer than all described ones.
    func neighbours(of date: String, in database: DatabaseName) -> (Described, Described)? {
        let all = described[database] ?? []
        guard let lower = all.last(where: { $0.date <= date }), let upper = all.first(where: { $0.date >= date })
        else { return nil }
        return (lower, upper)
    }
}

extension SimplexVersions {
    /// The number of days by which the newest migration of one database may be older than that of the other. The
    /// largest number in the described stores is 74.
    private static let longestLag = 365

    /// The reason why no release had the two versions together, a clause. It is nil if a release may have had both.
    ///
    /// A release has the newest migrations of both databases at its date. If the successor of one version was more than
    /// a year old when the other version was made, no release had both.
    ///
    /// - Parameters:
    ///   - chat: the last migration of the chat database that this build knows.
    ///   - agent: the last migration of the agent database that this build knows.
    package func disagreement(chat: String, agent: String) -> String? {
        let names = [DatabaseName.chat: chat, .agent: agent]
        for (old, new) in [(DatabaseName.chat, DatabaseName.agent), (.agent, .chat)] {
            guard let last = names[old].map(Self.plain), let other = names[new].map(Self.plain),
                let next = migrations[old]?.first(where: { $0 > last }), let known = Self.day(of: next),
                let made = Self.day(of: other), made - known > Self.longestLag
            else { continue }
            return "versions: no release had \(old) \(Self.date(of: last)) and \(new) \(Self.date(of: other)) together"
        }
        return nil
    }

    /// The day on which a migration was made, as a number of days since a fixed one. It is nil for a name without a
    /// date.
    private static func day(of name: String) -> Int? {
        StoredTime(text: "\(date(of: name)) 00:00:00").map { Int($0.microseconds / 86_400_000_000) }
    }

    /// `2026-07-20`.
    private static func date(of name: String) -> String {
        "\(name.prefix(4))-\(name.dropFirst(4).prefix(2))-\(name.dropFirst(6).prefix(2))"
    }
}

/// How the schema of a database of SimpleX Chat differs from what is known of its version.
package struct SimplexDrift: Sendable, Hashable {
    /// Tables and columns that the file lacks, as `missing column users.agent_user_id`, sorted.
    package let missing: [String]
    /// Tables, columns and triggers that the version does not have, sorted.
    package let extra: [String]

    /// Compares only what is known. Tables that chatdb does not read are not described, so an unknown table is a
    /// difference only if it cannot be SimpleX Chat's. In a version between two described ones, a difference is what
    /// neither of the two explains. Answers nil for a version that is older or newer than all described ones.
    ///
    /// - Parameter version: the last migration of the database that this build knows.
    package init?(
        of structure: DatabaseStructure, in database: DatabaseName, version: String,
        by versions: SimplexVersions
    ) {
        guard let (lower, upper) = versions.neighbours(of: String(version.prefix(8)), in: database) else { return nil }
        let both = [lower.tables, upper.tables]
        let later = (versions.described[database] ?? []).filter { $0.date > upper.date }
        var (missing, extra): ([String], [String]) = ([], [])
        for (table, columns) in lower.tables {
            guard let other = upper.tables[table] else { continue }
            guard let found = structure.tables[table] else {
                missing.append("missing table \(table)")
                continue
            }
            missing += columns.intersection(other).subtracting(found.columnNames).map {
                "missing column \(table).\($0)"
            }
        }
        for (table, found) in structure.tables {
            let known = both.compactMap { $0[table] }
            if known.isEmpty {
                if let first = later.first(where: { $0.tables[table] != nil }) {
                    extra.append("extra table \(table), known since \(first.day)")
                } else if Self.isForeign(table) {
                    extra.append("extra table \(table)")
                }
                continue
            }
            let columns = known.reduce(into: Set<String>()) { $0.formUnion($1) }
            extra += found.columnNames.subtracting(columns).map { "extra column \(table).\($0)" }
        }
        extra += structure.triggers.filter { !Self.isKnown($0.value, in: database) }
            .map { "extra trigger \($0.key) on \($0.value.table)" }
        (self.missing, self.extra) = (missing.sorted(), extra.sorted())
    }

    /// Whether a table is chatdb's, or one that tools for SQLite leave in a database that they have changed or
    /// recovered.
    private static func isForeign(_ table: String) -> Bool {
        ["store", "preset_choices", "chat_items_fts"].contains(table)
            || ["lost_and_found", "sqlb_temp_table_", "sqlitestudio_temp_table"].contains(where: table.hasPrefix)
    }

    /// Whether a trigger may be SimpleX Chat's. Its triggers count the members of groups and the queues of the agent's
    /// services, and none of them refuses a statement.
    private static func isKnown(_ trigger: TriggerStructure, in database: DatabaseName) -> Bool {
        trigger.table == (database == .chat ? "group_members" : "rcv_queues")
            && !trigger.text.folded.contains("RAISE")
    }
}

extension SimplexVersions.Described {
    /// `2026-02-22`.
    fileprivate var day: String { "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.suffix(2))" }
}
