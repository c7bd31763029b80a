import ArgumentParser
import ChatDBKit
import Foundation

struct BackupVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify that backups are as chatdb made them. Changes nothing.",
        discussion: """
            Compares the size and SHA-256 of each file with backup.json, checks each database in full, and counts the \
            rows of every table. Also finds what makes restore refuse a backup: a lost row of the table store, or two \
            databases that do not belong together. Marks a backup that lacks a database of the store. Without FOLDER, \
            verifies all backups in <store>.backups. FOLDER is a backup, the name of one of these, or a folder of \
            backups. Without a passphrase, it verifies the plain backups, and compares only sizes and SHA-256 of \
            encrypted ones. Exits with 1 if something is wrong with a backup, or if it is encrypted and no given \
            passphrase opens it.

            Examples:
              chatdb backup verify
              chatdb backup verify /media/usb/chatdb-20260920T101500Z-20260907_list_indexes
              chatdb backup verify /media/usb --format json
            """)

    @Argument(
        help: ArgumentHelp("The folder of a backup, or of several.", valueName: "folder"), completion: .directory)
    var folders: [String] = []

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if folders.contains("") { throw ValidationError("the name of the backup folder is empty") }
    }

    func run() throws {
        let output = try output.output()
        Signals.interruptsAskToStop()
        try store.requireFiles()
        let location = try store.location()
        if folders.isEmpty { try location.requireStoreOrBackups() }
        let found = try backups(of: location)
        let (engine, unseen) = try store.engine(of: found.flatMap(\.databases), mayBeOmitted: true)
        var context = StoreContext(engine: engine, location: location, build: try MigrationSource.build.load())
        context.cancellation = Signals.cancellation
        try context.refuseHalfOfPair()
        let bar = RunProgress(output)
        defer { bar.finish() }
        context.progress = { bar.show($0) }
        var verified: [VerifiedBackup] = []
        for backup in found {
            output.detail("verifying \(backup.path)")
            verified.append(
                VerifiedBackup(
                    backup: backup, problems: try context.problems(of: backup),
                    onlyDatabase: backup.onlyDatabase(at: location)))
        }
        bar.finish()
        let report = BackupVerifyReport(backups: verified, given: store.repeated, unseen: unseen)
        try output.write(report)
        if !report.isOK { throw Answer(status: .no) }
    }

    private func backups(of store: StoreLocation) throws -> [FoundBackup] {
        if folders.isEmpty { return try FoundBackup.all(in: store.backupsPath) }
        return try folders.flatMap { folder throws -> [FoundBackup] in
            let path = RestoreCommandLine.absolute(folder)
            if let backup = FoundBackup(at: path) { return [backup] }
            if FileState(at: path) == .missing, let backup = named(folder, store) { return [backup] }
            if FileState(at: path) == .missing {
                try self.store.refuseHalfOfPair()
                throw RestoreError.notThere(path)
            }
            let found = try FoundBackup.all(in: path)
            if found.isEmpty { throw nothingToVerify(in: path, store) }
            return found
        }
    }
}

extension BackupVerify {
    /// The error for a folder without a backup. A folder of replaced files has the databases alone.
    private func nothingToVerify(in folder: String, _ store: StoreLocation) -> any Error {
        guard let moved = try? store.moved(to: folder), !moved.isAbsent, moved.folder != store.folder else {
            return RestoreError.noBackup(folder)
        }
        return HintedError(
            RestoreError.refused(folder, .unverified),
            hint: "\(.restore, folder, "--dry-run") shows what a restore would change, and --force restores it")
    }

    /// The backup of this name beside the store: `backup list` shows backups by their names.
    private func named(_ name: String, _ store: StoreLocation) -> FoundBackup? {
        name.contains("/") ? nil : FoundBackup(at: store.backupsPath + "/" + name)
    }
}

/// A backup, and what is wrong with it.
struct VerifiedBackup {
    let backup: FoundBackup
    /// Clauses; empty for a backup that is as chatdb made it.
    let problems: [String]
    /// Its database, if it lacks the other one of a store of two. Its files can be as chatdb made them all the same.
    var onlyDatabase: DatabaseName?

    /// Whether the given passphrase does not open it; nil if it is encrypted, and no passphrase was given.
    var isOfOtherPassphrase: Bool? {
        problems.contains(StoreContext.noPassphrase) ? nil : problems.contains(StoreContext.otherPassphrase)
    }

    static var fields: [FieldSpec<VerifiedBackup>] {
        [
            .text("path", "Backup") { $0.backup.path }, .flag("verified", "Verified") { $0.problems.isEmpty },
            .texts("problems", "Problems", separator: "; ") { $0.problems },
            .flag("otherPassphrase", "Other passphrase") { $0.isOfOtherPassphrase },
        ]
    }

    /// The columns for people.
    static var shown: [FieldSpec<VerifiedBackup>] {
        [
            // Never shortened: other commands need it.
            .shown("Backup") { .text(fileName(of: $0.backup.path)) },
            .shown("Verified") { one in
                .text((one.problems.isEmpty ? "yes" : "no") + (one.onlyDatabase.map { ", \($0) only" } ?? ""))
            },
            .shown("Problems", shrinking: .wrapped) {
                .text($0.problems.isEmpty ? nil : $0.problems.joined(separator: "; "))
            },
        ]
    }
}

/// The result of a verification of backups.
struct BackupVerifyReport: Report {
    let backups: [VerifiedBackup]
    /// The options for the next commands.
    var given = GivenOptions.none
    /// The hint if the file of the passphrase has bytes that an editor does not show.
    var unseen: Hint?

    var isOK: Bool { backups.allSatisfy { $0.problems.isEmpty } }

    var json: JSONValue {
        ["ok": .bool(isOK), "backups": .array(backups.map(VerifiedBackup.fields.json)), "notes": JSONValue(notes)]
    }

    private var notes: [String] {
        let ofOne = backups.filter { $0.onlyDatabase != nil }.map(\.backup.path)
        return ofPassphrases + ofOne.map { "\($0) has one database of a store of two: \(FoundBackup.restoredByHand)" }
    }

    private var ofPassphrases: [String] {
        if backups.contains(where: { $0.isOfOtherPassphrase == nil }) {
            return [
                "chatdb compared only sizes and SHA-256 of the encrypted backups. To check their databases and count their "
                    + "rows too, give the passphrase with --passphrase-file FILE or --passphrase-stdin"
            ]
        }
        guard let other = backups.first(where: { $0.isOfOtherPassphrase == true }) else { return [] }
        let command = HintedCommand(.backupVerify, [other.backup.path, "--passphrase-file", "FILE"]).text()
        return ["give the passphrase of a backup that has another one with --passphrase-file: \(command)"]
            + (unseen.map { [$0.text()] } ?? [])
    }

    var document: Document {
        let empty = given.text("no backups; \(.backupMake) makes one")
        return [.table(VerifiedBackup.shown.table(backups, whenEmpty: empty)), .notes(notes.map { .note($0) })]
    }

    var csvTable: Table { VerifiedBackup.fields.csv(backups) }
}
