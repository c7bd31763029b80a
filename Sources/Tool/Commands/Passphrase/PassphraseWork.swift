import ArgumentParser
import ChatDBKit
import Foundation

/// The work of the commands that change how a store is encrypted.
struct PassphraseWork {
    let kind: PassphraseChange.Kind
    let store: StoreOptions
    /// The options of the new passphrase; nil for a command without one.
    let new: NewPassphraseOptions?
    /// The file with the passphrase of the database that the first passphrase does not open; nil for usual stores.
    var otherPassphraseFile: String?
    let consent: ConsentOptions
    let lock: LockTimeoutOptions
    let output: Output

    /// Replaces the files of the store, or completes an interrupted change instead.
    func run() throws {
        let location = try store.location()
        output.detail("the store is \(location.prefix)")
        try store.requireFiles()
        if let archive = store.archive { throw ReadOnlyStoreError.archive(archive) }
        store.limitWaiting(to: lock)
        let bar = RunProgress(output)
        defer { bar.finish() }
        if consent.dryRun {
            try RestoreRecord.refuse(at: location)
        } else if let (outcome, given) = try complete(location, bar) {
            bar.finish()
            return try answer(outcome, location, given)
        }
        try requireForm(of: location)
        let (old, hasTwo) = try engineOfStore(location)
        try requireUse(of: location)
        let context = try context(location, old, bar)
        let passphrase = try newPassphrase(for: location)
        if kind == .change, !hasTwo, let passphrase, isPresent(passphrase, old, location) {
            throw PassphraseFormError.samePassphrase(location.prefix)
        }
        let change = PassphraseChange(kind, context)
        let isOtherForm = isOtherForm(old, location)
        let ignoresOther = otherPassphraseFile != nil && !hasTwo
        let report = try ConfirmedChange(consent, output).run(
            read: { () throws -> PassphraseChange.Plan in
                let plan = try change.plan()
                if kind == .remove, plan.program == .simplex {
                    throw PassphraseFormError.outputRequired(location.prefix)
                }
                return plan
            },
            decide: { .ask(.init(text: PassphraseReport(kind, $0.program, of: location).question)) },
            preview: {
                try unchanged(location) { try change.requirePossible() }
                return PassphraseReport(
                    kind, $0.program, of: location, hadTwo: hasTwo, ignoresOther: ignoresOther,
                    isOtherForm: isOtherForm, copies: try copies(location, nil))
            },
            write: { plan in
                let new = try engine(with: passphrase)
                let outcome = try unchanged(location) {
                    try change.run(plan) { path, file in
                        try rewrite(
                            path, of: old, to: file, for: new,
                            usesLog: plan.program == .chatdb && !location.hasNamedFiles)
                    }
                }
                bar.finish()
                CommittedChange.note()
                return PassphraseReport(
                    kind, plan.program, of: location, hadTwo: hasTwo, ignoresOther: ignoresOther,
                    isOtherForm: isOtherForm, copies: try copies(location, outcome)
                )
                .applied(outcome)
            })
        try output.write(report)
    }

    /// Writes a plain copy of a store of SimpleX Chat, or of an archive, into a new folder.
    func copy(into folder: String) throws {
        if !consent.dryRun { Signals.interruptsAskToStop() }
        let location = try store.location()
        output.detail("the store is \(location.prefix)")
        try store.requireFiles()
        try NewOutputFile.requireFree(folder)
        try RestoreRecord.refuse(at: location)
        try requireForm(of: location)
        let bar = RunProgress(output)
        defer { bar.finish() }
        let engine = try store.fileEngine()
        let context = try context(location, engine, bar)
        let plan = try PassphraseChange(kind, context).plan()
        if plan.program != .simplex { throw PassphraseFormError.outputNotAllowed(location.prefix) }
        // A dry run takes no lock. So it looks only where the system lists open files, as if it held one.
        if store.archive == nil { try context.requireAlone(waiting: lock.seconds, holdsLock: consent.dryRun) }
        if !consent.dryRun {
            let copy = PlainCopy(of: location, folder)
            try copy.write { database, path, file in
                bar.show(.rewriting(database))
                try rewrite(path, of: engine, to: file, for: store.engineWithoutPassphrase(), usesLog: false)
            }
            bar.finish()
            CommittedChange.note()
        }
        try output.write(
            PassphraseReport(
                copyOf: location, in: folder, isOtherForm: isOtherForm(engine, location), isWritten: !consent.dryRun))
    }

    /// Makes the new file of a database. An error of damage names the database.
    private func rewrite(
        _ path: String, of old: SQLiteEngine, to file: String, for new: SQLiteEngine, usesLog: Bool
    ) throws {
        do {
            try old.rewrite(path, to: file, for: new, usesLog: usesLog, cancellation: Signals.cancellation)
        } catch {
            guard error.kind == .damaged else { throw error }
            throw HintedError(
                error, message: "\(path): \(error.message)",
                hint: "keep the file as it is; \(.check) names the damaged parts and what to do")
        }
    }

    /// The engine that reads the store as it is, and whether its databases have two passphrases. Throws if `change` gets
    /// only one of the two.
    private func engineOfStore(_ location: StoreLocation) throws -> (engine: SQLiteEngine, hasTwo: Bool) {
        // Read in any case, so that its mistakes show.
        let other = try otherPassphraseFile.flatMap {
            try PassphraseOptions.parse(["--passphrase-file=\($0)"]).given()
        }
        let engine: SQLiteEngine
        do {
            engine = try store.fileEngine()
        } catch let error as any Reportable {
            guard error.report.code == "wrongPassphrase", let reason = try closed(location, other) else { throw error }
            // A file with several lines has a hint of its own.
            guard case .firstPassphrase(_, let opened, opensAll: false) = reason else { throw reason }
            let ofOther = opened.isEmpty ? otherPassphraseFile.flatMap { other?.hint(of: $0) } : nil
            throw HintedError(reason, hint: (error as? HintedError)?.report.hint ?? ofOther)
        }
        let closed = location.databases.filter { name in
            engine.examine(location.path(of: name)).problem?.kind == .wrongPassphrase
        }
        guard kind == .change, let database = closed.first, closed.count < location.databases.count else {
            return (engine, false)
        }
        guard let other else {
            let opened = location.databases.first { $0 != database } ?? database
            throw PassphraseFormError.otherPassphrase(
                database, path: location.path(of: database), opened: location.path(of: opened))
        }
        let both = engine.trying(other)
        if let problem = both.examine(location.path(of: database)).problem, problem.kind == .wrongPassphrase {
            throw HintedError(
                problem, state: StoreSession.unchanged, hint: otherPassphraseFile.flatMap { other.hint(of: $0) })
        }
        return (both, true)
    }

    /// The reason why the present passphrase of `change` opens nothing, as far as the other passphrases of the command
    /// line show it; nil otherwise. After an earlier change, the new passphrase opens the store.
    private func closed(_ location: StoreLocation, _ other: Passphrase?) throws -> PassphraseFormError? {
        let plain = try store.engineWithoutPassphrase()
        let paths = location.databases.map(location.path(of:))
        guard kind == .change, paths.allSatisfy(plain.looksEncrypted), store.passphrase.isGiven else {
            return nil
        }
        if let new = try new?.given(), isPresent(new, plain.reading(with: new), location) {
            return .samePassphrase(location.prefix)
        }
        guard let other else { return nil }
        let engine = plain.reading(with: other)
        let opened = paths.filter { engine.examine($0).problem == nil }
        return .firstPassphrase(location.prefix, opened: opened, opensAll: opened.count == paths.count)
    }

    private func context(
        _ location: StoreLocation, _ engine: SQLiteEngine, _ bar: RunProgress
    ) throws -> StoreContext {
        var context = StoreContext(engine: engine, location: location, build: try MigrationSource.build.load())
        context.lockTimeout = lock.seconds
        context.cancellation = Signals.cancellation
        context.progress = { bar.show($0) }
        return context
    }

    /// Completes an interrupted change; nil without one. Also returns the new passphrase of the command line, which is
    /// read first: a mistake in it ends the command before the change.
    private func complete(
        _ location: StoreLocation, _ bar: RunProgress
    ) throws -> (outcome: PassphraseChange.Outcome, given: Passphrase?)? {
        Signals.interruptsAskToStop()
        guard try RestoreRecord.read(at: location)?.rewriting != nil else { return nil }
        let given = try new?.given()
        let context = try context(location, store.engineWithoutPassphrase(), bar)
        let outcome = try unchanged(location) { try PassphraseChange.complete(context) }
        guard let outcome else { return nil }
        CommittedChange.note()
        return (outcome, given)
    }

    /// Answers for a change that was completed. It ends with 1 if the command line asks for another one: then the store
    /// has the passphrase of the interrupted command.
    private func answer(
        _ outcome: PassphraseChange.Outcome, _ location: StoreLocation, _ given: Passphrase?
    ) throws {
        let isRequested = try outcome.kind == kind && (given.map { try opens(location, with: $0) } ?? true)
        try output.write(
            PassphraseReport(
                outcome, of: location, isRequested: isRequested, copies: try copies(location, outcome)))
        if !isRequested { throw Answer(status: .no) }
    }

    /// Whether a passphrase is that of the store. One that opens it in another normal form of Unicode, which has a note,
    /// is not.
    private func isPresent(_ passphrase: Passphrase, _ engine: SQLiteEngine, _ location: StoreLocation) -> Bool {
        guard engine.isReading(with: passphrase) else { return false }
        return location.databases.allSatisfy { database in
            let found = engine.examine(location.path(of: database))
            return found.problem == nil && found.notes.isEmpty
        }
    }

    /// Whether the present passphrase opens a database in another normal form of Unicode.
    private func isOtherForm(_ engine: SQLiteEngine, _ location: StoreLocation) -> Bool {
        location.databases.contains { engine.examine(location.path(of: $0)).notes.contains(Passphrase.otherFormNote) }
    }

    private func opens(_ location: StoreLocation, with passphrase: Passphrase) throws -> Bool {
        let engine = try store.engineWithoutPassphrase().reading(with: passphrase)
        return location.databases.allSatisfy { engine.examine(location.path(of: $0)).problem == nil }
    }

    /// The copies beside the store, besides the replaced files of this change. No backup has the new passphrase.
    private func copies(_ location: StoreLocation, _ outcome: PassphraseChange.Outcome?) throws -> CopiesBesideStore {
        CopiesBesideStore(
            of: location, without: outcome?.replaced, with: try store.engineWithoutPassphrase(), opening: nil)
    }

    /// Throws if a database is encrypted that should not be, or the other way round. A file that is missing or no
    /// database gets the error of reading it.
    private func requireForm(of location: StoreLocation) throws {
        let plain = try store.engineWithoutPassphrase()
        let paths = location.databases.map(location.path(of:))
        // An interrupted change in the app leaves one plain and one encrypted database: both get the new passphrase.
        if kind == .set, let path = paths.first,
            paths.allSatisfy({ plain.looksEncrypted($0) || plain.examine($0).problem == nil && !Self.isPlain($0) })
        {
            throw PassphraseFormError.alreadyEncrypted(path, instead: changing())
        }
        if kind != .set, let path = paths.first(where: { plain.examine($0).problem == nil && Self.isPlain($0) }) {
            let instead = try kind == .remove ? nil : setting(location)
            throw PassphraseFormError.notEncrypted(path, instead: instead)
        }
    }

    /// Throws if `set` gets a present passphrase, which a plain store does not have, and no new one.
    private func requireUse(of location: StoreLocation) throws {
        guard kind == .set, let given = store.passphrase.repeated, let new, new.repeated == nil,
            try !hasEncrypted(location)
        else { return }
        let option = given.words().first ?? "--passphrase-file"
        let repeated = given.words("--new-passphrase")
        let command = HintedCommand(.passphraseSet, repeated.isEmpty ? ["--new-passphrase-file", "FILE"] : repeated)
        throw HintedError(
            NewPassphraseError.needed(option: "--new-passphrase"),
            hint: """
                \(option) is for an encrypted store, and this one is plain: \(command) encrypts it with that passphrase
                """)
    }

    /// Whether one of the databases is encrypted. After an interrupted change in the app, the other one may be plain.
    private func hasEncrypted(_ location: StoreLocation) throws -> Bool {
        let plain = try store.engineWithoutPassphrase()
        return location.databases.contains { plain.looksEncrypted(location.path(of: $0)) }
    }

    /// The command that changes the passphrase. The user has not consented to what it does, so it has no `--yes`. Without
    /// a terminal that could ask for a passphrase, it has a word for each that is needed and not given.
    private func changing() -> HintedCommand {
        if isatty(STDIN_FILENO) == 1 { return HintedCommand(.passphraseChange) }
        let isGiven = PassphraseOptions.isInEnvironment || store.passphrase.repeated?.words().isEmpty == false
        return HintedCommand(.passphraseChange, (isGiven ? [] : ["--passphrase-file", "FILE"]) + wordsForNew)
    }

    /// The command that encrypts the store, of which one database may be encrypted already.
    private func setting(_ location: StoreLocation) throws -> HintedCommand {
        let present = try hasEncrypted(location) ? store.passphrase.repeated?.words() ?? [] : []
        return HintedCommand(.passphraseSet, present + wordsForNew)
    }

    /// The word for the file of a new passphrase if the command line gives none.
    private var wordsForNew: [String] {
        new?.repeated?.words().isEmpty ?? true ? ["--new-passphrase-file", "NEW"] : []
    }

    /// Whether a file begins as a plain database does. A journal that a killed program has left hides what else is in it.
    private static func isPlain(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
    }

    /// The new passphrase; nil for a command without one, and for a dry run for which none is given.
    private func newPassphrase(for location: StoreLocation) throws -> Passphrase? {
        guard let new else { return nil }
        if let given = try new.given() { return given }
        return consent.dryRun ? nil : try NewPassphraseOptions.typed(for: ShownPaths.text(location.prefix))
    }

    private func engine(with passphrase: Passphrase?) throws -> SQLiteEngine {
        let plain = try store.engineWithoutPassphrase()
        return passphrase.map { plain.reading(with: $0) } ?? plain
    }

    /// Adds the state, and the path, to an error before the first change. After it, the error is `notFinished`.
    private func unchanged<T>(_ location: StoreLocation, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as any Reportable {
            let report = error.report
            guard report.state == nil else { throw error }
            var hint = report.exit == .ioError ? report.hint ?? StoreSession.diskHint : report.hint
            if case MigrationError.notEnoughSpace = error { hint = "free some space and try again" }
            let isOfFile = report.exit == .ioError && !report.namesPath
            throw HintedError(
                error, message: isOfFile ? "\(location.prefix): \(report.message)" : nil,
                state: StoreSession.unchanged, hint: hint)
        }
    }
}

/// The store does not have the form that a command changes.
enum PassphraseFormError: Reportable {
    case alreadyEncrypted(String, instead: HintedCommand)
    /// `instead` encrypts the store; nil if nothing is left to do.
    case notEncrypted(String, instead: HintedCommand?)
    /// The new passphrase is the one that the store has.
    case samePassphrase(String)
    /// The passphrase opens only one of the two databases.
    case otherPassphrase(DatabaseName, path: String, opened: String)
    /// The first passphrase opens no database, and the other one opens these.
    case firstPassphrase(String, opened: [String], opensAll: Bool)
    /// A store of SimpleX Chat is to be made plain in its place.
    case outputRequired(String)
    /// A plain copy of a store of chatdb, or of an adopted database.
    case outputNotAllowed(String)

    var report: ErrorReport {
        switch self {
        case .alreadyEncrypted(let path, let instead):
            ErrorReport(
                "alreadyEncrypted", "\(path) is encrypted already", state: StoreSession.unchanged,
                hint: "\(instead) changes its passphrase", details: ["path": .string(path)], exit: .no)
        case .notEncrypted(let path, let instead):
            ErrorReport(
                "notEncrypted", "\(path) is not encrypted, and has no passphrase", state: StoreSession.unchanged,
                hint: instead.map { "\($0) encrypts the store" } ?? "there is nothing to do",
                details: ["path": .string(path)], exit: .no)
        case .samePassphrase(let store):
            ErrorReport(
                "samePassphrase", "\(store) has the new passphrase already", state: StoreSession.unchanged,
                hint: "give another new passphrase", details: ["store": .string(store)], exit: .no)
        case .otherPassphrase(let database, let path, let opened):
            ErrorReport(
                "wrongPassphrase",
                "the passphrase opens \(opened), and not the \(database) database \(path), which has another one",
                state: StoreSession.unchanged,
                hint: """
                    \(.passphraseChange, "--other-passphrase-file", "FILE") takes the passphrase of that database from a \
                    file, and gives both the new one
                    """,
                details: ["database": .string(database.rawValue), "path": .string(path)], exit: .noInput)
        case .firstPassphrase(let store, let opened, let opensAll):
            ErrorReport(
                "wrongPassphrase",
                opened.isEmpty
                    ? "neither the passphrase nor that of --other-passphrase-file opens a database of \(store)"
                    : "the passphrase opens no database of \(store), and that of --other-passphrase-file opens "
                        + opened.joined(separator: " and "),
                state: StoreSession.unchanged,
                hint: opened.isEmpty
                    ? nil
                    : opensAll
                        ? "give the file of --other-passphrase-file with --passphrase-file instead"
                        : "--passphrase-file takes the passphrase of the other database",
                details: ["store": .string(store)], exit: .noInput)
        case .outputRequired(let store):
            ErrorReport(
                "outputRequired",
                "\(store) is SimpleX Chat's store, which the app does not open with its passphrase when it is plain",
                state: StoreSession.unchanged, hint: "--output FOLDER writes a plain copy of it",
                details: ["store": .string(store)], exit: .usage)
        case .outputNotAllowed(let store):
            ErrorReport(
                "usage", "--output is for stores and archives of SimpleX Chat, and \(store) is another store",
                state: StoreSession.unchanged, hint: "leave --output out; chatdb keeps the encrypted files",
                exit: .usage)
        }
    }
}
