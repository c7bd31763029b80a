import ArgumentParser
import ChatDBKit

/// The permission of a command to change relays, servers and operators in a store of SimpleX Chat.
/// Rule: docs/simplex.md, "Writing relays and servers".
struct SimplexWriting {
    /// Whether a profile may be left without an enabled server for a role.
    var allowsFallback = false
}

/// The option of commands after which a profile may have no enabled server.
struct FallbackOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "In a store of SimpleX Chat: change it even if a profile then has no enabled server for a role.",
            discussion: "The app then uses all servers of the profile, also the disabled ones."))
    var allowFallback = false

    var simplex: SimplexWriting { SimplexWriting(allowsFallback: allowFallback) }
}

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
        for database in DatabaseName.allCases {
            let path = context.location.path(of: database)
            if let problem = engine.obstacleToWriting(path) { throw ConfigurationError.file(path: path, problem) }
        }
        try context.requireAlone(waiting: context.lockTimeout, holdsLock: false)
        try checkVersion()
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
    /// nothing. Returns what SimpleX Chat would do with the result, a sentence each.
    func rehearse(_ change: (any WriteTransaction) throws -> Void) throws -> [String] {
        let plain = try engine.open(chatPath, as: .untrusted)
        defer { try? plain.close() }
        let structure = try plain.structure()
        try AppSchema.check(structure)
        let shadow = try shadow()
        defer { try? shadow.connection.close() }
        try shadow.connection.write(change)
        let checked = try plain.read { try checked(shadow, over: $0, structure) }
        return checked.change.isEmpty ? [] : checked.notes
    }

    /// Makes a change on a copy of the configuration, and writes it into the chat database in one transaction, after a
    /// backup of both databases. Without a difference nothing is written, and there is no backup.
    ///
    /// - Parameter backUp: makes the backup while the transaction keeps other writers away.
    /// - Parameter willCommit: called before the commit; throws to undo the change.
    func write<T>(
        _ body: (Store) throws -> T, backingUp backUp: () throws -> Void, willCommit: () throws -> Void
    ) throws -> (answer: T, notes: [String]) {
        let reader = try engine.open(chatPath, as: .untrusted)
        let structure: DatabaseStructure
        do {
            defer { try? reader.close() }
            structure = try reader.structure()
        }
        try AppSchema.check(structure)
        let writer = try engine.open(chatPath, as: .existing)
        defer { try? writer.close() }
        return try writer.write { chat in
            // A program may have opened the store since the first look. From here on, SQLite's lock keeps writers away.
            try requireStillAlone()
            try checkVersion()
            let shadow = try shadow()
            defer { try? shadow.connection.close() }
            let answer = try body(Store(context.location, [.chat: shadow.connection]))
            let checked = try checked(shadow, over: chat, structure)
            if checked.change.isEmpty { return (answer, []) }
            try backUp()
            try requireStillAlone()
            try checked.apply(to: chat)
            try requireStillAlone()
            try willCommit()
            return (answer, checked.notes)
        }
    }

    private func requireStillAlone() throws(MigrationError) {
        try context.requireAlone(waiting: 0, holdsLock: true)
    }

    private func shadow() throws -> ConfigurationShadow {
        let schema = try SchemaText.structure(of: context.build[.chat] ?? [], engine: engine)
        let views = try engine.open(chatPath, through: VersionViews.plan(of: .chat, as: schema))
        defer { try? views.close() }
        return try views.read { try ConfigurationShadow(of: $0, with: schema, in: try engine.memory()) }
    }

    private func checked(
        _ shadow: ConfigurationShadow, over chat: any ReadTransaction, _ structure: DatabaseStructure
    ) throws -> CheckedConfiguration {
        try CheckedConfiguration(
            shadow, over: chat, structure, allowsFallback: writing.allowsFallback, scratch: engine.memory)
    }
}

extension StoreSession {
    /// Whether the command writes a store of SimpleX Chat. Known once the store was opened.
    var isSimplex: Bool { configuration != nil }

    /// Checks that the store of SimpleX Chat may be written.
    @discardableResult
    func openSimplex() throws -> SimplexConfiguration {
        let found = SimplexConfiguration(
            context: try context(), engine: try options.engine(), writing: simplex ?? SimplexWriting())
        try found.check()
        configuration = found
        return found
    }

    /// Tries a change of the chat database before the user is asked about it. For a store of SimpleX Chat, chatdb makes
    /// the change on a copy in memory, refuses what it would refuse later, and tells what the app does with the result.
    /// For chatdb's own stores this does nothing.
    func rehearse(_ change: (any WriteTransaction) throws -> Void) throws {
        guard let configuration else { return }
        show(try configuration.rehearse(change))
    }

    private func show(_ notes: [String]) {
        if areNotesShown || notes.isEmpty { return }
        areNotesShown = true
        for note in notes { output.note(note) }
    }

    /// Writes a store of SimpleX Chat: the body changes a copy of its relays, servers and operators.
    func writeSimplex<T>(_ body: (Store) throws -> T) throws -> T {
        let configuration = try openSimplex()
        var backup: SimplexBackup?
        var isCommitting = false
        do {
            let (answer, notes) = try configuration.write(
                body,
                backingUp: {
                    backup = SimplexBackup(folder: try options.backUp(to: nil, output))
                },
                willCommit: {
                    try StoppedOnRequest.check()
                    isCommitting = true
                })
            guard let backup else { return answer }
            CommittedChange.note()
            CommittedChange.keep(.init(lines: [backup.sentence], details: backup.details))
            show(notes)
            output.note(backup.sentence)
            return answer
        } catch {
            guard var report = report(of: error, location) ?? backup.map({ _ in ErrorReport(error) }) else {
                throw error
            }
            if report.exit == .ioError {
                let isUnchanged = !isCommitting || report.code == StoreError.Kind.diskFull.rawValue
                report.state = isUnchanged ? Self.unchanged : "chatdb cannot determine whether anything was changed."
                report.hint = report.hint ?? Self.diskHint
            } else if report.state == nil, !isCommitting || report.exit == .tryAgain {
                // SQLite refuses a commit while another program reads the database, and undoes the transaction.
                report.state = Self.unchanged
            }
            throw backup.map { report.adding([$0.sentence], $0.details) } ?? report
        }
    }
}

/// The backup of both databases that chatdb makes before it changes a store of SimpleX Chat.
private struct SimplexBackup {
    let folder: String

    /// A clause with the place of the backup, and the way back.
    var sentence: String {
        "a backup of the store from before is in \(folder); to go back, close the app and copy both databases from there "
            + "over those of the store"
    }

    var details: [JSONValue.Member] { [.init("backup", .string(folder))] }
}
