import ChatDBKit

/// The copy that a deletion leaves behind, so that it can be undone: a preset file of relays and servers, or a backup of
/// the store.
struct KeptCopy {
    enum Kind: String {
        case preset
        case backup
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

    /// A backup in a folder; `path` is nil for one that a dry run only announces.
    init(backup path: String?, in folder: String, of store: StoreLocation) {
        kind = .backup
        self.folder = folder
        // The store has this build's version: no other store is written.
        made = path.map {
            ($0, RestoreCommandLine(folder: $0, store: store.prefix, versions: [:], build: [:]).text)
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

    /// The place of the copy, and the command that undoes the deletion, for people.
    var blocks: [Block] {
        guard let copy = self, let made = copy.made else { return [.notes(notes)] }
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
                .verbatim(made.command, language: "sh"), .notes(notes),
            ]
        }
    }

    private var notes: [Note] {
        guard let copy = self else { return [.note("there is no copy to undo the deletion with (--no-backup)")] }
        switch copy.kind {
        case .preset where copy.made == nil:
            let password = copy.hasPassword ? ", with the password" : ""
            return [.note("chatdb would first keep what is deleted in a file in \(copy.folder)\(password)")]
        case .preset: return []
        case .backup where copy.made == nil:
            return [
                .note(
                    "chatdb would first make a backup in \(copy.folder); restoring it takes back everything that is "
                        + "changed in the store from then on")
            ]
        case .backup:
            return [.note("the backup contains what was deleted; remove it when you no longer need it")]
        }
    }

    /// Writes to standard error what does not fit into CSV.
    func note(to output: Output) {
        guard output.format == .csv else { return }
        for note in notes { output.note(note.text) }
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
    func kept(_ made: PresetBefore?, hasPassword: Bool = false, of store: StoreLocation) -> KeptCopy? {
        noBackup ? nil : KeptCopy(made, hasPassword: hasPassword, of: store)
    }
}

extension StoreSession {
    /// Makes a change of the chat database, for which `change` first keeps a copy of what it removes. If the change
    /// fails, chatdb removes the copy. If chatdb cannot determine whether the change was made, the copy stays.
    /// - Parameter isUndone: whether, after a commit that failed, everything is known to be unchanged.
    func write<T>(
        keeping change: (any WriteTransaction, inout PresetBefore?) throws -> T, isUndone: () -> Bool
    ) throws -> T {
        var copy: PresetBefore?
        var isCommitting = false
        do {
            return try write { store in
                try store.write { chat in
                    let answer = try change(chat, &copy)
                    try StoppedOnRequest.check()
                    isCommitting = true
                    return answer
                }
            }
        } catch {
            if isCommitting, !isUndone() { throw UnsureCommit(cause: error, before: copy) }
            copy?.remove()
            guard let report = (error as? any Reportable)?.report, report.exit == .ioError else { throw error }
            throw HintedError(report, state: "Nothing was changed.", hint: nil)
        }
    }
}

/// The commit failed, and the profile is not known to be unchanged: a broken disk may fail only to make a commit
/// durable. The copy of what was removed is therefore kept.
struct UnsureCommit: Reportable {
    let cause: any Error
    let before: PresetBefore?

    var report: ErrorReport {
        let cause = ErrorReport(cause)
        let kept = before.map {
            ["what the command removes or replaces is in \($0.path), with passwords; to put it back:", $0.command]
        }
        return ErrorReport(
            cause.code, cause.message, lines: kept ?? [],
            state: "chatdb cannot determine whether the changes were made.",
            hint: cause.hint ?? "run the command again; it shows what is still to change",
            details: before.map { ["before": $0.json] } ?? cause.details, exit: cause.exit)
    }
}
