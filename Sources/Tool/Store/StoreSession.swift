import ChatDBKit

/// The store of one command. It opens each database at most twice: once to look at it and read it, and once to write
/// it.
final class StoreSession {
    let options: StoreOptions
    let output: Output
    let location: StoreLocation
    /// Made when the store is opened: until then chatdb does not ask for a passphrase.
    private var made: StoreContext?
    /// The status before the command asked for confirmation.
    private var seen: FoundStore?
    /// The permission to write a store of SimpleX Chat; nil for a command that only writes chatdb's own stores.
    let simplex: SimplexWriting?
    /// The store of SimpleX Chat that the command writes; nil before that is known, and for chatdb's own stores.
    var configuration: SimplexConfiguration?
    /// What SimpleX Chat does with the change that was written; nil before that, and for chatdb's own stores.
    var effect: SimplexEffect?
    /// Whether the store that was read is SimpleX Chat's, in which chatdb changes relays, servers and operators only.
    private(set) var readsSimplex = false
    /// The agent database, if it alone cannot be read and the store was read without it.
    private(set) var unreadableAgent: UnreadableFile?
    /// Whether a change of a store of SimpleX Chat has reached its commit, and may be on the disk.
    var mayBeCommitted = false

    init(_ options: StoreOptions, _ output: Output, simplex: SimplexWriting? = nil) throws {
        self.options = options
        self.output = output
        self.simplex = simplex
        location = try options.location()
        output.detail("the store is \(location.prefix)")
    }

    func context() throws -> StoreContext {
        if let made { return made }
        var context = StoreContext(
            engine: try options.engine(), location: location,
            build: try MigrationSource.build.load(for: location.syntax))
        let progress = RunProgress(output, showsBar: false)
        context.progress = { progress.show($0) }
        made = context
        return context
    }

    /// Opens the store to read it, without changing it. It may have an older version, be SimpleX Chat's, or be one
    /// database alone. Notes say how it was read, and what its version lacks.
    ///
    /// - Parameter needsAgent: whether the command reads the agent database too. For the others, an agent database that
    ///   cannot be read is left out, with a warning.
    func read<T>(needsAgent: Bool = true, _ body: (Store) throws -> T) throws -> T {
        let (version, opened) = try passing {
            try needsAgent ? StoreGate(context()).openReadable() : openReadableChat()
        }
        let answer = try read(version, opened, body)
        if let unreadableAgent {
            output.warn(
                options.repeated.text(
                    """
                    \(unreadableAgent.info.message); the answer is from the chat database alone, and \(.check) shows \
                    what to do
                    """))
        }
        if case .interrupted(let record) = version {
            output.warn(
                options.repeated.text(
                    """
                    a migration begun at \(record.startedAt) was interrupted, and each database was read as it is; \
                    \(record.completion) completes or undoes it
                    """))
        }
        return answer
    }

    /// Opens the store, without its agent database if that is a file that chatdb cannot read.
    private func openReadableChat() throws -> (version: ReadableVersion, store: OpenedStore) {
        do {
            return try StoreGate(context()).openReadable()
        } catch MigrationError.database(.agent, path: let path, let error) where UnreadableFile.isOfFile(error) {
            var alone = try context()
            alone.only = .chat
            guard let opened = try? StoreGate(alone).openReadable() else {
                throw MigrationError.database(.agent, path: path, error)
            }
            unreadableAgent = UnreadableFile(error, at: path)
            return opened
        }
    }

    /// The same as `read` for a command that asks for confirmation and then writes: throws at once if the store may not
    /// be written.
    func readToWrite<T>(_ body: (Store) throws -> T) throws -> T {
        try requireWritable()
        let opened: OpenedStore
        do {
            try requireChatdbs()
            opened = try passing { try beforeAnyWrite { try StoreGate(context()).openForReading() } }
        } catch MigrationError.readOnlyStore where simplex != nil {
            try openSimplex()
            let (version, opened) = try passing { try StoreGate(context()).openReadable() }
            return try read(version, opened, showsNotes: false, body)
        }
        seen = opened.found
        return try read(.current, opened, body)
    }

    private func requireWritable() throws {
        guard let simplex else { return try options.requireWritableOwn() }
        try options.requireWritable(simplex)
    }

    /// Of archives, chatdb changes only those of SimpleX Chat.
    private func requireChatdbs() throws {
        if options.archive != nil { try options.requireWritableOwn(try context().status()) }
    }

    /// Throws unless a store of this status may be written. For a command that has read the store before it asks.
    func requireWritable(_ status: StoreStatus) throws {
        try options.requireWritableOwn(status)
        guard let found = FoundStore(status) else { return try passing { try StoreGate(context()).check() } }
        try passing { try StoreGate(context()).check(found) }
        seen = found
    }

    private func read<T>(
        _ version: ReadableVersion, _ opened: OpenedStore, showsNotes: Bool = true, _ body: (Store) throws -> T
    ) throws -> T {
        if case .simplex = version { readsSimplex = true }
        let store: Store
        var lost: DatabaseName?
        if version == .current {
            store = Store(location, opened.connections)
        } else {
            opened.close()
            if case .older = version { lost = try context().databasesWithLostMigrations.first }
            do {
                store = try Store.openForReading(
                    location, with: context().engine, through: VersionPlans.all(context()),
                    without: unreadableAgent == nil ? [] : [.agent])
            } catch {
                throw report(of: error, location) ?? error
            }
        }
        defer { try? store.close() }
        do {
            let answer = try body(store)
            // Standard error has only the error.
            if showsNotes {
                let notes = (lost == nil ? version.notes : []) + missing(store) + store.notes
                for note in notes { output.note(note) }
                if let lost { output.warn(options.repeated.text(Hint.lostMigrations(of: lost))) }
            }
            return answer
        } catch let error as StoreError where error.kind == .missing {
            guard let missing = store.missing.first else { throw error }
            throw MigrationError.incompleteStore(missing: missing, path: store.location.path(of: missing))
        } catch {
            throw report(of: error, store.location) ?? error
        }
    }

    /// An error of the files themselves, with the path of the store; nil for every other error.
    func report(of error: any Error, _ location: StoreLocation) -> ErrorReport? {
        guard let cause = error as? StoreError ?? (error as? any RuleViolation)?.storeError else { return nil }
        switch cause.kind {
        case .damaged, .busy, .inUse, .readOnly, .inputOutput, .diskFull, .beyondLimits, .other: break
        default: return nil
        }
        var report = cause.report(of: location.prefix)
        if cause.kind == .damaged {
            report.hint =
                "\(.check) shows the damage; \(.restore, "FOLDER") restores a backup"
        }
        return report
    }

    private func missing(_ store: Store) -> [String] {
        store.missing.filter { $0 != .agent || unreadableAgent == nil }
            .map { "the \($0) database is missing (\(store.location.path(of: $0)))" }
    }

    /// Opens a store of this build's version to write it. Other programs may write it too, but not migrate it.
    func write<T>(_ body: (Store) throws -> T) throws -> T {
        try requireWritable()
        if configuration != nil { return try writeSimplex(body) }
        let (pass, opened): (StorePass, OpenedStore)
        do {
            try requireChatdbs()
            (pass, opened) = try passing {
                try beforeAnyWrite { try StoreGate(context()).openForWriting(after: seen) }
            }
        } catch MigrationError.readOnlyStore where simplex != nil {
            return try writeSimplex(body)
        }
        defer { withExtendedLifetime(pass) {} }
        let store = Store(location, opened.connections)
        defer { try? store.close() }
        do {
            let answer = try body(store)
            CommittedChange.note()
            return answer
        } catch {
            guard var report = report(of: error, location) else { throw error }
            if report.exit == .ioError {
                // SQLite writes no bytes after the commit, so a write that found no room was before it.
                let isUnchanged = !store.reachedCommit || report.code == StoreError.Kind.diskFull.rawValue
                report.state =
                    isUnchanged
                    ? Self.unchanged : "chatdb cannot determine whether anything was changed."
                report.hint = report.hint ?? Self.diskHint
            }
            throw report
        }
    }

    static let diskHint: Hint = "check that the disk works and has free space, then try again"

    /// Makes a change of both databases. An error between the two commits says that only the first database was
    /// changed, or that chatdb cannot determine whether the second one was.
    func writeBoth<T>(
        committing order: CommitOrder,
        _ body: (_ chat: any WriteTransaction, _ agent: any WriteTransaction) throws -> T
    ) throws -> T {
        var isBetween = false
        do {
            return try write { store in
                try store.writeBoth(committing: order, betweenCommits: { isBetween = true }) { chat, agent in
                    let answer = try body(chat, agent)
                    try StoppedOnRequest.check()
                    return answer
                }
            }
        } catch let error as any Reportable {
            var report = error.report
            let isFull = report.code == StoreError.Kind.diskFull.rawValue
            let isLocked = report.code == StoreError(.busy, "").info.code
            // SQLite refuses a commit while another program reads the database, and undoes the transaction.
            if !isBetween, isLocked, report.state == nil { report.state = Self.unchanged }
            guard isBetween else { throw report.state == error.report.state ? error : report }
            let (changed, other) = order == .chatFirst ? ("chat", "agent") : ("agent", "chat")
            report.state =
                isFull || isLocked
                ? "Only the \(changed) database was changed."
                : "The \(changed) database was changed; chatdb cannot determine whether the \(other) database was."
            report.hint = "close other programs; then \(.check) shows what is left in the other database"
            if isFull { report.hint = "free some space; then \(.check) shows what is left in the other database" }
            throw report
        }
    }

    /// The state after an error that has undone everything.
    static let unchanged = "Nothing was changed."

    /// The same after a backup. The backup is made inside both write transactions: no other program can write between
    /// the backup and the change, so the backup has everything that the change removes.
    ///
    /// An error after the backup names it.
    /// - Parameter check: throws if the change is not the confirmed one; runs before the backup.
    func writeBoth<T>(
        committing order: CommitOrder, backingUp undo: UndoOptions,
        requiring check: (any ReadTransaction) throws -> Void = { _ in },
        _ change: (_ chat: any WriteTransaction, _ agent: any WriteTransaction, _ backup: String?) throws -> T
    ) throws -> T {
        var backup: String?
        var isCommitting = false
        do {
            let answer = try writeBoth(committing: order) { chat, agent in
                try check(chat)
                backup = try undo.backUp(options, output)
                let answer = try change(chat, agent, backup)
                isCommitting = true
                return answer
            }
            if let copy = undo.kept(backup, of: location) { CommittedChange.keep(copy.whenReportIsLost) }
            return answer
        } catch {
            guard backup != nil, let copy = undo.kept(backup, of: location) else { throw error }
            throw copy.named(in: ErrorReport(error), isUnchanged: !isCommitting)
        }
    }

    /// Adds to an error of the disk that nothing was changed: the store was only opened.
    private func beforeAnyWrite<T>(_ open: () throws -> T) throws -> T {
        do {
            return try open()
        } catch let error as any Reportable where error.report.exit == .ioError && error.report.state == nil {
            let hint = error.report.hint ?? Self.diskHint
            throw HintedError(error, state: "Nothing was changed.", hint: hint)
        }
    }

    /// Changes the hint of a refusal: a command that only reads or writes does not offer at once to delete data, to
    /// adopt a file that contains the other database of the store, or to migrate a store whose list of migrations lost
    /// rows.
    private func passing<T>(_ gate: () throws -> T) throws -> T {
        do {
            return try gate()
        } catch let error as MigrationError {
            if case .notOurs = error, let context = try? context(),
                let hint = (try? context.status())?.misplacedHint(isNamed: context.location.hasNamedFiles)
            {
                throw HintedError(error, hint: hint)
            }
            if case .needsUpgrade = error, let lost = (try? context())?.databasesWithLostMigrations.first {
                throw HintedError(error, hint: Hint.lostMigrations(of: lost))
            }
            if case .noDownMigration(_, let names) = error {
                throw HintedError(error, message: MigrationError.needsDowngrade(names).info.message, hint: nil)
            }
            guard case .needsDowngrade = error else { throw error }
            throw HintedError(error, hint: "use a newer chatdb; \(.migratePlan) shows what going down would lose")
        }
    }

}

extension ReadableVersion {
    /// Notes about the origin of an answer.
    fileprivate var notes: [String] {
        switch self {
        // A store between two versions gets a warning.
        case .current, .interrupted: []
        case .older(let names):
            [
                "the store is older than this build by "
                    + (names.count == 1 ? "1 migration" : "\(names.count) migrations") + "; chatdb reads it as it is"
            ]
        case .simplex(let versions): [SimpleXText.store(versions)] + SimpleXText.histories(versions)
        }
    }
}
