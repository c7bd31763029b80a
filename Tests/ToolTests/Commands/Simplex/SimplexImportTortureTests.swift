import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// Generated lists imported into generated stores of SimpleX Chat; the generator is seeded, so a failure can be
/// repeated. Rule: docs/simplex.md, "Writing relays and servers".
@Suite("Torture of imports into a store of SimpleX Chat", .timeLimit(.minutes(300)))
struct SimplexImportTortureTests {
    /// Thousands of imports under `make torture`.
    private static let batches: UInt64 = FaultSample.isTortured ? 24 : 3
    private static let steps = FaultSample.isTortured ? 100 : 10

    @Test(
        """
        after any import that was accepted, every version of the app starts, drops no entry, uses no disabled server \
        and changes no column that the user chose, and a second import changes nothing, also after a start; a refused \
        one changes no byte; and chatdb knows what each version uses
        """,
        arguments: 0..<batches)
    func anyImport(_ batch: UInt64) throws {
        var random = FaultRandom(seed: batch)
        // The newest version first: the suite tries only a few.
        let version = Array(SimplexStore.versions.reversed())[Int(batch) % SimplexStore.versions.count]
        let phone = try SimplexPhone(version, hasPresets: batch % 4 != 3)
        let other = try SimplexPhone(
            SimplexStore.versions[Int.random(in: 0..<SimplexStore.versions.count, using: &random)],
            hasPresets: !random.one(of: 4))
        if version.hasServerRoles {
            // The app clears a role of its own where the other two are missing.
            try phone.store.execute("UPDATE protocol_servers SET role_proxy = NULL WHERE smp_server_id = 2")
        }
        var accepted = 0
        for step in 0..<Self.steps {
            let place = "batch \(batch), step \(step)"
            let isStarted = batch % 4 != 3 || accepted > 0
            if try self.step(place, phone, other, isStarted: isStarted, &random) { accepted += 1 }
        }
        // A version without roles of single servers refuses most exports of those that have them.
        #expect(accepted > 0 || !version.hasServerRoles)
    }

    /// All values of the rows of a table that the app must not change, by the number of the row.
    private func rows(_ table: String, _ key: String, _ store: SimplexStore) throws -> [String: String] {
        let ofTheApp = ["created_at", "updated_at", "trade_name", "legal_name"]
        let columns = try store.rows("SELECT name FROM pragma_table_info('\(table)')").filter {
            !ofTheApp.contains($0) && !(table == "server_operators" && $0 == "server_domains")
        }
        let values = columns.map { "quote(\($0))" }.joined(separator: " || ' ' || ")
        return Dictionary(
            uniqueKeysWithValues: zip(
                try store.rows("SELECT \(key) FROM \(table) ORDER BY \(key)"),
                try store.rows("SELECT \(values) FROM \(table) ORDER BY \(key)")))
    }

    private func choices(_ store: SimplexStore) throws -> [String: [String: String]] {
        var tables = ["protocol_servers": "smp_server_id", "server_operators": "server_operator_id"]
        if store.version.hasRelays { tables["chat_relays"] = "chat_relay_id" }
        return Dictionary(
            uniqueKeysWithValues: try tables.map { ($0.key, try rows($0.key, $0.value, store)) })
    }

    /// Makes one import of a generated file. Returns whether it was accepted.
    private func step(
        _ place: String, _ phone: SimplexPhone, _ other: SimplexPhone, isStarted: Bool, _ random: inout FaultRandom
    ) throws -> Bool {
        let store = phone.store
        try mixUp(store, &random)
        let allowsFallback = random.one(of: 4)
        let configuration = try phone.configuration(allowsFallback: allowsFallback)
        let file =
            try random.one(of: 2)
            ? export(other, &random) : PresetFile.read(list(&random).utf8, named: "list.txt").file
        let options = PresetImportOptions(
            mode: [.merge, .replace, .restore][Int.random(in: 0..<3, using: &random)],
            onConflict: random.one(of: 2) ? .skip : .rename, setsEnabled: random.one(of: 2),
            trustsOperators: random.one(of: 2))
        let before = try store.launches().map { try $0.result.get() }
        let bytes = try phone.bytes(.chat)
        let agent = try phone.bytes(.agent)
        let user = UserID(Int64.random(in: 1...3, using: &random))
        func take() throws -> Bool {
            try configuration.write(
                { store in
                    try store.write { chat in
                        let plan = try SimplexImport.plan(file, options, for: user, in: chat)
                        guard plan.blocking.isEmpty else { throw PresetError.presetConflicts(plan.blocking) }
                        guard plan.changesAnything else { return false }
                        #expect(try plan.apply(to: user, in: chat), "\(place)")
                        return true
                    }
                }, backingUp: {}, willCommit: {}
            ).answer
        }
        do {
            try configuration.check()
            guard try take() else {
                #expect(try phone.bytes(.chat) == bytes, "\(place): nothing to change")
                return true
            }
        } catch let error as any ChatDBError where error is ConfigurationError || error is PresetError {
            #expect(try phone.bytes(.chat) == bytes, "\(place): refused with \(error.info.message)")
            return false
        }
        #expect(try phone.bytes(.agent) == agent, "\(place)")
        for (launch, outcome) in zip(try store.launches(), before) {
            let now = try launch.result.get()
            #expect(now.dropped.subtracting(outcome.dropped).isEmpty, "\(place): \(launch.app) drops")
            #expect(now.duplicates.subtracting(outcome.duplicates).isEmpty, "\(place): \(launch.app) saves nothing")
            // The app for the terminal does not use the presets that only the others have.
            if !allowsFallback, !launch.app.isTerminal {
                #expect(now.fallbacks.subtracting(outcome.fallbacks).isEmpty, "\(place): \(launch.app) falls back")
            }
        }
        try phone.expectSameUse(place)
        // The second import comes before or after a start. A start that adds presets gives it more to switch.
        let startsBetween = isStarted && random.one(of: 2)
        if startsBetween { try start(place, store) }
        let written = try choices(store)
        #expect(try !take() || choices(store) == written, "\(place): a second import")
        try start(place, store)
        return true
    }

    /// Starts the newest app, which must keep every column of every row.
    private func start(_ place: String, _ store: SimplexStore) throws {
        let chosen = try choices(store)
        try store.write { chat in _ = try AppLaunch.newest.run(in: chat) }
        let kept = try choices(store)
        for (table, rows) in chosen {
            for (id, row) in rows where kept[table]?[id] != row {
                Issue.record("\(place): \(table) \(id): \(row) became \(kept[table]?[id] ?? "nothing")")
            }
        }
    }

    /// What users and the app do between two imports.
    private func mixUp(_ store: SimplexStore, _ random: inout FaultRandom) throws {
        let number = Int.random(in: 1...200, using: &random)
        let switches = [
            "UPDATE protocol_servers SET enabled = 1 - enabled WHERE smp_server_id = \(number)",
            "UPDATE protocol_servers SET enabled = 0 WHERE preset = 0 AND smp_server_id > 5 AND smp_server_id % 7 = 1",
            "UPDATE protocol_servers SET enabled = 1",
            "UPDATE server_operators SET enabled = 1 - enabled WHERE server_operator_id = \(number % 3 + 1)",
            "UPDATE server_operators SET enabled = 1",
            "UPDATE server_operators SET smp_role_proxy = 1 - smp_role_proxy WHERE server_operator_id = \(number % 3 + 1)",
            "DELETE FROM protocol_servers WHERE preset = 0 AND smp_server_id % 5 = \(number % 5)",
            """
            INSERT OR IGNORE INTO protocol_servers (user_id, protocol, host, port, key_hash, basic_auth, enabled)
            SELECT user_id, 'smp', 'h\(number % 9).example.org', '\(number % 3)', CAST('\(Self.keys[0])' AS BLOB),
                CASE \(number % 2) WHEN 0 THEN 'secret' END, \(number % 2) FROM users
            WHERE NOT EXISTS (
                SELECT 1 FROM protocol_servers AS o WHERE o.user_id = users.user_id
                    AND o.host LIKE '%h\(number % 9).example.org%')
            """,
        ]
        let relays = [
            "UPDATE chat_relays SET deleted = 1 WHERE preset = 0 AND chat_relay_id % 5 = \(number % 5)",
            "UPDATE chat_relays SET enabled = 1 - enabled WHERE chat_relay_id = \(number % 20)",
        ]
        let roles = [
            """
            UPDATE protocol_servers SET role_storage = \(number % 2), role_proxy = 1, role_names = 0
            WHERE preset = 0 AND smp_server_id % 3 = \(number % 3)
            """
        ]
        let all = switches + (store.version.hasRelays ? relays : []) + (store.version.hasServerRoles ? roles : [])
        try store.execute(all[Int.random(in: 0..<all.count, using: &random)])
    }

    /// The export of a profile of another store, after some changes of it.
    private func export(_ other: SimplexPhone, _ random: inout FaultRandom) throws -> PresetFile {
        for _ in 0..<3 { try mixUp(other.store, &random) }
        let path = other.run.file("export-\(random.next()).json")
        let words = ["preset", "export", "-o", path, "-u", ["alice", "work"][Int.random(in: 0..<2, using: &random)]]
        let outcome = try other(words + (random.one(of: 2) ? ["--with-secrets"] : []))
        guard outcome.code == 0 else { throw ToolRun.Failure(description: outcome.errors) }
        return try PresetFile.read(Data(contentsOf: URL(fileURLWithPath: path)), named: path).file
    }

    private static let keys = [
        "0YuTwO05YJWS8rkjn9eLJDjQhFKvIYd8d4xG8X1blIU=", "Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=",
    ]

    /// A list with entries of the user's own, of presets, and of what only looks like them.
    private func list(_ random: inout FaultRandom) throws -> String {
        let keys = Self.keys
        let onion = "beccx4yfxxbvyhqypaavemqurytl6hozr47wfc7uuecacjqdvwpw2xid.onion"
        let readable = [
            "a.example.org", "b.example.org", "my.example.org", "smp9.simplex.im", "smp77.simplex.im",
            "evilsimplex.im", "xftp1.simplexonflux.com", "a.example.org,b.example.org", "smp1.example.org",
            "smp1.xyz.com", "192.0.2.7", "h3.example.org", "A.Example.Org", onion, "c.example.org,\(onion)",
        ]
        // The app cannot read these, or writes them in another way.
        let unreadable = ["c.example.org,d.example.onion", "192.0.2.7.example.org", "[2001:db8::1]", "ABC.onion"]
        let hosts = random.one(of: 8) ? unreadable : readable
        let links = [
            "Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw", "_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ",
            "yxNOMJcry5jMTRPEBVtGBATYaKeoRIsZRBPIDLx7x6M",
        ]
        var lines: [String] = []
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            let host = hosts[Int.random(in: 0..<hosts.count, using: &random)]
            let key = keys[Int.random(in: 0..<keys.count, using: &random)]
            let port = random.one(of: 2) ? "" : ":\(Int.random(in: 1...3, using: &random))"
            let password = random.one(of: 4) ? ":secret" : ""
            let link = links[Int.random(in: 0..<links.count, using: &random)]
            let first = host.split(separator: ",")[0]
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1: lines.append("smp://\(key)\(password)@\(host)\(port)")
            case 2: lines.append("xftp://\(key)@\(host)\(port)")
            case 3: lines.append("https://\(first)/r#\(link)")
            case 4: lines.append("simplex:/r#\(link)?h=\(first)")
            default:
                let presets = try AppPresets.known.get().versions.flatMap(\.operators)
                let known = presets[Int.random(in: 0..<presets.count, using: &random)]
                // The stand-ins of a version in development have no real keys.
                let entries = (known.servers.map(\.address.shown) + known.relays.map(\.address)).filter {
                    (try? PresetFile.read("\($0)\n".utf8, named: "list.txt")) != nil
                }
                guard !entries.isEmpty else { continue }
                lines.append(entries[Int.random(in: 0..<entries.count, using: &random)])
            }
        }
        // A file that names an entry twice is refused before any store is read.
        var kept = ""
        for line in lines where (try? PresetFile.read("\(kept)\(line)\n".utf8, named: "list.txt")) != nil {
            kept += line + "\n"
        }
        return kept + "\n"
    }
}

extension FaultRandom {
    /// Whether a chance of one in so many came true.
    fileprivate mutating func one(of count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
