import ChatDBKit
import Synchronization

/// Records that this process has committed the change of its command. If the process then cannot write the answer, the
/// error says that the change was made. Otherwise a script would try again, and make the change twice.
enum CommittedChange {
    /// The copy that chatdb kept of what the change removed, as lines and as JSON.
    struct Kept: Sendable {
        var lines: [String] = []
        var details: [JSONValue.Member] = []
    }

    private static let isThere = Atomic<Bool>(false)
    private static let kept = Mutex(Kept())

    /// Records that the change is on the disk.
    static func note() { isThere.store(true, ordering: .relaxed) }

    /// Whether a change is on the disk.
    static var wasMade: Bool { isThere.load(ordering: .relaxed) }

    /// Records the copy, which only the answer would show otherwise.
    static func keep(_ copy: Kept) { kept.withLock { $0 = copy } }

    /// The report of an error after a committed change, which says that the change was made, and where its copy is.
    static func adding(_ report: ErrorReport, of error: any Error) -> ErrorReport {
        guard error is WriteFailed, isThere.load(ordering: .relaxed) else { return report }
        let kept = kept.withLock(\.self)
        return ErrorReport(
            report.code, report.message, lines: report.lines + kept.lines,
            state: "The change was made; only the report could not be written.",
            hint: "check the store before you try again",
            details: .object((report.details.members ?? []) + [.init("done", .bool(true))] + kept.details),
            exit: report.exit)
    }
}
