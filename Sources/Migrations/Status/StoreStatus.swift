public import ChatDBEngine
public import ChatDBSchema

/// Where a store stands, without a plan: what is there, even when there is no way to this build's version.
public struct StoreStatus: Sendable, Hashable {
    /// Why a database could not be read.
    public struct Problem: Error, Sendable, Hashable {
        /// The main file.
        public let path: String
        /// What stands in the way.
        public let error: StoreError
    }

    /// The databases that are there: what they say, or why they cannot be read.
    public let parts: [DatabaseName: Result<FoundDatabase, Problem>]
    /// The record of a run that was interrupted.
    public let interrupted: IntentRecord?
    /// The record of a restore that was interrupted.
    public let interruptedRestore: RestoreRecord?
    /// Why nobody knows whether a run or a restore was interrupted: records that cannot be read.
    public let unknownRecords: [MigrationError]

    /// The databases that could be read.
    public var readable: [DatabaseName: FoundDatabase] { parts.compactMapValues { try? $0.get() } }

    /// Which program made the store; when its databases disagree, nobody knows.
    public var kind: FoundDatabase.Kind {
        let kinds = Set(readable.values.map(\.kind))
        return kinds.count == 1 ? kinds.first ?? .unknown : .unknown
    }

    /// Whether both databases were read and do not belong together.
    public var isMismatched: Bool {
        guard let chat = readable[.chat], let agent = readable[.agent], kind == .chatdb, interrupted == nil,
            interruptedRestore == nil, unknownRecords.isEmpty
        else {
            return false
        }
        return chat.identity != agent.identity
    }

    /// Whether these databases are all there, ours, of this build's version and of one store, and no run or restore is to
    /// be brought to its end.
    public func isCurrent(_ databases: [DatabaseName]) -> Bool {
        kind == .chatdb && databases.allSatisfy { readable[$0] != nil } && !hasPending && !isMismatched
            && readable.values.allSatisfy(\.unknown.isEmpty) && interrupted == nil && interruptedRestore == nil
            && exchanged.isEmpty && !isForeignPair && unknownRecords.isEmpty
    }

    /// Databases whose files hold another database than they are called by, chat first: two files were exchanged, or one
    /// was copied twice.
    public var exchanged: [DatabaseName] {
        DatabaseName.allCases.filter { name in readable[name]?.database.map { $0 != name } ?? false }
    }

    /// Whether the two databases are of two programs.
    public var isForeignPair: Bool { exchanged.isEmpty && Set(readable.values.map(\.kind)).count > 1 }

    /// Whether some migration of this build is not applied.
    public var hasPending: Bool { readable.values.contains { !$0.pending.isEmpty } }
}

extension StoreContext {
    /// Where the store stands. Changes nothing. A database that is not there is not in the answer; one that cannot be
    /// read is, with the reason, and so is a record of an interrupted run. Throws `storeNotFound` when neither database
    /// is there and no interrupted restore explains that.
    ///
    /// - Parameter look: is given each database that can be read while it is open, agent first: opening one a second
    ///   time can mean copying it a second time.
    public func status(
        _ look: (DatabaseName, FoundDatabase, any StorageConnection) -> Void = { _, _, _ in }
    ) throws(MigrationError) -> StoreStatus {
        // A record may be that of a run at work: it is looked at when nobody is, as in `FoundStore`.
        let lock =
            IntentRecord.isThere(location)
            ? StoreLock.shareExisting(location.lockPath, timeout: lockTimeout) : nil
        defer { withExtendedLifetime(lock) {} }
        var unknown: [MigrationError] = []
        let record = known(&unknown) { () throws(MigrationError) in try IntentRecord.read(location.intentPath) }
        let restore = known(&unknown) { () throws(MigrationError) in try RestoreRecord.read(at: location) }
        let there = databases.filter { location.state(of: $0) != .missing }
        if there.isEmpty, restore == nil { throw unknown.first ?? .noStore(path: location.prefix) }
        var parts: [DatabaseName: Result<FoundDatabase, StoreStatus.Problem>] = [:]
        for database in there {
            let path = location.path(of: database)
            do throws(StoreError) {
                parts[database] = .success(try part(database, path, look))
            } catch {
                parts[database] = .failure(StoreStatus.Problem(path: path, error: error))
            }
        }
        return StoreStatus(
            parts: parts, interrupted: record, interruptedRestore: restore, unknownRecords: unknown)
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
        _ database: DatabaseName, _ path: String,
        _ look: (DatabaseName, FoundDatabase, any StorageConnection) -> Void
    ) throws(StoreError) -> FoundDatabase {
        let examination = engine.examine(path)
        let connection = try engine.open(path, as: .untrusted)
        defer { try? connection.close() }
        let found = try FoundDatabase(
            database, at: path, build: build[database] ?? [], on: connection, examination: examination)
        look(database, found, connection)
        return found
    }
}
