import ChatDBKit

/// A server, or the server of a relay, with the result of its test.
struct ConnectionTestRow {
    /// The number of the server or relay.
    let id: Int64
    /// Its name for people.
    let name: String
    /// Its address without a password.
    let address: String
    /// Where it is; nil if the stored address is not valid.
    let target: ServerTestTarget?
    /// The result; nil before the test, and without a target.
    var result: ServerTestResult?
    /// Whether the store has the result as that of the last test.
    var isRecorded = false

    /// Whether the test passed; nil if there was none.
    var passed: Bool? { result?.passed ?? nil }

    /// Whether the test was wanted, and this machine could not make it.
    var couldNotBeMade: Bool { if case .notTested = result?.outcome { true } else { false } }

    /// `passed`, `failed` or `skipped`.
    var outcome: String {
        switch passed {
        case true?: "passed"
        case false?: "failed"
        case nil: "skipped"
        }
    }

    /// The reason why it failed or was skipped, as a clause; nil if it passed.
    var message: String? {
        switch result?.outcome {
        case .passed: nil
        case .failed(let failure), .notTested(let failure): failure.message
        case .onlyOnion: "it has .onion hosts only, which only Tor reaches"
        case nil: "the address in the store is not valid"
        }
    }

    /// The stable name of that reason.
    private var problem: String? {
        switch result?.outcome {
        case .passed: nil
        case .failed(let failure), .notTested(let failure): failure.code
        case .onlyOnion: "onlyOnion"
        case nil: "invalidAddress"
        }
    }

    private var versions: ClosedRange<UInt16>? {
        if case .passed(let versions) = result?.outcome { versions } else { nil }
    }

    /// The milliseconds of the test; nil if there was none.
    private var milliseconds: Int? {
        guard let result, passed != nil else { return nil }
        let (seconds, attoseconds) = result.duration.components
        return Int(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    /// What the test found, for people.
    private var found: String {
        if let message { return result?.failure.map { "\($0.step.rawValue): \(message)" } ?? message }
        let spoken = versions.map { versions in
            versions.count == 1
                ? "SMP version \(versions.lowerBound)" : "SMP versions \(versions.lowerBound) to \(versions.upperBound)"
        }
        let known = target?.keyHash == nil ? "key hash unknown" : "certificate as expected"
        return [spoken, known].compactMap(\.self).joined(separator: "; ")
    }
}

extension ConnectionTestRow {
    private typealias Field = FieldSpec<ConnectionTestRow>

    /// All properties for programs and spreadsheets.
    /// - Parameter idKey: `serverId` or `chatRelayId`.
    static func fields(_ idKey: String) -> [FieldSpec<ConnectionTestRow>] {
        [
            .number(idKey) { $0.id }, .text("address") { $0.address }, .text("host") { $0.target?.testedHost },
            .number("port") { $0.target.map { Int64($0.port) } }, .text("outcome") { $0.outcome },
            .text("step") { $0.result?.failure?.step.rawValue }, .text("problem") { $0.problem },
            .text("message") { $0.message }, .flag("keyHashKnown") { $0.target?.keyHash != nil },
            .count("lowest", in: "versions") { $0.versions.map { Int($0.lowerBound) } },
            .count("highest", in: "versions") { $0.versions.map { Int($0.upperBound) } },
            .count("milliseconds") { $0.milliseconds }, .flag("recorded") { $0.isRecorded },
        ]
    }

    /// The tests for people.
    /// - Parameter title: the title of the names' column.
    static func listed(_ title: String) -> [FieldSpec<ConnectionTestRow>] {
        [
            .number("id", "Id") { $0.id }, .shown(title, shrinking: .middle) { .text($0.name) },
            .shown("Test") { .text($0.outcome, $0.passed == true ? .good : $0.passed == false ? .bad : .dim) },
            .shown("Result", shrinking: .wrapped) { .text($0.found) },
            .shown("Time") { .text($0.milliseconds.map { "\($0) ms" }) },
        ]
    }
}
