import ChatDBEngine
import ChatDBSchema
import Crypto

/// Refuses a store with other triggers than its version: they would run on every write.
/// Rule: docs/migrations.md, "Drift".
enum KnownTriggers {
    /// The triggers of a version.
    struct Known {
        let database: DatabaseName
        let version: String
        let hashes: Set<String>
    }

    /// The triggers of the newest version for each engine, so that chatdb opens a store without building that version's
    /// schema. A test fails when they are out of date; opening a store is then only slower.
    static let newest: [Known] = [
        Known(
            database: .chat, version: "20261124_relay_service",
            hashes: [
                "1ab08e36e1596a6a82cec5b4940cd9245cebe134edcd5d334320a16ad9d74e12",
                "d54f80be43fa40b73a4a9892926a2cc7322ecf7cf27dd591aed23d139faf6944",
                "eaf02f81d42aeb646f4c78e4210670b24f6a4323c16b4e6a9dfeec842742c1b4",
            ]),
        Known(database: .agent, version: "20260820_agent_receive_attempts", hashes: []),
        // On a server, with the functions.
        Known(
            database: .chat, version: "20261127_initial",
            hashes: [
                "2213917868e991fe7a26290c0376a7fa8cd4ec2230aa6566b918ab91f7fe0ebe",
                "54a3867678ae232918c110c150a69217a8d9df12985d528c8db2a0309cc9786a",
                "6b03243ff29f13abaf493466c313adb728d5ca6b9f01c363aba148bd9bdd6cd3",
                "75f4d46a19cd5c1e3aa97e8f8241cf53b9c733cd49693278e18230f2290c7c3d",
                "834ff8f79ea285991c08d1aefb00996dae473e6774b9616a40ad327fa8605e20",
                "9c8a208b781fa67dbc00b9d948e7ec1c22f1c948547018f74bb799479464bb9d",
                "a9294bae0372bee59fd8dd5a9ba9f9f736cfdb996c00389f46b4dc65ace9e2de",
                "b041dd88dbe99b3c818512f47207693a73dd9e74f264ae8aba20f45260c271c1",
                "b8c0332f2c4de36feb90dd3b3112f2a8b9e35f388fe3e99a301b952f61142d8c",
                "c3d10304407acd69078ea1b9e5b6a003f7f4b7d6915a89fad029de1a832b3e80",
                "d2231de9b0981b8215836dcada6fa27d90fcfe6fa7c4aa08c9e582b38695b553",
                "e851b2cf9fad77d5e28793a73e8b7df192c6722777a132659fb5552c7f9e8a4a",
            ]),
        Known(
            database: .agent, version: "20261127_initial",
            hashes: [
                "54a3867678ae232918c110c150a69217a8d9df12985d528c8db2a0309cc9786a",
                "e851b2cf9fad77d5e28793a73e8b7df192c6722777a132659fb5552c7f9e8a4a",
            ]),
    ]

    /// Throws `unknownTrigger` for triggers that are not in the version of these migrations, or differ from it.
    /// - Parameter applied: the migrations of the version, in the order in which they were applied.
    static func check(
        _ found: [String: String], in database: DatabaseName, applied: [Migration], engine: any StorageEngine
    ) throws {
        if found.isEmpty { return }
        let version = applied.map(\.name).max()
        let isKnown = newest.contains { known in
            known.database == database && known.version == version
                && found.allSatisfy { known.hashes.contains(hash($0.key, folded($0.value))) }
        }
        if isKnown { return }
        let expected = try VersionSchemas(engine: engine).triggers(after: applied).mapValues(folded)
        let unknown = found.filter { expected[$0.key] != folded($0.value) }.keys.sorted()
        guard unknown.isEmpty else { throw error(unknown, in: database, of: applied) }
    }

    /// The error for triggers that the version of these migrations does not have. If none of the migrations is of this
    /// build, the database is an adopted one, whose schema is the user's own: messages may show the names of its
    /// triggers, as `check` does.
    static func error(_ names: [String], in database: DatabaseName, of migrations: [Migration]) -> MigrationError {
        if !migrations.isEmpty, migrations.allSatisfy({ !MigrationSource.ownNames.contains($0.name) }) {
            EngineMessage.permit(names: names)
        }
        return .unknownTrigger(database, names: names)
    }

    /// The hash of a trigger's name and of its text in a structure.
    static func hash(_ name: String, _ text: String) -> String {
        SHA256.hash(data: Array("\(name)\u{0}\(text)".utf8)).hexadecimal
    }

    /// The text in its compared form; as it is when it is not SQL of SQLite.
    static func folded(_ sql: String) -> String {
        (try? SQLLexer.folded(sql, refusesControls: false)) ?? sql
    }
}
