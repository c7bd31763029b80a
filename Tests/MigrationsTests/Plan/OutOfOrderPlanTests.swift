import TestKit
import Testing

@testable import ChatDBMigrations

/// Rule: docs/migrations.md, "Out of order".
@Suite struct OutOfOrderPlanTests {
    private static let names = (1...8).map { "2030010\($0)_m" }

    private func migrations() throws -> [Migration] {
        let files = Self.names.map { ("sqlite/chat/\($0).up.sql", "CREATE TABLE \("t" + $0) (id INTEGER)") }
        return try MigrationSource.embedded(files).load()[.chat] ?? []
    }

    private func ledger(_ names: [String]) -> [LedgerEntry] {
        names.map { LedgerEntry(name: $0, appliedAt: "", down: "DROP TABLE x", checksum: nil) }
    }

    private func plan(
        _ build: [Migration], _ applied: [String], _ reason: String?
    ) -> Result<[String], Planner.Refusal> {
        Result { () throws(Planner.Refusal) in
            try Planner.steps(to: build[...], from: ledger(applied), known: build, outOfOrder: reason).map {
                "\($0.direction) \($0.name) \($0.note ?? "-")"
            }
        }
    }

    /// The table in the documentation, position by position.
    private func table(_ build: [String], _ applied: [String]) -> Result<[String], Planner.Refusal> {
        if let (a, d) = zip(build, applied).first(where: { $0 != $1 }) {
            return .failure(.differentHistory(build: a, database: d))
        }
        return .success(
            build.dropFirst(applied.count).map { "up \($0) -" }
                + applied.dropFirst(build.count).reversed().map { "down \($0) -" })
    }

    @Test("with the reason, a plan applies all that is missing in order; without it, the table holds", arguments: 1...8)
    func histories(_ seed: UInt64) throws {
        var numbers = FaultRandom(seed: seed)
        let all = try migrations()
        var outOfOrder = 0
        for _ in 0..<2_000 {
            let build = all.filter { _ in Int.random(in: 0..<5, using: &numbers) > 0 }
            let applied = Self.names.filter { name in
                let isKnown = build.contains { $0.name == name }
                return Int.random(in: 0..<(isKnown ? 3 : 12), using: &numbers) < (isKnown ? 2 : 1)
            }
            let expected = table(build.map(\.name), applied)
            #expect(plan(build, applied, nil) == expected, "build \(build.map(\.name)), database \(applied)")
            let missing = build.map(\.name).filter { !applied.contains($0) }
            let isSubset = applied.allSatisfy { name in build.contains { $0.name == name } }
            guard isSubset, let last = applied.last, missing.contains(where: { $0 < last }) else {
                #expect(plan(build, applied, "merge") == expected, "build \(build.map(\.name)), database \(applied)")
                continue
            }
            outOfOrder += 1
            let steps = missing.map { "up \($0) \($0 < last ? "out of order: merge" : "-")" }
            #expect(plan(build, applied, "merge") == .success(steps), "build \(build.map(\.name)), database \(applied)")
        }
        #expect(outOfOrder > 300 && outOfOrder < 1_900, "\(outOfOrder)")
    }

    @Test("a blank reason, and a run down, allow nothing")
    func notAllowed() {
        var options = MigrationOptions()
        for reason in [nil, "", " \n"] {
            options.outOfOrderReason = reason
            #expect(options.effectiveOutOfOrderReason == nil)
        }
        options.outOfOrderReason = "merge"
        #expect(options.effectiveOutOfOrderReason == "merge")
        options.target = .down(to: "a")
        #expect(options.effectiveOutOfOrderReason == nil)
    }
}
