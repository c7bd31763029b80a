package import ChatDBKit
import Foundation

/// A database that cannot be read, with its path. The error of SQLite does not name the file.
package struct UnreadableFile: ChatDBError {
    package let error: StoreError
    package let path: String
    /// The problems of the store's other database, a clause each. It is empty unless neither database can be read.
    package let others: [String]
    /// The way on for a store of which neither database can be read. It is nil if there is none.
    package let rescue: Hint?

    package init(_ problem: StoreStatus.Problem) {
        error = problem.error
        path = problem.path
        others = []
        rescue = nil
    }

    package init(_ error: StoreError, at path: String) {
        self.error = error
        self.path = path
        others = []
        rescue = nil
    }

    /// Whether an error is about the file itself, so that it will not be readable later or elsewhere.
    package static func isOfFile(_ error: StoreError) -> Bool {
        switch error.kind {
        case .truncated, .damaged, .notADatabase, .notAFile: true
        default: false
        }
    }

    /// The database as programs read it.
    package func json(of database: DatabaseName) -> JSONValue {
        [
            "database": .string(database.rawValue), "path": .string(path), "code": .string(info.code),
            "message": .string(info.message),
        ]
    }

    /// The error for a store of which no database can be read. It names the problems of both: one of them may be the
    /// file that is easier to get again.
    package init(_ problem: StoreStatus.Problem, of status: StoreStatus, at location: StoreLocation) {
        error = problem.error
        path = problem.path
        let unreadable = status.problems.filter { $0 != problem }.map { UnreadableFile($0).info.message }
        let missing = location.databases.filter { status.parts[$0] == nil }
            .map { "there is no file \(location.path(of: $0))" }
        others = unreadable + missing
        rescue = Self.rescue(status.problems, at: location)
    }

    package var info: ErrorInfo {
        let own = error.info(about: path)
        if others.isEmpty { return own }
        return ErrorInfo(
            own.kind, own.code, own.message, ["path": .string(path), "others": JSONValue(others)], lines: others,
            state: own.state)
    }

    private static func rescue(_ problems: [StoreStatus.Problem], at location: StoreLocation) -> Hint? {
        // A store on a server has no files to restore or salvage.
        guard location.server == nil else { return nil }
        // The message says what to do.
        if problems.allSatisfy(\.error.isOfEncryptedLog) { return nil }
        let canSalvage = problems.contains(where: \.canBeSalvaged)
        if !canSalvage, !location.hasBackups, problems.contains(where: \.isOfDamage) {
            return "\(.restore, "FOLDER") restores a backup"
        }
        switch (!location.hasBackups, canSalvage) {
        case (false, true):
            return """
                \(.backupList) lists the backups, and \(.restore, "FOLDER") restores one; \
                \(.salvage, "--output", "NEW") writes what can be read into a new store
                """
        case (false, false): return "\(.backupList) lists the backups, and \(.restore, "FOLDER") restores one"
        case (true, true):
            return """
                \(.restore, "FOLDER") restores a backup; without one, \(.salvage, "--output", "NEW") writes what can \
                be read into a new store
                """
        case (true, false):
            guard !location.hasNamedFiles, problems.allSatisfy(\.isDead) else { return nil }
            return """
                no page of the store can be read: find another copy of its files, or a backup that \
                \(.restore, "FOLDER") restores; without one, everything in the store is lost, and \
                \(.migrateRun, "-d", "NEW") creates a new, empty store
                """
        }
    }
}

/// The remedy for a database that has another passphrase than the other one of the store. Its file is whole, so neither
/// a salvage nor another copy of the file helps.
enum OtherPassphraseRemedy {
    /// The remedy for the finding `unreadableDatabase`; nil for other findings, and for other reasons.
    static func remedy(for finding: Finding, _ status: StoreStatus, at location: StoreLocation) -> Hint? {
        guard finding.id == StoreCheck.unreadableDatabase, !status.problems.isEmpty,
            status.problems.allSatisfy(\.error.opensOtherDatabase)
        else { return nil }
        // chatdb unpacked it into a private folder.
        if ShownPaths.text(location.prefix) != location.prefix {
            return """
                The notes say which database has another passphrase. Unpack the archive: \
                \(.archiveUnpack, ShownPaths.text(location.prefix), "--to", "FOLDER"). Then \
                \(.passphraseChange, "-d", "FOLDER", "--other-passphrase-file", "FILE") gives both databases one \
                passphrase.
                """
        }
        return """
            The notes say which database has another passphrase. \
            \(.passphraseChange, "--other-passphrase-file", "FILE") takes that passphrase from a file, and gives both \
            databases one passphrase. If nobody knows the other one, \(.restore, "FOLDER", "--force") restores a \
            backup.
            """
    }
}

/// The remedy for encrypted databases with a write-ahead log, which chatdb does not read. Their files may be whole, and a
/// salvage refuses them.
enum EncryptedLogRemedy {
    /// The remedy for the finding `unreadableDatabase`; nil for other findings, and for other reasons.
    static func remedy(for finding: Finding, _ status: StoreStatus) -> Hint? {
        guard finding.id == StoreCheck.unreadableDatabase, !status.problems.isEmpty,
            status.problems.allSatisfy(\.error.isOfEncryptedLog)
        else { return nil }
        return """
            The notes name the database with a log. Its newest changes may be only in the log. Close the app or other \
            program that has the store open: at its end, it writes them into the database. If no program has it open, \
            open the store once with the app, and close the app; or run PRAGMA journal_mode = DELETE in the shell of \
            SQLCipher, after PRAGMA key. Then \(.check) again.
            """
    }
}

extension Remedies {
    /// The remedy for an older store in an archive, which no command changes; nil for a store of files.
    static func upgrade(ofArchive location: StoreLocation) -> Hint? {
        let archive = ShownPaths.text(location.prefix)
        guard archive != location.prefix else { return nil }
        return """
            \(.migratePlan) shows what an upgrade would do. To upgrade the store, unpack the archive: \
            \(.archiveUnpack, archive, "--to", "NEW"). Then \(.migrateUp, "-d", "NEW") upgrades it.
            """
    }
}

extension StoreLocation {
    /// Whether the folder for backups beside the store has something in it.
    var hasBackups: Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: backupsPath))?.isEmpty == false
    }
}

extension StoreStatus.Problem {
    /// Whether the database cannot be opened because of damage in its own file, of which a salvage may read a part.
    var isOfDamage: Bool {
        switch error.kind {
        case .damaged: FileDiagnosis.examineIfClosed(path)?.foreignLog == nil
        case .truncated: true
        case .notADatabase: (try? PageFile(path))?.looksLikeDatabase == true
        default: false
        }
    }

    /// Whether a salvage may read a part of the file. It refuses an encrypted one.
    var canBeSalvaged: Bool { isOfDamage && !SQLiteEngine().looksEncrypted(path) }

    /// Whether the file has nothing that can be salvaged, unpacked or decrypted.
    var isDead: Bool {
        error.kind == .notADatabase && !isOfDamage && FileDiagnosis.examineIfClosed(path)?.isErased == true
    }
}

extension StoreStatus {
    /// The reason why one of the databases cannot be read now, and may be readable later or elsewhere.
    var passingProblem: Problem? {
        let passing: Set<StoreError.Kind> = [.busy, .inUse, .interrupted, .outOfMemory, .diskFull]
        return problems.first { passing.contains($0.error.kind) || $0.error.isOfDisk }
    }

    /// Whether checking would end with an error and no answer.
    package var isUncheckable: Bool { passingProblem != nil || readable.isEmpty && !problems.isEmpty }
}
