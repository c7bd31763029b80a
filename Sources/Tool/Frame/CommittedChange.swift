import ChatDBKit
import Synchronization

/// Whether this process has committed the change that a command asked for. When its answer cannot be written after that,
/// a script that tries again would make the change twice.
enum CommittedChange {
    /// The copy that the change left, in the words of its command.
    struct Kept: Sendable {
        var lines: [String] = []
        var details: [JSONValue.Member] = []
    }

    private static let isThere = Atomic<Bool>(false)
    private static let kept = Mutex(Kept())

    /// Called when a change is on the disk.
    static func note() { isThere.store(true, ordering: .relaxed) }

    /// Called with the copy that the change left. Only the answer has it otherwise.
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
