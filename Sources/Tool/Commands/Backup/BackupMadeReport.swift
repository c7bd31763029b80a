import ChatDBKit
import Foundation

/// The new backup, and the command to restore it.
struct BackupMadeReport: Report {
    let report: BackupReport
    let store: StoreLocation
    let build: [DatabaseName: [Migration]]
    /// The folder of the migrations; nil for this build's own.
    var migrationsDir: String?

    private var isSimplex: Bool { report.kind == .simplex }
    private var manifest: BackupManifest { report.manifest }

    private var restore: String {
        RestoreCommandLine(
            folder: report.path, store: store, versions: isSimplex ? [:] : manifest.parts.mapValues(\.version),
            build: build, migrationsDir: migrationsDir, passphrase: .ofCommandLine
        ).text
    }

    private var objection: String? {
        manifest.objection(isSimplex: isSimplex, isOurs: report.kind == .chatdb, at: store)
    }

    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("path", .string(report.path)), .init("createdAt", .string(manifest.createdAt)),
            .init("storeId", JSONValue(manifest.identity?.storeID)),
            .init("generation", JSONValue(manifest.identity?.generation)),
        ]
        for database in DatabaseName.allCases {
            members.append(.init(database.rawValue, manifest.parts[database].map(\.json) ?? .null))
        }
        return [
            "backup": .object(members), "interrupted": report.interrupted.map(\.shown) ?? .null,
            "removedBackups": JSONValue(report.removedBackups),
            "notes": JSONValue(report.notes), "restore": objection == nil ? .string(restore) : .null,
        ]
    }

    var document: Document {
        let notes = report.notes + report.removedBackups.map { "the old backup \($0) was removed" }
        return [
            .paragraph("The store was backed up, and the copies were verified."),
            .fields([Field("Backup", .text(report.path))]),
            .table(manifest.table), .notes(notes.map(Note.note)),
            .heading("To restore it"), byHand ?? .verbatim(restore, language: "sh"), .notes(completion),
        ]
    }

    private var completion: [Note] {
        guard let record = report.interrupted, byHand == nil else { return [] }
        let given = GivenOptions(
            passphrase: GivenPassphrase.ofCommandLine?.absolute,
            migrationsDir: migrationsDir.map(RestoreCommandLine.absolute))
        let command = HintedCommand(.migrateRun, record.completion.arguments + store.words).text(given)
        return [.note("after the restore, the store is in the middle of the migration; \(command) completes it")]
    }

    /// How to restore it by hand where chatdb restore refuses; nil where it does not.
    private var byHand: Block? {
        objection.map { reason in
            .paragraph(
                "Close all programs that use the store, move its files away, with those beside them, and copy the files "
                    + "of the backup to their place. chatdb restore does not accept this backup: \(reason).")
        }
    }

    var csvTable: Table {
        Table(
            manifest.table.columns + [Column("Backup")],
            rows: manifest.table.rows.map { $0 + [.text(report.path)] }, whenEmpty: "")
    }
}

extension IntentRecord {
    /// Says that a backed-up store is between two versions, as a clause.
    var middle: String {
        "a migration begun at \(startedAt) was interrupted between the two databases: the store is in the middle "
            + "of it, and so is the backup"
    }
}
