public import ChatDBEngine
public import ChatDBSchema

/// The state of a store without a plan: it exists even when no plan leads to this build's version.
public struct StoreStatus: Sendable, Hashable {
    /// Why a database could not be read.
    public struct Problem: Error, Sendable, Hashable {
        /// The main file.
        public let path: String
        /// The error.
        public let error: StoreError
    }

    /// The existing databases: the facts about each, or why it cannot be read.
    public let parts: [DatabaseName: Result<FoundDatabase, Problem>]
    /// The record of an interrupted run.
    public let interrupted: IntentRecord?
    /// The record of an interrupted restore.
    public let interruptedRestore: RestoreRecord?
    /// The unreadable records, which may be those of an interrupted run or restore.
    public let unknownRecords: [MigrationError]
    /// The files that a restore or a change of the passphrase left when it was killed before its record.
    package internal(set) var abandoned: AbandonedFiles?

    /// The databases that could be read.
    public var readable: [DatabaseName: FoundDatabase] { parts.compactMapValues { try? $0.get() } }

    /// The program that made the store; unknown when its databases disagree.
    public var kind: FoundDatabase.Kind {
        let kinds = Set(readable.values.map(\.kind))
        return kinds.count == 1 ? kinds.first ?? .unknown : .unknown
    }

    /// The place to which the store was moved, after which chatdb only reads it; nil if it was not.
    public var movedTo: String? { DatabaseName.allCases.compactMap { readable[$0]?.movedTo }.first }

    /// Whether both databases were read and do not belong together.
    public var isMismatched: Bool {
        guard let chat = readable[.chat], let agent = readable[.agent], kind == .chatdb, interrupted == nil,
            interruptedRestore == nil, unknownRecords.isEmpty
        else {
            return false
        }
        return chat.identity != agent.identity
    }

    /// The database that has lost its row of `store`, so that nothing says to which store it belongs. Nil if none has, or
    /// if both have.
    public var withoutIdentity: DatabaseName? {
        guard isMismatched else { return nil }
        return DatabaseName.allCases.first { readable[$0]?.identity == nil }
    }

    /// The databases of chatdb that have lost their row of `store`, chat first, if every database that was read has. See
    /// ``withoutIdentity`` for one of two.
    public var withoutStoreRow: [DatabaseName] {
        guard kind == .chatdb, interrupted == nil, interruptedRestore == nil, unknownRecords.isEmpty,
            readable.values.allSatisfy({ $0.identity == nil })
        else { return [] }
        return DatabaseName.allCases.filter { readable[$0] != nil }
    }

    /// What the interrupted run has changed; nil without one, and for one that was creating the store.
    package var progressOfInterrupted: IntentRecord.Progress? {
        guard let interrupted, !interrupted.creates else { return nil }
        return interrupted.progress(readable.mapValues(\.place))
    }

    /// Whether these databases are complete, made by chatdb, of this build's version and of one store, without an
    /// interrupted run or restore.
    public func isCurrent(_ databases: [DatabaseName]) -> Bool {
        kind == .chatdb && databases.allSatisfy { readable[$0] != nil } && !hasPending && !isMismatched
            && readable.values.allSatisfy(\.unknown.isEmpty) && interrupted == nil && interruptedRestore == nil
            && exchanged.isEmpty && !isForeignPair && unknownRecords.isEmpty && withoutStoreRow.isEmpty
    }

    /// Databases whose files hold another database than their name says, chat first: two files were exchanged, or one
    /// was copied twice.
    public var exchanged: [DatabaseName] {
        DatabaseName.allCases.filter { name in readable[name]?.database.map { $0 != name } ?? false }
    }

    /// Whether the two databases come from two programs.
    public var isForeignPair: Bool { exchanged.isEmpty && Set(readable.values.map(\.kind)).count > 1 }

    /// Whether a migration of this build is not applied.
    public var hasPending: Bool { readable.values.contains { !$0.pending.isEmpty } }
}

extension FoundStore {
    /// The facts of a status; nil when the status lacks a database or has a restore or a record that cannot be read.
    package init?(_ status: StoreStatus) {
        guard status.readable.count == DatabaseName.allCases.count, status.interruptedRestore == nil,
            status.unknownRecords.isEmpty
        else { return nil }
        self.init(parts: status.readable, interrupted: status.interrupted)
    }
}

extension StoreContext {
    /// The state of the store. Changes nothing. A missing database is not in the result; an unreadable one is, with the
    /// error, and so is an unreadable record. Throws `storeNotFound` when both databases are missing and no interrupted
    /// restore explains that.
    public func status() throws(MigrationError) -> StoreStatus {
        let (status, connections) = try openStatus()
        for connection in connections.values { try? connection.close() }
        return status
    }

    /// The same, with the readable databases still open for reading: opening one a second time can mean copying it a
    /// second time. The caller closes them.
    package func openStatus() throws(MigrationError) -> (
        status: StoreStatus, connections: [DatabaseName: any StorageConnection]
    ) {
        // The record may belong to a running migration: it is read again when none is at work, as in `FoundStore`.
        let lock =
            IntentRecord.isThere(location)
            ? StoreLock.shareExisting(location.lockPath, timeout: lockTimeout) : nil
        defer { withExtendedLifetime(lock) {} }
        var unknown: [MigrationError] = []
        let record = known(&unknown) { () throws(MigrationError) in try IntentRecord.read(at: location) }
        let restore = known(&unknown) { () throws(MigrationError) in try RestoreRecord.read(at: location) }
        let existing = try existing()
        let there = databases.filter(existing.contains)
        if there.isEmpty, restore == nil { throw unknown.first ?? MigrationError.absent(location) }
        var parts: [DatabaseName: Result<FoundDatabase, StoreStatus.Problem>] = [:]
        var connections: [DatabaseName: any StorageConnection] = [:]
        var engine = engine
        for database in there {
            let path = location.path(of: database)
            do throws(StoreError) {
                let (found, connection) = try part(database, path, engine)
                parts[database] = .success(found)
                connections[database] = connection
            } catch {
                parts[database] = .failure(StoreStatus.Problem(path: path, error: error))
                // A command waits once: the other database is opened only if it is free.
                if error.kind == .busy, let waiting = engine as? any LockWaiting { engine = waiting.waiting(0) }
            }
        }
        let status = StoreStatus(
            parts: parts, interrupted: record, interruptedRestore: restore, unknownRecords: unknown,
            abandoned: AbandonedFiles(beside: location))
        return (status, connections)
    }

    private func known<Record>(
        _ unknown: inout [MigrationError], _ read: () throws(MigrationError) -> Record?
    ) -> Record? {
        do throws(MigrationError) {
            return try read()
        } catch {
            unknown.append(error)
            return nil
        }
    }

    private func part(
        _ database: DatabaseName, _ path: String, _ engine: any StorageEngine
    ) throws(StoreError) -> (FoundDatabase, any StorageConnection) {
        let examination = engine.examine(path)
        let connection = try engine.open(path, as: .untrusted)
        do throws(StoreError) {
            let found = try FoundDatabase(
                database, at: path, build: build[database] ?? [], on: connection, examination: examination)
            return (found, connection)
        } catch {
            try? connection.close()
            throw error
        }
    }
}
