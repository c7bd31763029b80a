package import ChatDBKit
import Foundation

/// The command that restores a backup, ready to type.
package struct RestoreCommandLine {
    /// The folder of the backup.
    package let folder: String
    package let store: StoreLocation
    /// The versions in the backup; nil for a database without one.
    package let versions: [DatabaseName: String?]
    package let build: [DatabaseName: [Migration]]
    /// The folder of the migrations; nil for this build's own.
    package var migrationsDir: String?
    /// The option that gave the passphrase of an encrypted store; nil without one.
    package var passphrase: GivenPassphrase?
    /// Whether the backup needs a passphrase that was not given. The command then has a word for its file.
    package var lacksPassphrase = false
    /// Whether the passphrase of the backup does not open the store, which is restored only with `--force` then.
    package var isLocked = false

    package init(
        folder: String, store: StoreLocation, versions: [DatabaseName: String?], build: [DatabaseName: [Migration]],
        migrationsDir: String? = nil, passphrase: GivenPassphrase? = nil
    ) {
        self.folder = folder
        self.store = store
        self.versions = versions
        self.build = build
        self.migrationsDir = migrationsDir
        self.passphrase = passphrase
    }

    package var text: String {
        if let server = store.server { return Self.text(of: folder, on: server) }
        let isForced = isLocked || isNewer && !store.hasNamedFiles
        let passphrase: GivenPassphrase? = lacksPassphrase ? .file("FILE") : passphrase?.absolute
        return HintedCommand(.restore, [folder] + store.words + (isForced ? ["--force"] : []))
            .text(GivenOptions(passphrase: passphrase, migrationsDir: migrationsDir.map(Self.absolute)))
    }

    /// The command that replaces both schemas by those of a backup, in one transaction.
    private static func text(of folder: String, on server: ServerStore) -> String {
        let schemas = DatabaseName.allCases.map(server.schema).joined(separator: ", ")
        let file = ShellWord.quoted(folder + "/" + StoreContext.dumpName)
        return "{ echo 'BEGIN; DROP SCHEMA \(schemas) CASCADE;' && pg_restore -f - \(file) && echo 'COMMIT;'; } | "
            + "psql -q -v ON_ERROR_STOP=1 \(ShellWord.quoted(server.uri))"
    }

    /// The command is kept, and typed later in another folder.
    package static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : URL(fileURLWithPath: path).standardizedFileURL.path
    }

    /// Whether this build does not have the version in the backup, which it restores only with `--force`.
    private var isNewer: Bool {
        versions.contains { database, version in
            version.map { version in build[database]?.contains { $0.name == version } != true } ?? false
        }
    }
}

extension RestoreCommandLine {
    /// The command for the last backup of a run; nil if it made none, or one with one database of two, which chatdb
    /// restore does not take.
    package init?(
        for report: MigrationReport, of migrator: Migrator, migrationsDir: String?, passphrase: GivenPassphrase? = nil
    ) {
        guard let folder = report.backupOfInterrupted?.path ?? report.backup ?? report.completion?.backup,
            FoundBackup(at: folder)?.onlyDatabase(of: migrator.context.location) == nil
        else { return nil }
        self.init(
            folder: folder, store: migrator.context.location,
            versions: FoundBackup(at: folder)?.manifest?.parts.mapValues(\.version) ?? [:],
            build: migrator.context.build, migrationsDir: migrationsDir, passphrase: passphrase)
    }
}

extension MigrationReport {
    /// The backup of an interrupted run that a run has completed. Restored, it takes back both. Nil if something was done
    /// after the completion, and if it is no longer there.
    package var backupOfInterrupted: FoundBackup? {
        guard backup == nil, let found = completed?.backup.flatMap({ FoundBackup(at: $0) }), found.state == .complete
        else { return nil }
        return found
    }
}

extension GivenPassphrase {
    /// The same option in another folder.
    package var absolute: GivenPassphrase {
        guard case .file(let path) = self else { return self }
        return .file(RestoreCommandLine.absolute(path))
    }
}

extension StoreLocation {
    /// The options that name the store on a command line.
    package var words: [String] {
        hasNamedFiles ? databases.flatMap { ["--database", "\($0)=\(path(of: $0))"] } : ["-d", prefix]
    }
}

/// The texts about an interrupted restore, or an interrupted change of the passphrase.
extension RestoreRecord {
    /// What was interrupted, a clause.
    package var interruption: String {
        rewriting == nil
            ? "a restore of \(backup) begun at \(startedAt) was interrupted"
            : "a change of the passphrase begun at \(startedAt) was interrupted"
    }

    /// The command that completes it.
    package var completion: HintedCommand {
        rewriting?.kind.command ?? HintedCommand(.restore, [backup])
    }
}

extension RestoreRecord.Rewriting.Kind {
    /// The command that makes such a change, and completes it.
    package var command: HintedCommand {
        switch self {
        case .set: HintedCommand(.passphraseSet)
        case .change: HintedCommand(.passphraseChange)
        case .remove: HintedCommand(.passphraseRemove)
        }
    }
}

/// The texts about files that a restore, or a change of the passphrase, left when it was killed.
extension AbandonedFiles {
    /// A clause for `inspect`.
    package var sentence: String {
        let empty = emptyFolders.isEmpty ? [] : ["the \(emptyNoun) \(emptyFolders.joined(separator: " and "))"]
        let form =
            !plain.isEmpty
            ? "plain copies of databases"
            : unfinished.isEmpty ? "copies of databases" : "copies of databases, which may be plain,"
        let left = (databases.isEmpty ? [] : ["\(form) in \(folder)"]) + empty
        return "a restore or a change of the passphrase was killed, and left \(left.joined(separator: ", and "))"
    }

    private var emptyNoun: String { emptyFolders.count == 1 ? "empty folder" : "empty folders" }

    /// The databases, as `check` lists them.
    var samples: [String] {
        databases.map { "\(fileName(of: folder))/\($0)" + form(of: $0) }
            + emptyFolders.map { "\(fileName(of: $0)) (empty)" }
    }

    private func form(of database: String) -> String {
        if plain.contains(database) { return " (plain)" }
        return unfinished.contains(database) ? " (unfinished, may be plain)" : ""
    }

    /// The remedy of `check`.
    var remedy: Hint {
        let folders = emptyFolders.map(ShellWord.quoted).joined(separator: " ")
        if databases.isEmpty {
            return """
                rmdir \(folders) removes the \(emptyNoun), and so does the next restore, or change of the passphrase.
                """
        }
        let form =
            !plain.isEmpty
            ? "copies in plain text" : unfinished.isEmpty ? "copies" : "unfinished copies, which may be in plain text"
        let others = emptyFolders.isEmpty ? "" : " \(folders)"
        return """
            The store is as it was: the files are \(form). rm -r \(ShellWord.quoted(folder))\(others) removes them, and so \
            does the next restore, or change of the passphrase.
            """
    }
}
