import ArgumentParser
import ChatDBKit
import Foundation

struct BackupPrune: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Remove the old backups of a store, and keep the newest.",
        discussion: """
            Keeps the newest complete backups of this store in <store>.backups or in DIR, and removes the older ones \
            after a confirmation. Never removes a backup of another store, a damaged or unfinished one, one from the \
            middle of a migration, one that lacks a database of the store, an encrypted one that the passphrase of the \
            store does not open, or a folder that contains other files too.

            Examples:
              chatdb backup prune --keep 7 --dry-run
              chatdb backup prune --keep 7 --yes
              chatdb backup prune /media/usb --keep 1 -d ~/chats/me
            """)

    @OptionGroup var backups: BackupsOptions

    @Option(help: ArgumentHelp("Keep this many backups, the newest.", valueName: "n"))
    var keep: Int

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if keep < 1 { throw ValidationError("--keep must be at least 1") }
    }

    func run() throws {
        let output = try output.output()
        let context = try backups.context()
        output.detail("the store is \(context.location.prefix)")
        let folder = try backups.backups(of: context.location).folder
        let hasPassphrase = (context.engine as? SQLiteEngine)?.hasPassphrase == true
        func planned(_ pruning: BackupPruning) -> BackupPruneReport {
            BackupPruneReport(
                folder: folder, pruning: pruning, left: [], isApplied: false, hasPassphrase: hasPassphrase)
        }
        let report = try ConfirmedChange(consent, output).run(
            read: { try context.pruning(keeping: keep, in: folder) },
            decide: { pruning in
                let report = planned(pruning)
                return pruning.removed.isEmpty ? .stop(report) : .ask(.init(text: report.question, shown: report))
            },
            preview: { planned($0) },
            write: { pruning in
                let left = try context.prune(pruning, keeping: keep, in: folder)
                CommittedChange.note()
                return BackupPruneReport(
                    folder: folder, pruning: pruning, left: left, isApplied: true, hasPassphrase: hasPassphrase)
            })
        try output.write(report)
        if !report.left.isEmpty { throw Answer(status: .no) }
    }
}

/// The backups that are kept and removed.
struct BackupPruneReport: Report {
    let folder: String
    let pruning: BackupPruning
    /// Backups that could not be removed.
    let left: [FoundBackup]
    /// Whether the backups were removed. A dry run removes none.
    let isApplied: Bool
    /// Whether a passphrase was given. A plain store needs none, and may have encrypted backups.
    let hasPassphrase: Bool

    private var removed: [FoundBackup] { pruning.removed.filter { !left.contains($0) } }

    var question: String { "Remove \(Self.sum(of: pruning.removed)), and keep \(pruning.kept.count)?" }

    /// The number of backups, and their size.
    private static func sum(of backups: [FoundBackup]) -> String {
        "\(counted(backups.count, "backup")) (\(CellText.size(backups.reduce(0) { $0 + $1.bytes })))"
    }

    var json: JSONValue {
        func paths(_ backups: [FoundBackup]) -> JSONValue { JSONValue(backups.map(\.path)) }
        return [
            "folder": .string(folder), "applied": .bool(isApplied), "kept": paths(pruning.kept),
            "removed": paths(removed), "left": paths(left), "damaged": paths(pruning.damaged),
            "beforeAdoption": paths(pruning.beforeAdoption),
            "otherPassphrase": paths(pruning.locked), "interrupted": paths(pruning.interrupted),
            "oneDatabase": paths(pruning.oneDatabase), "unfinished": paths(pruning.unfinished),
        ]
    }

    var document: Document {
        Document(sentence + [.fields([Field("Folder", .text(folder))]), .table(table), .notes(notes)])
    }

    /// What was done. A plan has none: the question says it.
    private var sentence: [Block] {
        if pruning.removed.isEmpty { return [.paragraph("There is no backup to remove.")] }
        if !isApplied { return [] }
        return [.paragraph("Removed \(Self.sum(of: removed)), and kept \(pruning.kept.count).")]
    }

    private var table: Table {
        let groups: [(backups: [FoundBackup], result: String)] = [
            (pruning.kept, "kept"), (removed, isApplied ? "removed" : "to be removed"), (left, "not removed"),
            (pruning.damaged, "damaged"),
            (pruning.locked, hasPassphrase ? "kept, other passphrase" : "kept, encrypted"),
            (pruning.beforeAdoption, "before the adoption"), (pruning.interrupted, "in the middle of a migration"),
        ]
        let ofOne: [(backups: [FoundBackup], result: String)] = pruning.oneDatabase.map { backup in
            ([backup], "kept, \(backup.manifest?.parts.keys.first?.rawValue ?? "") only")
        }
        return Table(
            [Column("Backup"), Column("Size", key: "bytes", alignment: .right), Column("Result")],
            rows: (groups + ofOne).flatMap { backups, result in
                backups.map { [.text(fileName(of: $0.path)), .bytes($0.bytes), .text(result)] }
            }, whenEmpty: "no backups of this store")
    }

    private var notes: [Note] {
        var notes: [Note] = left.map {
            .warning("\($0.path) was not removed: it contains other files too, or cannot be changed")
        }
        notes += pruning.unfinished.map { .warning($0.unfinished) }
        if !pruning.damaged.isEmpty { notes.append(.note("damaged backups are neither counted nor removed")) }
        if !pruning.beforeAdoption.isEmpty {
            notes.append(.note("backups from before the adoption are neither counted nor removed"))
        }
        if !pruning.interrupted.isEmpty {
            notes.append(.note("backups from the middle of a migration are neither counted nor removed"))
        }
        if !pruning.oneDatabase.isEmpty {
            notes.append(
                .note("backups of one database alone are neither counted nor removed: no restore accepts them"))
        }
        if !pruning.locked.isEmpty {
            notes.append(
                .note(
                    hasPassphrase
                        ? "backups that the passphrase does not open are neither counted nor removed"
                        : "the store is not encrypted: its encrypted backups are neither counted nor removed"))
        }
        return notes
    }
}
