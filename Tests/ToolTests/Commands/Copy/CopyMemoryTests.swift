import Foundation
import TestKit
import Testing

#if os(Linux)
    /// A copy takes constant memory. `make torture` copies 5 GB, the suite 100 MB; `CHATDB_COPY_MEGABYTES` is another
    /// size.
    @Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(600)))
    struct CopyMemoryTests {
        /// The permitted difference in memory between a store and one of a tenth of its size, in KiB.
        private static let growth = 24 << 10
        /// The permitted memory, in KiB.
        private static let most = 256 << 10

        @Test("a copy of a large store, there and back, takes hardly more memory than that of a small one")
        func memory() throws {
            let megabytes = FaultSample.count(5_000, else: 100, variable: "CHATDB_COPY_MEGABYTES")
            let small = try peaks(megabytes: max(1, megabytes / 10))
            let large = try peaks(megabytes: megabytes)
            #expect(large.there < small.there + Self.growth && large.there < Self.most, "KiB: \(small), \(large)")
            #expect(large.back < small.back + Self.growth && large.back < Self.most, "KiB: \(small), \(large)")
        }

        @Test(
            "a row of a server that is too large for a file is named, and no file is made",
            .enabled(if: FaultSample.isTortured, "takes 3 GB of memory"))
        func tooLargeForFile() throws {
            let chatdb = try ServerRun()
            try chatdb.succeed("migrate", "run")
            try chatdb.succeed("user", "add", "alice", "--seed", "1")
            try chatdb.sql(
                """
                SET search_path = main_chat, pg_temp;
                INSERT INTO chat_items (user_id, item_sent, item_ts, item_status, item_content, item_text)
                VALUES (1, 0, '2026-01-01 00:00:00.000', 'rcv_read', '{}', repeat('x', 1000000001))
                """)
            let copy = try chatdb.run("copy", "-d", chatdb.store, "--to", chatdb.run.file("back"))
            #expect(copy.code == 1, "\(copy.code)")
            let row = "chat_item_id 1 of the table chat_items: column item_text has a value of more bytes"
            #expect(copy.errors.contains(row), "\(copy.errors)")
            #expect(copy.errors.contains("the longest value of the row"), "\(copy.errors)")
            let files = try FileManager.default.contentsOfDirectory(atPath: chatdb.run.folder.path)
            #expect(files.filter { $0.hasPrefix("back") } == [])
            #expect(try chatdb.sql("SELECT count(*) FROM main_chat.chat_items") == "1", "the store has the row")
        }

        /// The largest memory of a copy to a server and of the copy back, in KiB.
        private func peaks(megabytes: Int) throws -> (there: Int, back: Int) {
            let chatdb = try ServerRun()
            try chatdb.run.succeed("migrate", "run")
            try chatdb.run.succeed("user", "add", "alice", "--seed", "1")
            // Bodies of messages, and a tenth as many bytes of texts for the search.
            let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(megabytes * 100))"
            try chatdb.run.sql(
                "\(numbers) INSERT INTO snd_message_bodies (agent_msg) SELECT randomblob(9000) FROM n",
                in: "x_agent.db")
            try chatdb.run.sql(
                """
                \(numbers)
                INSERT INTO chat_items (user_id, item_sent, item_ts, item_status, item_content, item_text)
                SELECT 1, 0, '2026-01-01 00:00:00.000', 'rcv_read', '{}',
                    'message ' || i || hex(zeroblob(200)) || ' about ' || hex(i * 7919) FROM n
                """)
            let there = try peak(chatdb, "--to", chatdb.store)
            let back = try peak(chatdb, "-d", chatdb.store, "--to", chatdb.run.file("back"))
            try chatdb.sql("DROP SCHEMA main_chat, main_agent CASCADE")
            return (there, back)
        }

        private func peak(_ chatdb: ServerRun, _ arguments: String...) throws -> Int {
            let words = arguments.map { "'\($0)'" }.joined(separator: " ")
            let measured = try chatdb.run.shell(
                """
                python3 -c "
                import resource, subprocess, sys
                code = subprocess.run([sys.argv[1], 'copy', *sys.argv[2:]], stdout=subprocess.DEVNULL).returncode
                print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
                " $CHATDB \(words)
                """)
            let numbers = measured.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            try #require(numbers.count == 2 && numbers[0] == 0, "\(measured.output) \(measured.errors)")
            return numbers[1]
        }
    }
#endif
