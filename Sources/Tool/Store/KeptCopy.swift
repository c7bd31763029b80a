import ChatDBKit
import Foundation

extension UndoOptions {
    /// The copy in the answer to a deletion. `path` is nil for one that a dry run only announces.
    func kept(_ path: String?, of store: StoreLocation) -> KeptCopy? {
        noBackup
            ? nil
            : KeptCopy(backup: path, in: backupDir ?? store.backupsPath, of: store, passphrase: .ofCommandLine)
    }
}

extension KeepOptions {
    /// The copy in the answer to a deletion. `made` is nil for one that a dry run only announces.
    func kept(_ made: PresetBefore?, hasPassword: Bool = false, of store: StoreOptions) throws -> KeptCopy? {
        if let archive = store.archive { return KeptCopy(archive: archive) }
        if noBackup { return nil }
        let location = try store.location()
        if try store.isEncrypted() {
            return KeptCopy(
                backup: made?.path, in: location.backupsPath, of: location, passphrase: .ofCommandLine)
        }
        return KeptCopy(preset: made.map { ($0.path, $0.command) }, hasPassword: hasPassword, of: location)
    }
}

extension GivenPassphrase {
    /// The option of this process.
    static var ofCommandLine: GivenPassphrase? { GivenOptions(arguments: CommandLine.arguments).passphrase }
}

extension ErrorReport {
    /// The report with more lines and details.
    func adding(_ lines: [String], _ members: [JSONValue.Member] = []) -> ErrorReport {
        ErrorReport(
            code, message, lines: self.lines + lines, state: state, hint: hint,
            details: members.isEmpty ? details : .object((details.members ?? []) + members), exit: exit)
    }
}

// Backups in the reports of errors.
extension KeptCopy {
    /// A clause with the place of a backup, and the command that restores it, on two lines.
    private var lines: [String] {
        guard let made else { return [] }
        return [
            "the backup that was made before is in \(made.path); to restore it, which takes back everything that was "
                + "changed in the store since:",
            made.command,
        ]
    }

    /// The report of an error with the backup that was made before it.
    /// - Parameter isUnchanged: whether the change was not made. The report then has no command that undoes it.
    func named(in report: ErrorReport, isUnchanged: Bool) -> ErrorReport {
        // An error at the commit says itself whether it was undone.
        let isUnchanged = isUnchanged || report.state == StoreSession.unchanged
        let lines = isUnchanged ? ["the backup that was made is in \(made?.path ?? folder)"] : lines
        return report.adding(lines, [.init("kept", json)])
    }

    /// What the error says that reports a change whose answer could not be written.
    var whenReportIsLost: CommittedChange.Kept { .init(lines: lines, details: [.init("kept", json)]) }
}

extension KeptCopy? {
    /// Writes to standard error what does not fit into CSV.
    func note(to output: Output, of work: KeptCopy.Work = .deletion) {
        guard output.format == .csv else { return }
        for note in notes(of: work) { output.note(note.text) }
        switch (self?.kind, self?.made?.command) {
        case (.preset, let command?): output.note("to put back what was deleted: \(command)")
        case (.backup, let command?):
            output.note("to restore the backup, which takes back everything changed since: \(command)")
        default: break
        }
    }
}
