import ChatDBKit
import Foundation
import TestKit
import Testing

/// Salvage of randomly damaged stores. Where the sqlite3 shell has `.recover`, no table gets fewer rows than from it.
@Suite("torture of salvage by random damage", .timeLimit(.minutes(300))) struct SalvageTortureTests {
    private static let count = FaultSample.count(2_500, else: 20, variable: "CHATDB_MUTATIONS")

    /// A shell of SQLite with `.recover`, which many systems build without; `CHATDB_RECOVER_SHELL` names another one.
    private static let shell: String? = {
        let path = ProcessInfo.processInfo.environment["CHATDB_RECOVER_SHELL"] ?? "sqlite3"
        guard let store = try? DemoStore.empty(),
            let run = try? store.shell("'\(path)' x_chat.db .recover | grep -cE 'CREATE TABLE \"?users\"? '")
        else { return nil }
        return run.output.trimmingCharacters(in: .newlines) == "1" ? path : nil
    }()

    /// The rows that `.recover` puts into each table; empty without it.
    private func recovered(_ store: ToolRun) throws -> [String: Int] {
        guard let shell = Self.shell else { return [:] }
        let run = try store.shell(
            """
            rm -f r.db; '\(shell)' x_chat.db .recover 2>/dev/null | '\(shell)' r.db > /dev/null 2>&1
            '\(shell)' r.db "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                AND name NOT LIKE 'lost\\_and%' ESCAPE '\\' AND name NOT GLOB '*_fts*'" |
            while read -r name; do
                echo "$name|$('\(shell)' r.db "SELECT count(*) FROM \\"$name\\" NOT INDEXED" 2>/dev/null)"
            done
            """)
        var counts: [String: Int] = [:]
        for line in run.output.split(separator: "\n") {
            let parts = line.split(separator: "|")
            if parts.count == 2, let count = Int(parts[1]) { counts[String(parts[0])] = count }
        }
        return counts
    }

    @Test(
        "damaged files are saved into sound stores, never with fewer rows than sqlite3's .recover, and stay as they are"
    )
    func mutations() throws {
        let store = try DemoStore.make()
        let file = URL(fileURLWithPath: store.file("x_chat.db"))
        let good = Array(try Data(contentsOf: file))
        var random = SplitMix64(seed: 4_711)
        for number in 0..<Self.count {
            let bytes = DamageTortureTests.mutated(good, number, &random)
            try Data(bytes).write(to: file)
            let run = try store.shell(
                "rm -f new_*; ulimit -t 60; exec \"$CHATDB\" salvage --output new --only chat --format json")
            #expect(Array(try Data(contentsOf: file)) == bytes, "mutation \(number)")
            guard [0, 1].contains(run.code) else {
                #expect(run.code == 66, "mutation \(number): \(run.code) \(run.errors)")
                #expect(try recovered(store).values.allSatisfy { $0 == 0 }, "mutation \(number): \(run.errors)")
                continue
            }
            let answer = try run.answer()
            var found: [String: Int64] = [:]
            for table in answer["chat"]?["tables"]?.arrayValue ?? [] {
                found[table["table"]?.stringValue ?? ""] =
                    ["saved", "doubtful", "setAside"].reduce(0) { $0 + (table[$1]?.integerValue ?? 0) }
            }
            #expect(try store.sql("PRAGMA integrity_check", in: "new_chat.db") == "ok", "mutation \(number)")
            for (table, count) in try recovered(store) {
                #expect(found[table] ?? 0 >= count, "mutation \(number): \(table) \(count) \(found[table] ?? 0)")
            }
        }
    }
}
