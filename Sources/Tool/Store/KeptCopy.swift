import ChatDBKit
import Foundation

/// The copy that a deletion or repair leaves behind, so that it can be undone: a preset file of relays and servers, or
/// a backup of the store.
struct KeptCopy {
    enum Kind: String {
        case preset
        case backup
        /// The archive that the command has read, which stays as it is.
        case archive
    }

    /// The change before which a copy is made.
    enum Work: String {
        case deletion
        case repair
    }

    let kind: Kind
    /// The folder of the copy.
    let folder: String
    /// The path of the copy, and the command that undoes the deletion; nil in the answer of a dry run.
    let made: (path: String, command: String)?
    /// Whether the copy has the password of a server; a backup has all of them.
    var hasPassword = false

    /// A preset file; nil for one that a dry run only announces.
    init(_ preset: PresetBefore?, hasPassword: Bool, of store: StoreLocation) {
        kind = .preset
        self.hasPassword = hasPassword
        folder = store.folder
        made = preset.map { ($0.path, $0.command) }
    }

    /// An archive of which a changed copy was made.
    init(archive path: String) {
        kind = .archive
        folder = parentFolder(of: path)
        made = nil
    }

    /// A backup in a folder; `path` is nil for one that a dry run only announces.
    init(backup path: String?, in folder: String, of store: StoreLocation) {
        kind = .backup
        self.folder = folder
        // The store has this build's version: no other store is written.
        made = path.map {
            ($0, RestoreCommandLine(folder: $0, store: store, versions: [:], build: [:]).text)
        }
    }

    var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "folder": .string(folder), "path": JSONValue(made?.path),
            "command": JSONValue(made?.command),
        ]
    }
}

extension KeptCopy? {
    var json: JSONValue { self?.json ?? .null }

    /// The place of the copy, and the command that undoes the change, for people.
    func blocks(of work: KeptCopy.Work = .deletion) -> [Block] {
        guard let copy = self, let made = copy.made else { return [.notes(notes(of: work))] }
        switch copy.kind {
        case .preset:
            let password = copy.hasPassword ? ", with the password" : ""
            return [
                .paragraph("What was deleted is in \(made.path)\(password). To put it back:"),
                .verbatim(made.command, language: "sh"),
            ]
        case .backup:
            return [
                .fields([Field("Backup", .text(made.path))]),
                .paragraph("To restore the backup, which takes back everything that was changed in the store since:"),
                .verbatim(made.command, language: "sh"), .notes(notes(of: work)),
            ]
        case .archive: return [.notes(notes(of: work))]
        }
    }

    private func notes(of work: KeptCopy.Work) -> [Note] {
        guard let copy = self else {
            return [.note("there is no copy to undo the \(work.rawValue) with (--no-backup)")]
        }
        switch copy.kind {
        case .preset where copy.made == nil:
            let password = copy.hasPassword ? ", with the password" : ""
            return [.note("chatdb would first keep what is deleted in a file in \(copy.folder)\(password)")]
        case .preset: return []
        case .archive: return [.note("the archive stays as it was; the changed copy is a new file")]
        case .backup where copy.made == nil:
            return [
                .note(
                    "chatdb would first make a backup in \(copy.folder); restoring it takes back everything that is "
                        + "changed in the store from then on")
            ]
        case .backup:
            let contents = work == .deletion ? "what was deleted" : "the store as it was before the repair"
            return [.note("the backup contains \(contents); remove it when you no longer need it")]
        }
    }

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

extension UndoOptions {
    /// The copy in the answer to a deletion. `path` is nil for one that a dry run only announces.
    func kept(_ path: String?, of store: StoreLocation) -> KeptCopy? {
        noBackup ? nil : KeptCopy(backup: path, in: backupDir ?? store.backupsPath, of: store)
    }
}

extension KeepOptions {
    /// The copy in the answer to a deletion. `made` is nil for one that a dry run only announces.
    func kept(_ made: PresetBefore?, hasPassword: Bool = false, of store: StoreOptions) throws -> KeptCopy? {
        if let archive = store.archive { return KeptCopy(archive: archive) }
        return noBackup ? nil : KeptCopy(made, hasPassword: hasPassword, of: try store.location())
    }
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
