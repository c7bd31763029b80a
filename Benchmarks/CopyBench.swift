import ChatDBKit
import Foundation
import TestKit

/// Copies of a store with half of a number of messages, and of one with five times that number, from files to a server
/// and back, against pgloader, which loads the chat database into the same server. pgloader neither verifies nor makes
/// an index for searches.
struct CopyBench {
    private static let mostMemory = 256 << 20

    let bench: Bench
    private let messages: Int

    init(_ bench: Bench, messages: Int) {
        self.bench = bench
        self.messages = messages
    }

    func measure() throws -> [Measurement] {
        guard PostgresServer.isSupported else {
            say("PostgreSQL is not installed: the rows of copies are left out")
            return []
        }
        return try measure(messages / 2, runs: max(1, bench.runs / 2)) + measure(messages * 5, runs: 1)
    }

    private func measure(_ messages: Int, runs: Int) throws -> [Measurement] {
        let server = try PostgresServer.started()
        try fill(messages)
        defer { bench.remove("copied") }
        var (there, back, peer): ([Double], [Double], [Double]) = ([], [], [])
        var memory = 0
        for number in 0..<runs {
            let database = try server.makeDatabase()
            let place = "\(server.uri(database: database))&store=copied"
            let files = bench.folder + "/back\(number)"
            there.append(
                try bench.seconds {
                    let usage = try bench.chatdb("copy", "-d", source, "--to", place, "--keep-both", "-q")
                    memory = max(memory, usage.memory)
                })
            back.append(
                try bench.seconds {
                    let usage = try bench.chatdb("copy", "-d", place, "--to", files, "-q")
                    memory = max(memory, usage.memory)
                })
            bench.remove("back\(number)")
            try server.psql("DROP DATABASE \(database) WITH (FORCE)")
            guard let pgloader = Pgloader.program else { continue }
            let other = try server.makeDatabase()
            peer.append(
                try bench.seconds {
                    try bench.run(pgloader, Pgloader.arguments("\(source)_chat.db", into: other, of: server))
                })
            try server.psql("DROP DATABASE \(other) WITH (FORCE)")
        }
        let median = peer.isEmpty ? nil : Bench.median(peer)
        var first = Measurement(
            work: "copy \(messages) messages from files to a server, verified, against pgloader, which does not verify",
            ours: Bench.median(there), peer: median, aim: median == nil ? nil : 0.5)
        first.note = "\(memory >> 20) MiB of memory at most, limit 256 MiB"
        first.breaksLimit = memory > Self.mostMemory
        return [
            first,
            Measurement(
                work: "copy the same store from the server to files and verify it", ours: Bench.median(back), peer: nil,
                aim: nil),
        ]
    }

    private var source: String { bench.folder + "/copied" }

    private func fill(_ messages: Int) throws {
        try bench.chatdb("migrate", "run", "-d", source, "-q")
        try bench.chatdb("user", "add", "me", "--no-preset", "-d", source, "-q")
        try bench.sqlite(
            source + "_chat.db",
            script: bench.script(
                "copied.sql",
                """
                BEGIN;
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(messages))
                INSERT INTO chat_items (user_id, contact_id, item_sent, item_ts, item_status, item_content, item_text)
                SELECT 1, 1, i % 2, strftime('%Y-%m-%d %H:%M:%f', 1750000000 + i, 'unixepoch'), 'rcv_read',
                    '{"type":"rcvMsgContent","msgContent":{"type":"text","text":"' || hex(zeroblob(150)) || '"}}',
                    'message number ' || i || ' about relays and channels, ' || hex(i * 7919) FROM n;
                COMMIT; PRAGMA wal_checkpoint(TRUNCATE);
                """))
    }
}
