import ChatDBKit
import Foundation
import Synchronization
import TestKit
import Testing

/// What pgloader loses without a word, a copy refuses by name. Rule: docs/copying.md, "What is refused".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct CopyRefusalTests {
    private func problems(_ copy: StoreCopy) -> [CopyProblem] {
        let error = #expect(throws: CopyError.self) { _ = try copy.run() }
        guard case .notCopyable(let problems) = error else { return [] }
        return problems
    }

    @Test("texts with NUL or with other bytes than UTF-8 are named by table, column and row, and never quoted")
    func texts() throws {
        let world = try CopyWorld()
        try world.fill()
        try world.files.execute(
            "UPDATE people SET name = CAST(x'6100626262' AS TEXT) WHERE id = 2",
            "UPDATE messages SET body = CAST(x'73ff63' AS TEXT) WHERE message_id IN (10, 20)",
            "UPDATE messages SET body = CAST(x'eda080' AS TEXT) WHERE message_id > 5970 AND message_id < 9000")
        let before = try world.dump(world.files.location)
        let copy = try world.toServer()
        let found = problems(copy)
        #expect(found.map(\.table) == ["messages", "people"])
        #expect(found.map(\.columns) == [["body"], ["name"]])
        #expect(found.map(\.kind) == [.notUTF8, .nul])
        #expect(found.map(\.key) == ["message_id", "id"])
        #expect(found.map(\.count) == [17, 1])
        #expect(found.map(\.rows) == [[10, 20] + (2986..<2994).map { $0 * 2 }, [2]])
        let error = #expect(throws: CopyError.self) { _ = try copy.run() }
        #expect(
            error?.info.lines == [
                "chat messages.body: bytes that are not UTF-8, in message_id 10, 20, 5972, 5974, 5976, 5978, 5980, "
                    + "5982, 5984, 5986 and 7 more", "chat people.name: a NUL byte, in id 2",
            ])
        #expect(try world.isEmpty())
        #expect(try world.dump(world.files.location) == before)
    }

    @Test("with replacesBadText, these texts have U+FFFD, and are counted")
    func replaced() throws {
        let world = try CopyWorld()
        try world.fill()
        try world.files.execute(
            "UPDATE people SET name = CAST(x'6100ff62' AS TEXT) WHERE id = 2",
            "UPDATE messages SET body = CAST(x'73ff63' AS TEXT) WHERE message_id = 10")
        let report = try world.toServer { $0.replacesBadText = true }.run()
        #expect(report.replacedTexts == 2 && report.rows == 6_016)
        #expect(try world.sql("SELECT name FROM made_chat.people WHERE id = 2") == "a\u{FFFD}\u{FFFD}b")
        #expect(try world.sql("SELECT body FROM made_chat.messages WHERE message_id = 10") == "s\u{FFFD}c")
    }

    @Test("references to missing rows are named by table, columns and row, and no constraint is left out")
    func references() throws {
        let world = try CopyWorld()
        try world.fill()
        try world.files.execute(
            "UPDATE messages SET author = 77 WHERE message_id IN (4, 6)", in: .agent)
        let found = problems(try world.toServer())
        #expect(found.map(\.database) == [.agent] && found.map(\.table) == ["messages"])
        #expect(found.first?.columns == ["author"] && found.first?.kind == .missingRow(of: "people"))
        #expect(found.first?.rows.sorted() == [4, 6] && found.first?.key == "message_id")
        #expect(try world.isEmpty())
    }

    @Test("texts that became equal by a replacement are refused by the name of the constraint")
    func collision() throws {
        let world = try CopyWorld()
        try world.fill()
        try world.files.execute(
            "UPDATE people SET name = CAST(x'61ff' AS TEXT) WHERE id = 2",
            "UPDATE people SET name = CAST(x'61fe' AS TEXT) WHERE id = 3")
        let error = #expect(throws: CopyError.self) { _ = try world.toServer { $0.replacesBadText = true }.run() }
        guard case .refused(.chat, let part, let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(part == "people_name_key" && cause.kind == .uniqueViolation)
        #expect(error?.info.message.contains("61") == false && error?.info.message.contains("\u{FFFD}") == false)
        #expect(try world.isEmpty())
    }

    @Test("a store at the place of the copy, a copy of the same kind, and one database are refused")
    func places() throws {
        let world = try CopyWorld()
        _ = try world.toServer { $0.keepsBoth = true }.run()
        let place = try world.place.prefix
        #expect(throws: CopyError.targetExists(place)) { _ = try world.toServer { $0.keepsBoth = true }.run() }
        let other = try StoreLocation(prefix: world.files.folder.file("other"))
        let files = StoreCopy(from: try world.context(of: world.files.location), to: try world.context(of: other))
        #expect(throws: CopyError.sameKind(world.files.location.prefix, other.prefix)) { _ = try files.run() }
        let back = StoreCopy(from: try world.context(of: world.place), to: try world.context(of: world.files.location))
        #expect(throws: CopyError.targetExists(world.files.location.prefix)) { _ = try back.run() }
        var one = try world.context(of: world.files.location)
        one.only = .chat
        let half = StoreCopy(from: one, to: try world.context(of: world.place))
        #expect(throws: CopyError.notAPair(world.files.location.prefix)) { _ = try half.run() }
    }

    // MARK: Interruptions

    @Test("the process of the server ends at each stage in turn: the server has nothing, and the store no mark")
    func backend() throws {
        let world = try CopyWorld()
        try world.fill()
        let before = try world.dump(world.files.location)
        var stage = 0
        while true {
            let count = Mutex(0)
            let (kill, server, database) = (stage, world.server, world.database)
            let copy = try world.toServer()
            var target = copy.target
            target.progress = { progress in
                guard case .copying = progress else { return }
                let number = count.withLock { count in
                    count += 1
                    return count - 1
                }
                guard number == kill else { return }
                _ = try? server.psql(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = '\(database)' AND application_name = 'chatdb'
                    """)
            }
            let interrupted = StoreCopy(from: copy.source, to: target, options: copy.options)
            do {
                _ = try interrupted.run()
                break
            } catch {
                #expect((error as? any ChatDBError)?.info.kind == .unavailable, "stage \(stage): \(error)")
            }
            #expect(try world.isEmpty(), "stage \(stage)")
            #expect(try world.dump(world.files.location) == before, "stage \(stage)")
            _ = try StoreGate(world.context(of: world.files.location)).enter()
            stage += 1
        }
        #expect(stage > 10, "the copy has more stages than were interrupted")
        #expect(throws: MigrationError.self) { _ = try StoreGate(world.context(of: world.files.location)).enter() }
        #expect(try !world.isEmpty())
    }

    @Test("a stop at each stage in turn leaves nothing, in files too")
    func stopped() throws {
        let world = try CopyWorld()
        try world.fill()
        _ = try world.toServer().run()
        var stage = 0
        while true {
            let count = Mutex(0)
            let stop = stage
            let copy = try world.toFiles()
            var target = copy.target
            let cancellation = target.cancellation
            target.progress = { progress in
                guard case .copying = progress else { return }
                let number = count.withLock { count in
                    count += 1
                    return count - 1
                }
                if number == stop { cancellation.request() }
            }
            do {
                _ = try StoreCopy(from: copy.source, to: target, options: copy.options).run()
                break
            } catch {
                #expect((error as? any ChatDBError)?.info.kind == .interrupted, "stage \(stage): \(error)")
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: world.files.folder.path)
            #expect(left.filter { $0.hasPrefix("back") } == [], "stage \(stage)")
            stage += 1
        }
        #expect(stage > 5)
    }

    @Test("a value that is too long for an index of the server is named by table, index, size and limit")
    func tooLongForIndex() throws {
        let world = try CopyWorld()
        try world.files.execute("INSERT INTO people (id, name) VALUES (1, hex(randomblob(8000)))")
        let error = #expect(throws: CopyError.self) { _ = try world.toServer().run() }
        let message = error?.info.message ?? ""
        #expect(
            message.contains("people_name_key of the table people: a value is too long for the index: "), "\(message)")
        #expect(message.contains(" bytes, and the most is "), "\(message)")
        #expect(try world.isEmpty())
    }

    @Test("a role without CREATE on the database is refused before anything is read, by a dry run too")
    func rightToCreate() throws {
        let world = try CopyWorld()
        try world.fill()
        let role = "maker_\(world.database)"
        try world.sql("CREATE ROLE \(role) LOGIN")
        let uri = world.server.uri(database: world.database).replacing("user=postgres", with: "user=\(role)")
        let place = StoreLocation(server: try ServerStore(uri + "&store=made"))
        let copy = StoreCopy(from: try world.context(of: world.files.location), to: try world.context(of: place))
        let runs: [() throws -> CopyReport] = [copy.check, copy.run]
        for run in runs {
            let error = #expect(throws: MigrationError.self) { _ = try run() }
            #expect(error?.info.code == "accessDenied", "\(String(describing: error))")
            #expect(error?.info.message.contains("lacks the right CREATE") == true)
        }
        try world.sql(
            """
            CREATE SCHEMA made_chat AUTHORIZATION \(role); CREATE SCHEMA made_agent AUTHORIZATION \(role)
            """)
        #expect(try copy.check().rows == 6_016, "two empty schemas of the role are enough")
    }
}
