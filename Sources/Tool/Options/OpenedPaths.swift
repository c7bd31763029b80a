import ChatDBKit
import Foundation

/// The stores that a command reads, by the paths that it was given. Archives are unpacked for as long as this object
/// lives, once each.
final class OpenedPaths {
    /// The engine without a passphrase.
    private(set) var plain = SQLiteEngine(sharesCopies: true)

    private var locations: [String: StoreLocation] = [:]
    private var archives: [String: Bool] = [:]
    private var readers: [String: ArchiveReader] = [:]
    private var folders: [LockedFolder] = []
    private var unlocking: SQLiteEngine?
    private var servers: [ServerStore: PostgresEngine] = [:]

    /// The hint if the file or the line of the passphrase has bytes that an editor does not show. Nil without such bytes,
    /// and for a passphrase that was typed.
    private(set) var unseen: Hint?

    private static let mostQuestions = 3

    /// Whether a path is that of an archive, found out from the first bytes of the file. The file is opened once:
    /// closing a second descriptor drops the locks that SQLite may have by then.
    func isArchive(_ given: String) -> Bool {
        if let known = archives[given] { return known }
        var found = false
        if case .regular = FileState(at: given) { found = ArchiveReader.isArchive(given) }
        archives[given] = found
        return found
    }

    /// Whether the name of a file is one of an archive.
    static func isNamedAsArchive(_ given: String) -> Bool { given.lowercased().hasSuffix(".zip") }

    /// Limits the time that each connection to files waits for other programs. It concerns the engines that this object
    /// gives from now on. SQLite waits without a look at Ctrl-C, so a connection never waits longer than usual.
    func limitWaiting(to seconds: Double) {
        let patience = min(seconds, 5)
        plain = plain.waiting(patience)
        unlocking = unlocking?.waiting(patience)
    }

    /// The location of the store that a path means.
    func location(of given: String) throws -> StoreLocation {
        if let known = locations[given] { return known }
        if ServerStore.isNamed(by: given) {
            var server = try ServerStore(given)
            // Two databases may have stores of one name.
            let database = server.database ?? ProcessEnvironment.variables["PGDATABASE"] ?? ""
            let folder = database.isEmpty ? "" : database.replacing("/", with: "_") + "."
            server.keptPrefix = "\(DefaultStore.folder)/\(folder)\(server.name)"
            locations[given] = StoreLocation(server: server)
            return StoreLocation(server: server)
        }
        // The error says why the file is no archive.
        if !isArchive(given), Self.isNamedAsArchive(given), FileState(at: given) != .missing {
            _ = try ArchiveReader(given)
        }
        let location = try isArchive(given) ? unpacked(given) : StoreLocation.resolve(given)
        locations[given] = location
        return location
    }

    /// The location of a store whose databases were named.
    func location(of files: NamedFiles) throws -> StoreLocation {
        let location = try StoreLocation(files: files.paths)
        locations[files.arguments.joined(separator: " ")] = location
        return location
    }

    /// The archive from which a store was unpacked; nil for a store of files.
    func reader(of given: String) -> ArchiveReader? { readers[given] }

    /// Takes a store that the command has unpacked itself.
    func add(_ location: StoreLocation, of given: String) { locations[given] = location }

    /// The engine of a store on a server.
    func engine(of server: ServerStore) -> PostgresEngine {
        if let known = servers[server] { return known }
        let engine = PostgresEngine(server)
        servers[server] = engine
        return engine
    }

    /// The engine for these stores, with the passphrase if one of them is encrypted.
    /// - Parameters:
    ///   - files: other files that the engine opens, such as those of a backup. If one of them is encrypted, chatdb asks
    ///     for its passphrase, and not for that of the store: a restore has to open the backup.
    ///   - mayBeOmitted: whether an empty line on the terminal means the work without a passphrase.
    ///   - mayOpenNone: whether a passphrase that opens none of the encrypted databases is no error, unless it was typed.
    func engine(
        with options: PassphraseOptions, and files: [String] = [], mayBeOmitted: Bool = false, mayOpenNone: Bool = false
    ) throws -> SQLiteEngine {
        if let unlocking { return unlocking }
        let paths = paths + files
        // A passphrase on the command line is read in any case, so that its mistakes show.
        if let passphrase = try options.given() {
            if arePlain(paths) { options.noteUnused() }
            return try use(passphrase, of: options.source, for: paths, mayOpenNone: mayOpenNone)
        }
        let asked = files.contains(where: plain.looksEncrypted) ? files : paths
        guard let encrypted = asked.first(where: plain.looksEncrypted) else {
            // An encrypted file that was cut does not look like one.
            guard paths.contains(where: { plain.examine($0).problem?.kind == .notADatabase }),
                let passphrase = try options.fromEnvironment()
            else { return plain }
            return try use(passphrase, of: options.source, for: paths, mayOpenNone: mayOpenNone)
        }
        if let passphrase = try options.fromEnvironment() {
            return try use(passphrase, of: options.source, for: paths, mayOpenNone: mayOpenNone)
        }
        let note = mayBeOmitted ? Self.omitting : ""
        do {
            return try PasswordInput.withoutEcho { try ask(options, for: encrypted, note, asked) } ?? plain
        } catch PassphraseError.empty where mayBeOmitted {
            return plain
        }
    }

    /// The engine of a list of backups, which needs no passphrase, and marks what the given one opens. A passphrase that
    /// opens neither the store nor a backup is no error. On a terminal, chatdb asks for that of the store, and an empty
    /// line means the list without one.
    func engineOfList(with options: PassphraseOptions, and backups: [String]) throws -> SQLiteEngine {
        if let unlocking { return unlocking }
        var passphrase = try options.given()
        if passphrase == nil, (paths + backups).contains(where: plain.looksEncrypted) {
            passphrase = try options.fromEnvironment()
        }
        unseen = passphrase.flatMap { $0.hint(of: options.source) }
        if passphrase == nil, let path = paths.first(where: plain.looksEncrypted) {
            do {
                passphrase = try options.typed(for: ShownPaths.text(path), note: Self.omitting)
            } catch PassphraseError.empty {}
        }
        guard let passphrase else { return plain }
        let engine = plain.reading(with: passphrase)
        unlocking = engine
        return engine
    }

    private static let omitting = " (without it, press Enter)"

    /// Asks on the terminal, again after a wrong passphrase, and after an empty one if it may not be omitted. Nil without
    /// a terminal.
    private func ask(
        _ options: PassphraseOptions, for path: String, _ note: String, _ paths: [String]
    ) throws -> SQLiteEngine? {
        for left in (0..<Self.mostQuestions).reversed() {
            do {
                guard let passphrase = try options.typed(for: ShownPaths.text(path), note: note) else { return nil }
                return try use(passphrase, for: paths)
            } catch PassphraseError.empty where note.isEmpty && left > 0 {
                try StandardStreams.error(Array("That passphrase is empty.\n".utf8))
            } catch let error as StoreError where error.kind == .wrongPassphrase && left > 0 {
                try StandardStreams.error(Array("That passphrase does not open it.\n".utf8))
            }
        }
        return nil
    }

    /// The engine that makes an encrypted store with this passphrase.
    func engine(encryptingWith passphrase: Passphrase) -> SQLiteEngine {
        let engine = plain.encryptingNewDatabases(with: passphrase)
        unlocking = engine
        return engine
    }

    /// Throws if a store is encrypted, for a command that would write its content in plain text.
    func requirePlain(_ location: StoreLocation) throws {
        for database in location.databases where location.server == nil {
            let path = location.path(of: database)
            if plain.looksEncrypted(path) { throw ReadOnlyStoreError.encrypted(path) }
        }
    }

    /// The engine with a passphrase. Throws if it opens none of the databases that look encrypted, unless it may.
    /// - Parameter source: the file with the passphrase, or the line on standard input; nil if it was typed.
    private func use(
        _ passphrase: Passphrase, of source: String? = nil, for paths: [String], mayOpenNone: Bool = false
    ) throws -> SQLiteEngine {
        let encrypted = paths.filter(plain.looksEncrypted)
        unseen = source.flatMap(passphrase.hint)
        // What an interrupted creation of an encrypted store left is removed, and the store made again.
        let engine =
            encrypted.isEmpty
            ? plain.writing(with: passphrase) : plain.encryptingNewDatabases(with: passphrase)
        let problems = mayOpenNone ? [] : encrypted.map { engine.examine($0).problem }
        if problems.allSatisfy({ $0?.kind == .wrongPassphrase }), let problem = problems.first ?? nil {
            // The passphrase may be the new one of a change that was interrupted.
            for location in locations.values { try RestoreRecord.refuse(at: location) }
            throw unseen == nil ? problem : HintedError(problem, hint: unseen)
        }
        unlocking = engine
        return engine
    }

    /// Whether databases exist in these files, and none of them is encrypted or damaged.
    private func arePlain(_ files: [String]) -> Bool {
        let existing = files.filter { FileState(at: $0) != .missing }
        return !existing.isEmpty
            && existing.allSatisfy { !plain.looksEncrypted($0) && plain.examine($0).problem == nil }
    }

    /// The files of the stores, chat first.
    private var paths: [String] {
        locations.values.filter { $0.server == nil }.sorted { $0.prefix < $1.prefix }.flatMap { location in
            location.databases.map(location.path(of:))
        }
    }

    private func unpacked(_ given: String) throws -> StoreLocation {
        let reader = try ArchiveReader(given)
        readers[given] = reader
        let contents = try ArchiveContents(of: reader)
        let folder = try LockedFolder.make(for: .copy)
        let shown = try StoreLocation(prefix: given).prefix
        ShownPaths.show(ArchiveUnpacking.prefix(in: folder.path), in: folder.path, as: shown)
        _ = try ArchiveUnpacking(reader, contents, cancellation: Signals.cancellation).databases(into: folder)
        folders.append(folder)
        return try StoreLocation(prefix: ArchiveUnpacking.prefix(in: folder.path))
    }
}
