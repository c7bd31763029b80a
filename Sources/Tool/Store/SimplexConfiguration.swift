import ChatDBKit

/// A store of SimpleX Chat whose relays, servers and operators a command changes.
struct SimplexConfiguration {
    let context: StoreContext
    let engine: SQLiteEngine
    let writing: SimplexWriting

    private var chatPath: String { context.location.path(of: .chat) }

    /// Throws if the store must not be written: another program has it open, a file has a journal, or its version is
    /// unknown or too old.
    func check() throws {
        if let missing = context.location.missing.first {
            throw MigrationError.incompleteStore(missing: missing, path: context.location.path(of: missing))
        }
        try context.requireAlone(waiting: context.lockTimeout, holdsLock: false)
        // An app that was ended while chatdb waited for it has left its journal.
        try requireNoJournal()
        try context.requireAlone(waiting: 0, holdsLock: false)
        try checkVersion()
    }

    /// SQLite would roll the journal back when it opens the file to write it, before there is a backup.
    private func requireNoJournal() throws(ConfigurationError) {
        for database in DatabaseName.allCases {
            let path = context.location.path(of: database)
            if let problem = engine.obstacleToWriting(path) { throw .file(path: path, problem) }
        }
    }

    private func checkVersion() throws {
        let (version, opened) = try StoreGate(context).openReadable()
        opened.close()
        guard case .simplex(let versions) = version else { throw MigrationError.readOnlyStore }
        for (database, version) in versions.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            if let problem = version.obstacleToWriting(database) { throw ConfigurationError.version(problem) }
        }
    }

    /// Makes a change on a copy of the configuration in memory, and checks what it would do to the store. Writes
    /// nothing. Returns what SimpleX Chat would do with the result; nil if nothing would change.
    func rehearse(_ change: (any WriteTransaction) throws -> Void) throws -> AppNextStart? {
        let plain = try engine.open(chatPath, as: .untrusted)
        defer { try? plain.close() }
        let structure = try plain.structure()
        let shadow = try makeShadow()
        defer { try? shadow.connection.close() }
        try shadow.connection.write(change)
        let result = try plain.read { try check(shadow, over: $0, structure) }
        return result.effect
    }

    /// Makes a change on a copy of the configuration, and writes it into the chat database in one transaction, after a
    /// backup of both databases. Without a difference nothing is written, there is no backup, and the effect is nil.
    ///
    /// - Parameter backUp: makes the backup while the transaction keeps other writers away.
    /// - Parameter willCommit: called before the commit; throws to undo the change.
    func write<T>(
        _ body: (Store) throws -> T, backingUp backUp: () throws -> Void, willCommit: () throws -> Void
    ) throws -> (answer: T, effect: AppNextStart?) {
        try requireNoJournal()
        let writer = try engine.open(chatPath, as: .existing)
        defer { try? writer.close() }
        return try writer.write { chat in
            // A program may have opened the store since the first look. From here on, SQLite's lock keeps writers away.
            try requireStillAlone()
            try checkVersion()
            let structure = try readStructure()
            let shadow = try makeShadow()
            defer { try? shadow.connection.close() }
            let answer = try body(Store(context.location, [.chat: shadow.connection]))
            let checked = try check(shadow, over: chat, structure)
            guard let effect = checked.effect else { return (answer, nil) }
            try backUp()
            try requireStillAlone()
            try checked.apply(to: chat)
            try requireStillAlone()
            try willCommit()
            return (answer, effect)
        }
    }

    private func requireStillAlone() throws(MigrationError) {
        try context.requireAlone(waiting: min(1, context.lockTimeout), holdsLock: true)
    }

    private func readStructure() throws -> DatabaseStructure {
        let reader = try engine.open(chatPath, as: .untrusted)
        defer { try? reader.close() }
        return try reader.structure()
    }

    private func makeShadow() throws -> ConfigurationShadow {
        let schema = try SchemaText.structure(of: context.build[.chat] ?? [], engine: engine)
        let views = try engine.open(chatPath, through: VersionViews.plan(of: .chat, as: schema))
        defer { try? views.close() }
        return try views.read { try ConfigurationShadow(of: $0, with: schema, in: try engine.memory()) }
    }

    private func check(
        _ shadow: ConfigurationShadow, over chat: any ReadTransaction, _ structure: DatabaseStructure
    ) throws -> CheckedConfiguration {
        try CheckedConfiguration(
            shadow, over: chat, structure, allowsFallback: writing.allowsFallback, scratch: engine.memory)
    }
}
