import ChatDBKit

extension StoreSession {
    /// Makes a change of the chat database, for which `change` first keeps a copy of what it removes. If the change
    /// fails, chatdb removes the copy. If chatdb cannot determine whether the change was made, the copy stays.
    /// - Parameter work: the words for an error after which chatdb cannot determine that.
    /// - Parameter isUndone: whether, after a commit that failed, everything is known to be unchanged.
    func write<T>(
        keeping work: KeptWork, _ change: (any WriteTransaction, inout PresetBefore?) throws -> T,
        isUndone: () -> Bool
    ) throws -> T {
        var copy: PresetBefore?
        var isCommitting = false
        do {
            let answer = try write { store in
                try store.write { chat in
                    let answer = try change(chat, &copy)
                    try StoppedOnRequest.check()
                    isCommitting = true
                    return answer
                }
            }
            if let copy { CommittedChange.keep(.init(lines: work.lines(for: copy), details: copy.details)) }
            return answer
        } catch {
            // In a store of SimpleX Chat, the change is first made in memory.
            let mayBeCommitted = isSimplex ? self.mayBeCommitted : isCommitting
            if mayBeCommitted, !isUndone() { throw UnsureCommit(cause: error, work: work, before: copy) }
            let left = copy.flatMap { $0.remove() ? nil : $0.path }
            // The error of a change of a store of SimpleX Chat names its backup.
            let backup = copy.flatMap { $0.isBackup && !isSimplex ? $0.path : nil }
            var report = ErrorReport(error)
            guard report.exit == .ioError || left != nil || backup != nil else { throw error }
            // For a store of SimpleX Chat, the report says so already, unless there was a commit.
            if report.exit == .ioError, !isSimplex || mayBeCommitted { report.state = Self.unchanged }
            if let backup { report = report.adding(["the backup that was made is in \(backup)"]) }
            throw left.map { report.adding(["the copy that was made could not be removed: \($0)"]) } ?? report
        }
    }
}

/// The words for a kind of work that keeps a preset file, when its commit failed.
struct KeptWork {
    fileprivate let state: String
    fileprivate let hint: Hint
    /// What the preset file contains, a noun; and what follows its path.
    private let contents: String
    private var addition = ""

    /// An import or sync, which keeps the whole configuration of the profile.
    static let configuration = KeptWork(
        state: "chatdb cannot determine whether the changes were made.",
        hint: "check that the disk works, then run the command again; it shows what is still to change",
        contents: "the configuration from before", addition: ", with its passwords")

    static let relayDeletion = KeptWork(
        state: "chatdb cannot determine whether the relay was deleted.",
        hint: "check that the disk works; then \(.relayList) shows whether the relay is there",
        contents: "the relay to be deleted")

    static func serverDeletion(hasPassword: Bool) -> KeptWork {
        KeptWork(
            state: "chatdb cannot determine whether the server was deleted.",
            hint: "check that the disk works; then \(.serverList) shows whether the server is there",
            contents: "the server to be deleted", addition: hasPassword ? ", with its password" : "")
    }

    fileprivate func lines(for copy: PresetBefore) -> [String] {
        let place =
            copy.isBackup
            ? "the backup that was made before is in \(copy.path); to restore it, which takes back everything that was "
                + "changed in the store since:"
            : "\(contents) is in \(copy.path)\(addition); to put it back:"
        return [place, copy.command]
    }
}

extension PresetBefore {
    fileprivate var details: [JSONValue.Member] { [.init("before", json)] }
}

/// The commit failed, and the profile is not known to be unchanged: a broken disk may fail only to make a commit
/// durable. The copy of what was removed is therefore kept.
struct UnsureCommit: Reportable {
    let cause: any Error
    let work: KeptWork
    let before: PresetBefore?

    var report: ErrorReport {
        let cause = ErrorReport(cause)
        return ErrorReport(
            cause.code, cause.message, lines: (before.map(work.lines) ?? []) + cause.lines, state: work.state,
            hint: work.hint, details: cause.details, exit: cause.exit
        ).adding([], before?.details ?? [])
    }
}
