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
                "14c9acfbee4ef9a524db659fc7da09a9c3f0131a95ca767ea03356b9018cf08f",
                "2213917868e991fe7a26290c0376a7fa8cd4ec2230aa6566b918ab91f7fe0ebe",
                "2b97d0e3b0a8b998bd846d39558f3653a4cd14d866572f7f881440372f73edbc",
                "53a66290feef8da30873103b8c794ecaa0069f67489333db3e5c5772b5f6eb03",
                "54a3867678ae232918c110c150a69217a8d9df12985d528c8db2a0309cc9786a",
                "6172641e739e0c43f41f2fc057cc90ebc0acf1b4d26ff95be6f8be9da8b0de3c",
                "9c8a208b781fa67dbc00b9d948e7ec1c22f1c948547018f74bb799479464bb9d",
                "a9294bae0372bee59fd8dd5a9ba9f9f736cfdb996c00389f46b4dc65ace9e2de",
                "b041dd88dbe99b3c818512f47207693a73dd9e74f264ae8aba20f45260c271c1",
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
        guard unknown.isEmpty else { throw MigrationError.unknownTrigger(database, names: unknown) }
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
