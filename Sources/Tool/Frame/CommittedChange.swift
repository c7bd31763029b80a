import ChatDBKit
import Synchronization

/// Whether this process has done what it was asked to do, apart from saying so. When the answer cannot be written then,
/// a script that only tries again would do it twice.
enum CommittedChange {
    private static let isThere = Atomic<Bool>(false)

    /// Called when a change is on the disk.
    static func note() { isThere.store(true, ordering: .relaxed) }

    /// An error that comes after it, told with the state things are in.
    static func telling(_ report: ErrorReport, of error: any Error) -> ErrorReport {
        guard error is WriteFailed, isThere.load(ordering: .relaxed) else { return report }
        return ErrorReport(
            report.code, report.message, state: "What was asked for was done; only the answer could not be written.",
            hint: "look at the store before trying again",
            details: .object((report.details.members ?? []) + [.init("done", .bool(true))]), exit: report.exit)
    }
}
