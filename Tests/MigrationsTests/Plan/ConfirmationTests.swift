import TestKit
import Testing

@testable import ChatDBMigrations

/// Rule: docs/migrations.md, "Consent".
@Suite struct ConfirmationTests {
    enum Mode: String, CaseIterable {
        case error, yesUp, yesUpDown, consoleYes, consoleNo

        var confirmation: ChatDBMigrations.Confirmation {
            switch self {
            case .error: .error
            case .yesUp: .yesUp
            case .yesUpDown: .yesUpDown
            case .consoleYes: .console { _ in true }
            case .consoleNo: .console { _ in false }
            }
        }
    }

    /// The answer of each mode to a store that is older, newer, current, or missing.
    static let table: [(state: String, allowed: Set<Mode>, refusals: [Mode: String])] = [
        ("current", Set(Mode.allCases), [:]),
        ("absent", Set(Mode.allCases), [:]),
        (
            "older", [.yesUp, .yesUpDown, .consoleYes],
            [.error: "needsUpgrade", .consoleNo: "declined"]
        ),
        (
            "newer", [.yesUpDown, .consoleYes],
            [.error: "needsDowngrade", .yesUp: "needsDowngrade", .consoleNo: "declined"]
        ),
    ]

    @Test(
        "M16: each mode permits its directions, and refuses the others with the names, without writing",
        arguments: Mode.allCases)
    func modes(_ mode: Mode) throws {
        let first = SyntheticHistory.Step(
            "first", "CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT", down: "DROP TABLE t")
        let second = SyntheticHistory.Step(
            "second", "CREATE TABLE u (id INTEGER PRIMARY KEY) STRICT", down: "DROP TABLE u")
        let short = try SyntheticHistory.make(chat: [first])
        let long = try SyntheticHistory.make(chat: [first, second])
        for row in Self.table {
            let store = try SyntheticStore()
            if row.state != "absent" { _ = try store.migrator(row.state == "newer" ? long : short).run() }
            let build = row.state == "older" ? long : short
            let migrator = store.migrator(build) { $0.confirmation = mode.confirmation }
            let before = try store.folder.fingerprint()
            if row.allowed.contains(mode) {
                _ = try migrator.run()
                #expect(try store.applied().count == build[.chat]?.count, "\(row.state)")
            } else {
                #expect("\(row.state)") {
                    _ = try migrator.run()
                } throws: { error in
                    (error as? MigrationFailure)?.error.code == row.refusals[mode]
                        && (error as? MigrationFailure)?.state == .unchanged
                        && (mode == .consoleNo || "\(error)".contains("20300102_second"))
                }
                #expect(try store.folder.fingerprint() == before, "\(row.state)")
            }
        }
    }

    @Test("an error thrown by the question is passed on unchanged, and nothing happens")
    func ownErrors() throws {
        struct NoAnswer: Error {}
        let store = try SyntheticStore()
        let steps = [SyntheticHistory.Step("first", "CREATE TABLE t (id INTEGER) STRICT")]
        _ = try store.migrator(SyntheticHistory.make(chat: steps)).run()
        let more = try SyntheticHistory.make(chat: steps + [.init("second", "CREATE TABLE u (id INTEGER) STRICT")])
        #expect(throws: NoAnswer.self) {
            _ = try store.migrator(more) { $0.confirmation = .console { _ in throw NoAnswer() } }.run()
        }
        #expect(try store.applied().count == 1)
    }
}
