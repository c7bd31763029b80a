import ChatDBKit
import Foundation
import TestKit
import Testing

/// Safety D03, S15, with the tool as a process. The suite tries some files, `make torture` tries 4,000;
/// `CHATDB_MUTATIONS` sets the number.
@Suite("torture by random damage", .timeLimit(.minutes(300))) struct DamageTortureTests {
    private static let count = FaultSample.count(4_000, else: 30, variable: "CHATDB_MUTATIONS")

    @Test("D03, S15: with random damage every command answers or fails in time, and shows no personal text")
    func mutations() throws {
        let store = try DemoStore.make()
        try store.sql("UPDATE contact_profiles SET short_descr = 'MARKER'; UPDATE users SET view_pwd_hash = NULL;")
        let file = URL(fileURLWithPath: store.file("x_chat.db"))
        let good = Array(try Data(contentsOf: file))
        var random = SplitMix64(seed: 4_711)
        for number in 0..<Self.count {
            try Data(Self.mutated(good, number, &random)).write(to: file)
            let format = number.isMultiple(of: 2) ? "json" : "table"
            // The system ends a process that does not end by itself.
            let run = try store.shell("ulimit -t 30; exec \"$CHATDB\" inspect --format \(format)")
            #expect([0, 65, 66, 74, 78].contains(run.code), "mutation \(number): \(run.code) \(run.errors)")
            #expect(!(run.output + run.errors).contains("MARKER"), "mutation \(number)")
        }
        #expect(Set(try store.folder.fingerprint().keys) == ["x_chat.db", "x_agent.db"])
    }

    static func mutated(_ good: [UInt8], _ number: Int, _ random: inout SplitMix64) -> [UInt8] {
        var bytes = good
        for _ in 0...number % 8 {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        switch number % 5 {
        case 0: bytes[Int.random(in: 16..<4_096, using: &random)] ^= 0x55
        case 1: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
        case 2:
            let page = Int.random(in: 0..<bytes.count / 4_096, using: &random) * 4_096
            for index in page..<page + Int.random(in: 8..<64, using: &random) {
                bytes[index] = .random(in: 0...255, using: &random)
            }
        default: break
        }
        return bytes
    }
}
