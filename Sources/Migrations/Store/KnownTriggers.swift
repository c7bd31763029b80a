import ChatDBEngine
import ChatDBSchema
import Crypto

/// Whether a store has other triggers than its version: they would run with whatever is written.
/// Rule: docs/migrations.md, "Drift".
enum KnownTriggers {
    /// The triggers of the newest version, so that a store is opened without making that version's schema. A test says
    /// when they are out of date; a store is then only opened more slowly.
    static let newest: [DatabaseName: (version: String, hashes: Set<String>)] = [
        .chat: (
            "20260907_list_indexes",
            [
                "1ab08e36e1596a6a82cec5b4940cd9245cebe134edcd5d334320a16ad9d74e12",
                "d54f80be43fa40b73a4a9892926a2cc7322ecf7cf27dd591aed23d139faf6944",
                "eaf02f81d42aeb646f4c78e4210670b24f6a4323c16b4e6a9dfeec842742c1b4",
            ]
        ),
        .agent: ("20260820_agent_receive_attempts", []),
    ]

    /// Throws `unknownTrigger` for triggers that a database at the build's version does not have, or not so.
    static func check(
        _ found: [String: String], in database: DatabaseName, build: [Migration], engine: any StorageEngine
    ) throws {
        if found.isEmpty { return }
        if let newest = newest[database], newest.version == build.last?.name,
            found.allSatisfy({ newest.hashes.contains(hash($0.key, folded($0.value))) })
        {
            return
        }
        let known = try SchemaText.structure(of: build, engine: engine).triggers
        let unknown = found.filter { known[$0.key]?.text.folded != folded($0.value) }.keys.sorted()
        guard unknown.isEmpty else { throw MigrationError.unknownTrigger(database, names: unknown) }
    }

    /// Of a trigger's name and its text as structures have it.
    static func hash(_ name: String, _ text: String?) -> String {
        SHA256.hash(data: Array("\(name)\u{0}\(text ?? "")".utf8)).hexadecimal
    }

    /// Nil for a text that is no SQL.
    private static func folded(_ sql: String) -> String? { try? SQLLexer.folded(sql, refusesControls: false) }
}
