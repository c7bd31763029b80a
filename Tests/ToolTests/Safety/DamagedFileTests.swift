import ChatDBKit
import Foundation
import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A change to a file, and the words of the report about it.
private struct Damage: CustomStringConvertible {
    let description: String
    let words: String
    let change: @Sendable (inout [UInt8]) -> Void

    init(_ description: String, _ words: String, _ change: @escaping @Sendable (inout [UInt8]) -> Void) {
        (self.description, self.words, self.change) = (description, words, change)
    }
}

/// Safety D01, D02 and the table of §5, with the tool as a process: it reports what is wrong with a file correctly, and
/// at once.
@Suite("damaged files", .timeLimit(.minutes(60))) struct DamagedFileTests {
    /// Runs `inspect` once; the system ends it after five seconds of processor time. It changes nothing.
    private func inspect(_ store: ToolRun, _ format: String = "table", _ command: String = "inspect") throws
        -> ToolRun.Outcome
    {
        let before = try store.folder.fingerprint()
        let run = try store.shell("ulimit -t 5; exec \"$CHATDB\" \(command) --format \(format)")
        #expect(try store.folder.fingerprint() == before)
        return run
    }

    private func bytes(_ store: ToolRun) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: store.file("x_chat.db"))))
    }

    private func write(_ bytes: some Sequence<UInt8>, _ store: ToolRun) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: store.file("x_chat.db")))
    }

    /// A store without its agent database, so that everything depends on the chat database.
    private func loneChat() throws -> ToolRun {
        let store = try DemoStore.make()
        try FileManager.default.removeItem(atPath: store.file("x_agent.db"))
        return store
    }

    /// Files of which chatdb can read nothing.
    private static let unreadable: [Damage] = [
        Damage("text", "a text file") { $0 = Array("Dear support,\nhere is my store.\n".utf8) },
        Damage("zip", "a ZIP file") { $0.replaceSubrange(0..<4, with: [0x50, 0x4B, 3, 4]) },
        Damage("gzip", "a gzip file") { $0.replaceSubrange(0..<3, with: [0x1F, 0x8B, 8]) },
        Damage("jpeg", "a JPEG picture") { $0.replaceSubrange(0..<4, with: [0xFF, 0xD8, 0xFF, 0xE0]) },
        Damage("empty", "an empty file (0 bytes)") { $0 = [] },
        Damage("magic", "first 16 bytes") { $0[3] ^= 1 },
        Damage("page size of 1000", "page size is 1000") { ($0[16], $0[17]) = (3, 0xE8) },
        Damage("another page size", "damaged") { $0[16] = 8 },
        Damage("schema format", "schema format is 9") { $0[47] = 9 },
        Damage("read version", "newer SQLite (read format 3)") { $0[19] = 3 },
        Damage("50 bytes", "is truncated: 50 bytes are less than the header") { $0 = Array($0.prefix(50)) },
        Damage("two pages less", "is truncated: ") { $0.removeLast(8_192) },
        Damage("a byte less", "is truncated: ") { $0.removeLast() },
        Damage("too many pages in the header", "is truncated: ") { ($0[28], $0[29]) = (0, 7) },
        Damage("tree of the first page", "damaged") { for index in 100..<112 { $0[index] = 0xFF } },
    ]

    @Test("D01: inspect names the damage of a file", arguments: unreadable)
    fileprivate func reported(_ damage: Damage) throws {
        let store = try loneChat()
        var bytes = try bytes(store)
        damage.change(&bytes)
        try write(bytes, store)
        let run = try inspect(store)
        #expect(run.code == 66, "\(run.code) \(run.output)")
        #expect(run.errors.contains(damage.words) && run.errors.contains("x_chat.db"), "\(run.errors)")
    }

    /// Damage that SQLite accepts without an error.
    private static let overlooked: [Damage] = [
        Damage("bytes at the end", "the file has 10 bytes after its last page") {
            $0 += [UInt8](repeating: 7, count: 10)
        },
        Damage("write version", "(write format 3); it can only be read") { $0[18] = 3 },
        Damage("encoding", "names the text encoding 9, which does not exist") { $0[59] = 9 },
    ]

    @Test("D01: inspect notes damage that SQLite accepts, and shows the store", arguments: overlooked)
    fileprivate func noted(_ damage: Damage) throws {
        let store = try DemoStore.make()
        var bytes = try bytes(store)
        damage.change(&bytes)
        try write(bytes, store)
        let run = try inspect(store, "json")
        try #require(run.code == 0, "\(run.errors)")
        let page = try run.answer()
        #expect(page["notes"]?.texts?.contains { $0.contains(damage.words) } == true, "\(page["notes"] ?? .null)")
        #expect(page["users"]?.arrayValue?.count == 2 && page["relays"]?.arrayValue?.count == 7)
    }

    @Test(
        "D01: check reports a zeroed root of a table or an index as an error, and says where",
        arguments: [
            ("chat_relays", "chat_relays"), ("chat_items", "chat_items"), ("idx_display_names_ldn", "display_names"),
        ])
    func zeroedRoot(_ name: String, _ table: String) throws {
        let store = try DemoStore.make()
        let root = try #require(Int(try store.sql("SELECT rootpage FROM sqlite_master WHERE name = '\(name)'")))
        var bytes = try bytes(store)
        for index in (root - 1) * 4_096..<root * 4_096 { bytes[index] = 0 }
        try write(bytes, store)
        // The page still shows what can be read.
        let page = try inspect(store, "json")
        #expect(page.code == 0, "\(page.errors)")
        #expect(try page.answer()["users"]?.arrayValue?.count == 2)
        let check = try inspect(store, "json", "check")
        #expect(check.code == 1)
        let damage = try check.answer()["findings"]?.arrayValue?.first { $0["id"] == "chatDamaged" }
        #expect(damage != nil, "\(check.output)")
        let part = damage?["damage"]?[0]
        #expect(part?["name"] == .string(name) && part?["table"] == .string(table), "\(check.output)")
        #expect(part?["kind"] == .string(name == table ? "table" : "index"))
        #expect(
            damage?["sample"]?.texts?.first?.contains(name == table ? "no row is left" : "cannot be read; ") == true)
    }

    @Test("D01: a table whose name is not valid text does not hide damage of another")
    func namelessTable() throws {
        let store = try DemoStore.make()
        try store.sql("CREATE TABLE zzzq (a)")
        let root = try #require(Int(try store.sql("SELECT rootpage FROM sqlite_master WHERE name = 'chat_relays'")))
        var bytes = try bytes(store)
        for index in (root - 1) * 4_096..<root * 4_096 { bytes[index] = 0 }
        let name = Array("zzzq".utf8)
        for place in bytes.indices where bytes[place...].starts(with: name) {
            (bytes[place + 1], bytes[place + 2]) = (0xFF, 0xFE)
        }
        try write(bytes, store)
        let check = try inspect(store, "json", "check")
        let damage = try check.answer()["findings"]?.arrayValue?.first { $0["id"] == "chatDamaged" }
        #expect(check.code == 1 && damage != nil, "\(check.output)\(check.errors)")
    }

    @Test("D01: check finds a changed byte of a text that is in an index")
    func flippedByte() throws {
        let store = try DemoStore.make()
        var bytes = try bytes(store)
        let name = Array("SimpleX Chat Relay 1".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
        bytes[place] ^= 0x20
        try write(bytes, store)
        let page = try inspect(store, "json")
        #expect(page.code == 0 && page.output.contains("SimpleX Chat Relay"))
        let check = try inspect(store, "json", "check")
        let damage = try check.answer()["findings"]?.arrayValue?.first
        #expect(check.code == 1 && damage?["id"] == "chatDamaged")
        #expect(damage?["sample"]?.texts?.first?.contains("does not fit the table in row") == true, "\(check.output)")
    }

    @Test(
        "D01: inspect reports a path that is no regular file, and does not wait for it",
        arguments: [
            ("mkdir x_chat.db", "is a directory"), ("mkfifo x_chat.db", "is a named pipe"),
            ("ln -s x_chat.db x_chat.db", "symbolic link"), ("ln -s nowhere x_chat.db", "symbolic link"),
            ("ln -s /dev/zero x_chat.db", "is a character device"), (":", "there is no store"),
        ])
    func noFile(_ command: String, _ words: String) throws {
        let store = try loneChat()
        #expect(try store.shell("rm x_chat.db && \(command)").code == 0)
        let run = try store.shell("ulimit -t 5; exec \"$CHATDB\" inspect")
        #expect(run.code == 66 && run.errors.contains(words), "\(run.code) \(run.errors)")
    }

    @Test("D01: with a damaged page in the middle, inspect shows what it can read and reports the rest as unreadable")
    func damagedPage() throws {
        let store = try DemoStore.make()
        let root = try #require(Int(try store.sql("SELECT rootpage FROM sqlite_master WHERE name = 'chat_relays'")))
        var bytes = try bytes(store)
        for index in (root - 1) * 4_096..<root * 4_096 { bytes[index] = 0xA5 }
        try write(bytes, store)
        let run = try inspect(store, "json")
        let page = try run.answer()
        #expect(page["users"]?.arrayValue?.count == 2)
        #expect(page["relays"] == .null)
        #expect(page["warnings"]?.texts?.first?.hasPrefix("the relays are not shown: it is damaged") == true)
    }

    @Test(
        "D02: inspect distinguishes an encrypted file, even with a plain header, from a damaged one",
        arguments: [(0, "encrypted", 64), (32, "encryptedUnsupported", 66)])
    func encrypted(_ plain: Int, _ code: String, _ exit: Int32) throws {
        let store = try loneChat()
        var random = SplitMix64(seed: 7)
        let beginning = try bytes(store).prefix(plain)
        try write(beginning + (plain..<65_536).map { _ in UInt8(truncatingIfNeeded: random.next()) }, store)
        let run = try inspect(store, "json")
        #expect(run.code == exit)
        #expect(try run.refusal()["code"] == .string(code))
        #expect(!run.errors.contains("damaged") && !run.errors.contains("corrupt"))
    }
}
