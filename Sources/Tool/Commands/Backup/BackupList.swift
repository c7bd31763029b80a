import ArgumentParser
import ChatDBKit

struct BackupList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the backups of a store. Changes nothing.",
        discussion: """
            Shows the backups in <store>.backups or in DIR, the newest first, with the command that restores the newest \
            one of this store. Reads only their descriptions and the sizes of their files; chatdb backup verify checks \
            the contents. With a passphrase, it marks the backups that have another one, as from before a change of the \
            passphrase. Works when the store is lost.

            Examples:
              chatdb backup list
              chatdb backup list /media/usb -d ~/chats/me
              chatdb backup list --format json | jq -r '.backups[].path'
            """, aliases: ["ls"])

    @OptionGroup var backups: BackupsOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let output = try output.output()
        try backups.store.requireFiles()
        let location = try backups.store.location()
        if backups.dir == nil { try location.requireStoreOrBackups() }
        output.detail("the store is \(location.prefix)")
        let (folder, found) = try backups.backups(of: location)
        let engine = try backups.store.engineOfList(and: found.flatMap(\.databases))
        let context = try backups.context(engine)
        try context.refuseHalfOfPair()
        let passphrases = BackupPassphrases(engine)
        let isLocked = passphrases.isOther(location)
        // A store that is lost or damaged has backups too.
        let storeID = isLocked ? nil : try? context.storeID()
        let interrupted = (try? RestoreRecord.read(at: location)) ?? nil
        let listed = found.map { backup in
            ListedBackup(
                backup, storeID: storeID, passphrases, isLocked: isLocked, interrupted: interrupted, context)
        }
        try output.write(
            BackupListReport(
                folder: folder, backups: listed, isNotAdopted: storeID == nil && isNotAdopted(context),
                isLocked: isLocked, isHalfLocked: isLocked && passphrases.opensOne(of: location),
                isUnknown: !found.isEmpty && passphrases.isMissing(of: location),
                interrupted: interrupted, given: backups.store.repeated, unseen: backups.store.unseen))
    }

    /// Whether a database of the store is one of another program.
    private func isNotAdopted(_ context: StoreContext) -> Bool {
        guard context.location.hasNamedFiles, let status = try? context.status() else { return false }
        return status.readable.values.contains { $0.kind == .unknown }
    }
}

/// The backups in a folder.
struct BackupListReport: Report {
    let folder: String
    let backups: [ListedBackup]
    /// Whether the store is a database of another program that is not adopted, or not yet.
    var isNotAdopted = false
    /// Whether the given passphrase does not open the store, or only one of its databases.
    var isLocked = false
    /// Whether it opens one of its databases, and not the other one.
    var isHalfLocked = false
    /// Whether the store is encrypted, and no passphrase was given.
    var isUnknown = false
    /// The interrupted restore or change of the passphrase; nil without one.
    var interrupted: RestoreRecord?
    /// The options for the next commands.
    var given = GivenOptions.none
    /// The hint if the file of the passphrase has bytes that an editor does not show.
    var unseen: Hint?

    var json: JSONValue {
        [
            "folder": .string(folder), "backups": .array(backups.map(ListedBackup.fields.json)),
            "notes": JSONValue(notes.map(\.text)),
        ]
    }

    var document: Document {
        Document(
            [
                .fields([Field("Folder", .text(folder))]),
                .table(
                    ListedBackup.shown.table(
                        backups,
                        whenEmpty: isLocked ? "no backups" : given.text("no backups; \(.backupMake) makes one"))),
                .notes(notes),
            ] + newest)
    }

    var csvTable: Table { ListedBackup.fields.csv(backups) }

    /// The backups that `migrate baseline` made, and those from the middle of a migration, do not lead back to the store as
    /// it should be. So they have headings of their own, those from the middle of a migration only if there is no other.
    /// Into a database that is not adopted, a restore of a backup of an adopted one requires `--force`. An interrupted
    /// restore or change of the passphrase comes first.
    private var newest: [Block] {
        if interrupted != nil { return [] }
        let all = backups.filter { $0.restore != nil }
        let opened = all.filter { $0.isOfOtherPassphrase != true }
        // After a change of the passphrase, all backups may have an earlier one.
        let restorable = opened.isEmpty && !isLocked ? all : opened
        if isNotAdopted {
            guard let restore = restorable.first(where: \.isBeforeAdoption)?.restore else { return [] }
            let isNewest = restorable.first?.isBeforeAdoption == true
            return [
                .heading(isNewest ? "To restore the newest" : "To restore the newest that is not adopted"),
                .verbatim(restore, language: "sh"),
            ]
        }
        func isUsual(_ one: ListedBackup) -> Bool {
            !one.isBeforeAdoption && !one.backup.isBeforeLostMigrations && !one.backup.isOfInterrupted
        }
        let usual = restorable.first(where: isUsual)
        let middle = usual == nil ? restorable.first(where: \.backup.isOfInterrupted) : nil
        // The passphrase may be lost.
        let plain =
            usual?.lacksPassphrase == true
            ? restorable.first { isUsual($0) && $0.restoreWithoutPassphrase != nil } : nil
        let found: [(heading: String, restore: String?)] = [
            (heading(of: usual, among: restorable, isUsual), usual?.restore),
            (
                "To restore the newest that is not encrypted, if the passphrase is lost",
                plain?.restoreWithoutPassphrase
            ),
            ("To restore the newest, which is in the middle of a migration", middle?.restore),
            ("To undo the adoption", restorable.first(where: \.isOfThisAdoption)?.restore),
            (
                "To undo migrate baseline, with the lost rows of the list of migrations",
                restorable.first(where: \.backup.isBeforeLostMigrations)?.restore
            ),
        ]
        return found.flatMap { heading, restore -> [Block] in
            guard let restore else { return [] }
            return [.heading(heading), .verbatim(restore, language: "sh")]
        }
    }

    /// The heading of the newest usual backup, which says why it is not one that is newer.
    private func heading(
        of usual: ListedBackup?, among restorable: [ListedBackup], _ isUsual: (ListedBackup) -> Bool
    ) -> String {
        if backups.first(where: { $0.restore != nil && isUsual($0) })?.backup != usual?.backup {
            return "To restore the newest that this passphrase opens"
        }
        let newer = restorable.prefix { $0.backup != usual?.backup }
        if newer.contains(where: \.backup.isOfInterrupted) {
            return "To restore the newest that is not in the middle of a migration"
        }
        return backups.prefix { $0.backup != usual?.backup }.contains { $0.onlyDatabase != nil }
            ? "To restore the newest that has both databases" : "To restore the newest"
    }

    /// The command that completes a migration. Those of adopted databases are in a folder.
    private var completion: HintedCommand {
        HintedCommand(.migrateRun, given.files.isEmpty ? [] : HintedCommand.unnamedFolder)
    }

    private var notes: [Note] {
        var notes: [Note] = []
        if let interrupted {
            notes.append(
                .warning(given.text("\(interrupted.interruption); \(interrupted.completion) completes it")))
        }
        notes += backups.map(\.backup).filter { $0.state == .unfinished }.map { .warning($0.unfinished) }
        if backups.contains(where: { $0.backup.state == .damaged }) {
            notes.append(.warning(Hint("damaged: \(.backupVerify, "FOLDER") says what is wrong").text()))
        }
        if backups.contains(where: { $0.isOfOtherPassphrase == true }) {
            notes.append(
                .note("other passphrase: the given one does not open the backup; restore needs that of the backup"))
        }
        if backups.contains(where: \.backup.isOfInterrupted) {
            notes.append(
                .note(
                    """
                    in the middle of a migration: such a backup does not lead back to the state before the migration; \
                    after its restore, \(completion) completes the migration
                    """, given))
        }
        notes += DatabaseName.allCases.filter { database in backups.contains { $0.onlyDatabase == database } }
            .map { .note("\($0) only: \(FoundBackup.restoredByHand)") }
        if isNotAdopted, interrupted == nil, backups.contains(where: { $0.restore != nil && !$0.isBeforeAdoption }) {
            notes.append(
                .note("the store is not adopted; for a backup of the adopted store, restore needs --force"))
        }
        if isUnknown, interrupted == nil {
            notes.append(
                .note(
                    "the store is encrypted, so chatdb does not know without its passphrase which backups are of it"))
        }
        if isLocked, interrupted == nil {
            notes.append(
                .note(
                    (isHalfLocked
                        ? "the given passphrase opens only one of the two databases of the store"
                        : "the given passphrase does not open the store")
                        + (backups.isEmpty
                            ? "" : ", so chatdb does not know which backups are of it, and restore needs --force")))
        }
        if let unseen, isLocked || backups.contains(where: { $0.isOfOtherPassphrase == true }) {
            notes.append(.note(unseen.text()))
        }
        return notes
    }
}
