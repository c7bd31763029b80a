import ChatDBKit
import Foundation
import Synchronization
import TestKit
import Testing

@Suite("concurrent commands") struct CommandsAtOnceTests {
    @Test("while channels are created, every list succeeds, shows whole channels only, and never fewer than before")
    func lists() throws {
        let run = try ToolRun()
        try run.succeed("migrate", "run")
        try run.succeed("user", "add", "alice", "--seed", "7")
        let isDone = Mutex(false)
        let problems = Mutex<[String]>([])
        OwnThreads.perform(4) { lane in
            do {
                if lane == 0 {
                    defer { isDone.withLock { $0 = true } }
                    for number in 0..<8 { try run.succeed("group", "create", "c\(number)", "--relays", "2") }
                } else {
                    var last = 0
                    repeat {
                        let answer = try run.succeed("group", "list", "--format", "json").answer()
                        let groups = answer["groups"]?.arrayValue ?? []
                        if groups.count < last || groups.contains(where: { $0["progress"]?["total"] != 2 }) {
                            problems.withLock { $0.append("\(lane): \(groups.count) after \(last)") }
                        }
                        last = groups.count
                    } while !isDone.withLock { $0 }
                }
            } catch {
                problems.withLock { $0.append("\(lane): \(error)") }
            }
        }
        #expect(problems.withLock { $0 } == [])
        #expect(try run.sql("SELECT count(*) FROM groups") == "8")
    }

    @Test("commands that write wait for each other, and every change is kept")
    func writers() throws {
        let run = try ToolRun()
        try run.succeed("migrate", "run")
        try run.succeed("user", "add", "alice", "--seed", "7")
        let problems = Mutex<[String]>([])
        OwnThreads.perform(3) { lane in
            do {
                for number in 0..<3 { try run.succeed("group", "create", "c\(lane)-\(number)", "--relays", "2") }
            } catch {
                problems.withLock { $0.append("\(lane): \(error)") }
            }
        }
        #expect(problems.withLock { $0 } == [])
        #expect(try run.sql("SELECT count(*) FROM groups") == "9")
    }
}
