import ChatDBEngine
import ChatDBPOSIX
package import ChatDBSchema
import Foundation

/// Encrypts a store, changes its passphrase, or makes it plain. Prepares new databases beside the store, moves the
/// existing files aside, and moves the new ones to their places, as a restore does. Changes both databases or neither.
///
/// Rule: docs/encryption.md, "Changing the passphrase".
package struct PassphraseChange: Sendable {
    package typealias Kind = RestoreRecord.Rewriting.Kind
    /// Makes the new file of a database, and verifies it.
    package typealias Rewrite = (_ path: String, _ new: String) throws -> Void

    private let context: StoreContext
    /// What the change does.
    package let kind: Kind

    private var location: StoreLocation { context.location }

    /// A change of the store of a context, whose engine reads the store as it is. Opens nothing.
    package init(_ kind: Kind, _ context: StoreContext) {
        (self.kind, self.context) = (kind, context)
    }

    /// What a change concerns.
    package struct Plan: Sendable, Hashable {
        /// The program that made the store.
        package let program: FoundDatabase.Kind
        /// The sizes of the files.
        package let bytes: [DatabaseName: Int64]
        fileprivate let versions: [DatabaseName: String?]
    }

    /// What a change has done.
    package struct Outcome: Sendable, Hashable {
        package let kind: Kind
        /// The folder with the replaced files.
        package let replaced: String?
        /// Whether it completed an interrupted change.
        package let completed: Bool
    }

    /// Reads the store. Changes nothing. A change keeps every row, so it does not need the migrations of the store.
    ///
    /// Throws a `MigrationError` (no store, one database missing, an interrupted run or restore, databases of two
    /// stores, of another program, or half of an adopted pair) or a `RestoreError` (`linked`).
    package func plan() throws -> Plan {
        try RestoreRecord.refuse(at: location)
        for database in location.databases where Restorer.isLink(location.path(of: database)) {
            throw RestoreError.linked(location.path(of: database))
        }
        try StoreGate(context).requireStore()
        let found = try FoundStore.read(context)
        if let record = found.interrupted {
            let reason = record.creates ? nil : found.whyNotCompletable(record, build: context.build)
            throw MigrationError.interruptedMigration(record, reason: reason ?? .comesFirst)
        }
        let program: FoundDatabase.Kind = try found.simplexVersions() == nil ? .chatdb : .simplex
        if program == .simplex {
            try Restorer.requireFinished(location)
        } else {
            try found.refuseStrangers(location.databases)
            try context.refuseHalf(found.parts.values)
        }
        let bytes = location.databases.map { ($0, FileSpace.size(of: location.path(of: $0))) }
        return Plan(
            program: program, bytes: Dictionary(uniqueKeysWithValues: bytes),
            versions: found.parts.mapValues(\.version))
    }

    /// Changes the store of a plan. What is replaced is what was copied, whatever another program did since the plan.
    ///
    /// Throws the errors of `plan`, `storeLocked`, `inUse`, `notEnoughSpace`, and the errors of `rewrite`. Only after
    /// `RestoreError.notFinished` has the store changed.
    package func run(_ plan: Plan, _ rewrite: Rewrite) throws -> Outcome {
        try context.withLockAlone { try runLocked(plan, rewrite) }
    }

    /// Throws what a change would throw because of other programs and of the rights of this user, for a dry run. Writes
    /// nothing, so it takes no lock, and looks for programs only where the system lists them.
    ///
    /// Throws `inUse`, or a `StoreError` of the system.
    package func requirePossible() throws {
        try context.requireAlone(waiting: context.lockTimeout, holdsLock: true)
        guard access(location.folder, W_OK | X_OK) == 0 else {
            throw SystemError.current("\(location.restoringPath) cannot be created")
        }
        let user = geteuid()
        for path in location.databases.map(location.path(of:)) where user != 0 {
            var info = stat()
            if stat(path, &info) == 0, info.st_uid != user { throw RestoreStaging.cannotKeepAccess(EPERM, of: path) }
        }
        for path in location.databases.map(location.path(of:)) where access(path, R_OK | W_OK) != 0 {
            throw LockedOriginal.cannotOpen(path)
        }
    }

    private func runLocked(_ plan: Plan, _ rewrite: Rewrite) throws -> Outcome {
        try RestoreRecord.refuse(at: location)
        try context.requireReplaceable()
        // A run of migrations may have begun since the plan, and have been killed.
        if let record = try IntentRecord.read(at: location) {
            throw MigrationError.interruptedMigration(record, reason: .comesFirst)
        }
        // A program that was ended while chatdb waited for it has left its journal.
        try foldLogs(of: plan.program)
        let staging = RestoreStaging(context)
        let originals: [DatabaseName: String]
        do {
            originals = try staging.fill(of: plan, kind, rewrite)
        } catch {
            staging.remove()
            throw error
        }
        let swap = try RestoreSwap.begin(
            context,
            record: RestoreRecord(
                startedAt: Date().formatted(.iso8601), backup: "", storeID: nil, generation: nil, aside: "",
                versions: plan.versions, rewriting: .init(kind: kind, originals: originals)))
        return Outcome(kind: kind, replaced: try swap.finish(completing: false).replaced, completed: false)
    }

    /// Completes an interrupted change, whatever it does; nil without one.
    ///
    /// Throws `RestoreError.originalsChanged` if a program has changed the store since: then the change is undone. With
    /// `storeLocked`, `inUse` and `RestoreError.originalMissing`, the files stay as they are.
    package static func complete(_ context: StoreContext) throws -> Outcome? {
        guard try RestoreRecord.read(at: context.location)?.rewriting != nil else { return nil }
        let lock = try context.takeLock(.alone)
        defer { withExtendedLifetime(lock) {} }
        guard let record = try RestoreRecord.read(at: context.location), let rewriting = record.rewriting else {
            return nil
        }
        try context.requireReplaceable()
        let report = try RestoreSwap(context: context, record: record).finish(completing: true)
        return Outcome(kind: rewriting.kind, replaced: report.replaced, completed: true)
    }

    /// Completes what an interrupted program has left in a log or journal of chatdb's own store. The app completes its
    /// own.
    private func foldLogs(of program: FoundDatabase.Kind) throws {
        let isThere = location.databases.map(location.path(of:)).contains { path in
            ["-wal", "-journal"].contains { FileState(at: path + $0).bytes.map { $0 > 0 } == true }
        }
        if program == .chatdb, isThere {
            let taken = try context.takeDatabases()
            defer { taken.forEach { $0.connection.close() } }
            // A program that was killed before it synced its journal has not written the database. SQLite keeps such a
            // journal when it only reads. A transaction that writes a page takes the file for its own journal, and removes
            // it at its end. So this writes the mark that is there already, and rolls back.
            for one in taken {
                try MigrationError.naming(one.database, one.path) {
                    try one.connection.setApplicationMark(one.connection.applicationMark() ?? 0)
                    one.connection.rollback()
                }
            }
        }
        try Restorer.requireFinished(location)
    }
}

extension RestoreStaging {
    /// Makes the new files of a change of the passphrase, on the disk. Returns the SHA-256 of those of the store, from
    /// before they were copied.
    func fill(
        of plan: PassphraseChange.Plan, _ kind: PassphraseChange.Kind, _ rewrite: PassphraseChange.Rewrite
    ) throws -> [DatabaseName: String] {
        let location = context.location
        // Removes the files of an earlier change that had not begun to move files.
        remove()
        // Pages of an encrypted file have less room for content.
        try requireSpace(plan.bytes.values.reduce(0) { $0 + $1 + $1 / 20 })
        guard mkdir(location.restoringPath, 0o700) == 0 else {
            throw SystemError.current("\(location.restoringPath) cannot be created")
        }
        var originals: [DatabaseName: String] = [:]
        for database in location.databases {
            try context.cancellation.check()
            context.progress(.rewriting(database))
            let (path, new) = (location.path(of: database), Self.path(of: database, at: location))
            originals[database] = try FileHash.sha256(of: path)
            do {
                try rewrite(path, new)
            } catch {
                // A program that writes meanwhile is the cause, and not the copy.
                let isChanged = (try? FileHash.sha256(of: path)) != originals[database]
                throw isChanged ? RestoreError.originalsChanged(kind, kept: []) : error
            }
            if let rest = ["-wal", "-journal"].first(where: { FileState(at: new + $0) != .missing }) {
                throw StoreError(.inputOutput, "\(new) cannot be completed: its \(rest.dropFirst()) is still there")
            }
            try keepAccess(of: database, isStrict: true)
        }
        try FileSync.folder(location.restoringPath)
        try FileSync.folder(location.folder)
        try context.cancellation.check()
        return originals
    }
}
