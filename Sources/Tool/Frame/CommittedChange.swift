import ChatDBKit
import Synchronization

/// Whether this process has committed the change that a command asked for. When its answer cannot be written after that,
/// a script that tries again would make the change twice.
enum CommittedChange {
    private static let isThere = Atomic<Bool>(false)

    /// Called when a change is on the disk.
    static func note() { isThere.store(true, ordering: .relaxed) }

    /// The report of an error after a committed change, which says that the change was made.
    static func adding(_ report: ErrorReport, of error: any Error) -> ErrorReport {
        guard error is WriteFailed, isThere.load(ordering: .relaxed) else { return report }
        return ErrorReport(
            report.code, report.message, state: "The change was made; only the report could not be written.",
            hint: "check the store before you try again",
            details: .object((report.details.members ?? []) + [.init("done", .bool(true))]), exit: report.exit)
    }
}
