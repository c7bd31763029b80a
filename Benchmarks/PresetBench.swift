import ChatDBKit
import Foundation

/// Presets with very many relays: export, import into an empty profile, and an import that changes nothing.
struct PresetBench {
    let bench: Bench
    private static let user = UserID(1)

    init(_ bench: Bench) { self.bench = bench }

    func measure() throws -> [Measurement] {
        try fill("presets", relays: 10_000)
        try fill("manyPresets", relays: 100_000)
        return try [exportAsProcess(), exportInProcess()] + imports()
    }

    private static let select = """
        SELECT display_name AS name, address, domains, enabled FROM chat_relays
        WHERE user_id = 1 AND deleted = 0 ORDER BY address_key;

        """

    private func exportAsProcess() throws -> Measurement {
        let script = try bench.script("export.sql", ".mode json\n" + Self.select)
        let medians = try bench.compare({}) {
            try bench.chatdb("preset", "export", "-d", "\(bench.folder)/presets", "-q")
        } peer: {
            try bench.sqlite("\(bench.folder)/presets_chat.db", script: script)
        }
        return Measurement(
            work: "export of 10,000 relays, whole process", ours: medians.ours, peer: medians.peer, aim: 2)
    }

    private func exportInProcess() throws -> Measurement {
        let script = try bench.script("export.sql", ".mode json\n" + Self.select)
        let connection = try SQLiteEngine().open("\(bench.folder)/manyPresets_chat.db", as: .readOnly)
        defer { try? connection.close() }
        let medians = try bench.compare({}) {
            var bytes = 0
            _ = try connection.read { chat in
                try PresetExport(of: Self.user, in: chat).write { bytes += $0.count }
            }
            guard bytes > 10_000_000 else { throw Failed(what: "too little was exported") }
        } peer: {
            try bench.sqlite("\(bench.folder)/manyPresets_chat.db", script: script)
        }
        return Measurement(
            work: "export of 100,000 relays, in process", ours: medians.ours, peer: medians.peer, aim: 1.5)
    }

    /// The peer only writes rows. It makes no plan, checks nothing, and has no profiles.
    private func imports() throws -> [Measurement] {
        let (preset, rows) = ("\(bench.folder)/relays.json", "\(bench.folder)/rows.json")
        try bench.chatdb(
            "preset", "export", "--custom-only", "-d", "\(bench.folder)/presets", "-o", preset, "--force", "-q")
        try writeRows(to: rows)
        let into = "\(bench.folder)/into"
        try bench.chatdb("migrate", "run", "-d", into, "-q")
        try bench.chatdb("user", "add", "me", "--no-preset", "-d", into, "-q")
        for name in ["into_chat.db", "into_agent.db"] { try bench.copy(name, to: "empty-" + name) }
        let prepare = {
            for name in ["into_chat.db", "into_agent.db"] { try bench.copy("empty-" + name, to: name) }
            bench.remove("into_chat.db-")
            bench.remove("peer.db")
        }
        let take: () throws -> Void = { try bench.chatdb("preset", "import", preset, "-d", into, "--yes", "-q") }
        let peer = try Self.sqliteUtils()
        let insert: () throws -> Void = {
            try bench.run(peer ?? "", ["insert", "\(bench.folder)/peer.db", "relays", rows, "--pk", "address"])
        }
        guard peer != nil else {
            var ours: [Double] = []
            for _ in 0..<bench.runs {
                try prepare()
                ours.append(try bench.seconds { try take() })
            }
            return [
                Measurement(
                    work: "import of 10,000 relays into an empty profile (sqlite-utils is not installed)",
                    ours: Bench.median(ours), peer: nil, aim: 0.5)
            ]
        }
        let first = try bench.compare(prepare) {
            try take()
        } peer: {
            try insert()
        }
        try prepare()
        try take()
        let again = try bench.compare({ bench.remove("peer.db") }) {
            try take()
        } peer: {
            try insert()
        }
        return [
            Measurement(
                work: "import of 10,000 relays into an empty profile, against sqlite-utils", ours: first.ours,
                peer: first.peer, aim: 0.5),
            Measurement(
                work: "import of them again with no change, against sqlite-utils", ours: again.ours, peer: again.peer,
                aim: 0.5),
        ]
    }

    /// The path of sqlite-utils; nil if it is not installed.
    private static func sqliteUtils() throws -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/sqlite-utils" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private func writeRows(to path: String) throws {
        let rows = (1...10_000).map { Self.row($0) }
        try Data("[\(rows.joined(separator: ",\n"))]".utf8).write(to: URL(fileURLWithPath: path))
    }

    private static func row(_ number: Int) -> String {
        #"{"name": "relay \#(number)", "address": "\#(address(number))", "domains": "", "enabled": 1}"#
    }

    private static func address(_ number: Int) -> String { "https://r\(number).example.org/r#\(key)" }
    private static let key = String(repeating: "A", count: 43)

    private func fill(_ name: String, relays: Int) throws {
        try bench.chatdb("migrate", "run", "-d", "\(bench.folder)/\(name)", "-q")
        try bench.chatdb("user", "add", "me", "--no-preset", "-d", "\(bench.folder)/\(name)", "-q")
        try bench.sqlite(
            "\(bench.folder)/\(name)_chat.db",
            script: bench.script(
                "\(name).sql",
                """
                BEGIN;
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(relays))
                INSERT INTO chat_relays (user_id, address, address_key, display_name, domains)
                SELECT 1, 'https://r' || i || '.example.org/r#\(Self.key)',
                    'r#\(Self.key)@r' || i || '.example.org', 'relay ' || i, '' FROM n;
                COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE);

                """))
    }
}
