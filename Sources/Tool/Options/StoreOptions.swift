import ArgumentParser
import ChatDBKit
import Foundation

/// The store of a command.
struct StoreOptions: ParsableArguments {
    static let variable = "CHATDB_STORE"

    @Option(
        name: [.customShort("d"), .customLong("store"), .customLong("database")],
        help: ArgumentHelp(
            "The store: a prefix (x means x_chat.db and x_agent.db), one of its files, their folder, or a ZIP archive.",
            discussion: """
                Default: the value of \(variable), the store of the configuration file, or chatdb/chatdb in the user's \
                data folder. postgres://HOST/DATABASE?store=NAME is a store on a PostgreSQL server. Adopted databases are \
                named by their files: --database chat=FILE, --database agent=FILE, \
                or both.
                """,
            valueName: "path"),
        completion: .file())
    var paths: [String] = []

    @OptionGroup var passphrase: PassphraseOptions

    /// The store as the command opens it.
    private let opened = OpenedPaths()

    /// The parsed options.
    private enum CodingKeys: CodingKey {
        case paths
        case passphrase
    }

    func validate() throws { _ = try NamedFiles(paths) }

    /// The options given, for commands in notes.
    var repeated: GivenOptions {
        GivenOptions(store: path, files: named?.arguments ?? [], passphrase: passphrase.repeated)
    }

    /// Whether the command line, the environment or the configuration file names a store.
    var isNamed: Bool { !paths.isEmpty || Self.namedPath != nil }

    /// The path on the command line; the last one counts. Nil without one, and for named files.
    var path: String? { named == nil ? paths.last : nil }

    /// The named files of adopted databases; nil for a store that a path names.
    private var named: NamedFiles? {
        (try? NamedFiles(paths.isEmpty ? [Self.pathWithoutOption] : paths)) ?? nil
    }

    var given: String { path ?? Self.pathWithoutOption }

    /// The store of the environment, else of the configuration file; nil if neither names one.
    private static var namedPath: String? { ProcessEnvironment.variables[variable] ?? ConfigurationFile.valid?.store }

    /// Its prefix; nil too if it is an archive, or named files.
    static var namedPrefix: String? {
        guard let path = namedPath, NamedFiles.parts(path) == nil, !OpenedPaths.isNamedAsArchive(path) else {
            return nil
        }
        return try? StoreLocation.resolve(path).prefix
    }

    /// Its location if it names the files of adopted databases; nil for any other store.
    static var namedFiles: StoreLocation? {
        guard let path = namedPath, let files = (try? NamedFiles([path])) ?? nil else { return nil }
        return try? StoreLocation(files: files.paths)
    }

    /// The store of a command without the option.
    static var pathWithoutOption: String { namedPath ?? DefaultStore.prefix }

    /// The location of the store. The databases of an archive are unpacked into a private folder first.
    func location() throws -> StoreLocation {
        if let named { return try opened.location(of: named) }
        return try opened.location(of: given)
    }

    /// The file of lost rows of a salvage that the path means. It is nil if the path means a store.
    func lostRows() throws -> LostRowsFile? { named == nil ? try LostRowsFile(given) : nil }

    /// The options of another store, with which the command compares this one. It is read with the same passphrase,
    /// unless a file has its own.
    func other(_ path: String, _ passphraseFile: String?) throws -> StoreOptions {
        if let passphraseFile {
            return try StoreOptions.parse(["--store=\(path)", "--passphrase-file=\(passphraseFile)"])
        }
        var other = self
        other.paths = [path]
        return other
    }

    /// The location of another store, with which the command compares this one: of a path, or of one named file.
    func location(of other: String) throws -> StoreLocation {
        try NamedFiles([other]).map(opened.location) ?? opened.location(of: other)
    }

    /// The engine that opens all stores of a command that works on files. It is shared, so that a store that has to be copied to be read
    /// is copied once; the copies are removed with these options. If one of the stores is encrypted, the engine has the
    /// passphrase, which chatdb asks for when none was given.
    ///
    /// - Parameters:
    ///   - files: other files that the engine opens, such as those of a backup.
    ///   - mayBeOmitted: whether an empty line on the terminal means the work without a passphrase.
    func fileEngine(and files: [String] = [], mayBeOmitted: Bool = false) throws -> SQLiteEngine {
        try requireFiles()
        return try opened.engine(with: passphrase, and: files, mayBeOmitted: mayBeOmitted)
    }

    /// The engine of a list of backups with these files, which needs no passphrase, and marks what the given one opens.
    func engineOfList(and backups: [String]) throws -> SQLiteEngine {
        try requireFiles()
        return try opened.engineOfList(with: passphrase, and: backups)
    }

    /// The engine that opens only these files, and not the store. A passphrase that opens none of them is no error.
    /// - Parameter mayBeOmitted: whether an empty line on the terminal means the work without a passphrase.
    /// - Returns: also the hint for a passphrase that does not open a file, if its file has bytes that an editor does not
    ///   show.
    func engine(of files: [String], mayBeOmitted: Bool) throws -> (engine: SQLiteEngine, unseen: Hint?) {
        let paths = OpenedPaths()
        let engine = try paths.engine(with: passphrase, and: files, mayBeOmitted: mayBeOmitted, mayOpenNone: true)
        return (engine, paths.unseen)
    }

    /// The hint if the file or the line of the passphrase has bytes that an editor does not show. It is known when an
    /// engine was asked for.
    var unseen: Hint? { opened.unseen }

    /// Whether a database of the store is encrypted. What a command keeps of it must not get into a plain file.
    func isEncrypted() throws -> Bool {
        let location = try location()
        guard location.server == nil else { return false }
        let engine = try fileEngine()
        return location.databases.contains { engine.isEncrypted(location.path(of: $0)) }
    }

    /// Limits the time that each connection to files waits for other programs. It concerns engines that are asked for
    /// after it.
    func limitWaiting(to lock: LockTimeoutOptions) { opened.limitWaiting(to: lock.seconds) }

    /// The engine that opens the store, on a server or in files.
    func engine() throws -> any StorageEngine {
        if let server = try location().server { return opened.engine(of: server) }
        return try fileEngine()
    }

    /// The engine of the place to which a command copies the store.
    func engine(of target: StoreLocation) -> any StorageEngine {
        guard let server = target.server else { return opened.plain }
        return opened.engine(of: server)
    }

    /// Throws if the store is on a server, for a command that works on files.
    func requireFiles() throws {
        if let server = try location().server { throw ReadOnlyStoreError.onServer(server) }
    }

    /// The engine that opens all stores of the command, without a passphrase: for a command that refuses encrypted ones.
    func engineWithoutPassphrase() throws -> SQLiteEngine {
        try requireFiles()
        return opened.plain
    }

    /// Prepares the engine for a command that makes the store if it does not exist: encrypted, with the passphrase that
    /// is given or asked for, or plain. An encrypted store that exists is opened with its passphrase. A command that
    /// creates no files that the options name needs no passphrase for them. A plan asks for no new passphrase.
    func prepare(_ new: NewStore) throws {
        let location = try location()
        if let server = location.server {
            if new.isEncrypted { throw PassphraseError.onServer(server) }
            return
        }
        // The databases may be in other folders until the restore or the change of the passphrase is completed.
        try RestoreRecord.refuse(at: location)
        // A run that was interrupted while it made the store left files that are no store yet.
        let record = (try? IntentRecord.read(at: location)) ?? nil
        let isNew =
            record?.creates == true
            || location.databases.allSatisfy { location.state(of: $0) == .missing }
        if isNew, record == nil, !new.createsFiles, CreationOptions.isNeeded(for: location) { return }
        switch (new.isEncrypted || record?.isEncrypted == true, isNew) {
        case (true, true):
            let given = try passphrase.givenForNew()
            if given == nil, new.isPlanned { return }
            _ = opened.engine(encryptingWith: try given ?? passphrase.typedForNew(location.prefix))
        case (true, false):
            let paths = location.databases.map(location.path(of:))
            if !paths.contains(where: opened.plain.looksEncrypted) {
                throw PassphraseError.ofPlainStore(location.prefix)
            }
        case (false, true):
            if passphrase.repeated != nil, try !isEncrypted() {
                throw HintedError(
                    PassphraseError.ofNoStore(location.prefix, encrypting: new.encrypting),
                    hint: ReplacedStore.hintOfCopies(of: location))
            }
            passphrase.warnOfPlainStore()
        case (false, false): return
        }
    }

    /// The location of a new store. Creates the folder of the default store if it is missing.
    func locationForCreating() throws -> StoreLocation {
        if !isNamed {
            try DefaultFolder.make(parentFolder(of: DefaultStore.prefix))
        }
        return try location()
    }

    /// The path of the archive that is the store; nil for a store of files.
    var archive: String? { named == nil && opened.isArchive(given) ? given : nil }

    /// Throws if chatdb only reads this store: it is an archive.
    func requireWritable() throws {
        if let archive { throw ReadOnlyStoreError.archive(archive) }
    }

    /// The same for a command that changes only chatdb's own stores: unpacked, a store of SimpleX Chat would be refused
    /// too. The program of an encrypted archive is not known without its passphrase.
    func requireWritableOwn() throws {
        guard archive != nil else { return }
        let location = try location()
        let context = StoreContext(
            engine: passphrase.isGiven ? try fileEngine() : opened.plain, location: location,
            build: try MigrationSource.build.load(for: location.syntax))
        try requireWritableOwn(try? context.status())
    }

    /// The same for a command that has read the store.
    /// - Parameter status: nil if the store cannot be read.
    func requireWritableOwn(_ status: StoreStatus?) throws {
        guard archive != nil else { return }
        if status?.kind == .simplex { throw MigrationError.readOnlyStore }
        try requireWritable()
    }

    /// Throws if the store is encrypted, for a command that would write its content in plain text.
    func requirePlain() throws { try opened.requirePlain(location()) }

    /// The archive from which the store was unpacked; nil for a store of files.
    var archiveReader: ArchiveReader? {
        get throws {
            _ = try location()
            return archive.flatMap(opened.reader)
        }
    }
}

/// A command was given a store with which it does not work.
enum ReadOnlyStoreError: Reportable {
    case archive(String)
    /// An archive of which the command can write a changed copy.
    case archiveWithoutOutput(String)
    /// The file of a changed archive was named for a store of files.
    case notAnArchive(String, output: String)
    case encrypted(String)
    /// A command that works on files was given a store on a server.
    case onServer(ServerStore)
    /// A store of SimpleX Chat on a server.
    case simplexOnServer

    var report: ErrorReport {
        switch self {
        case .archive(let path):
            ErrorReport(
                "archiveReadOnly", "\(path) is an archive, and this command needs a store of files",
                state: "Nothing was changed.",
                hint: "\(.archiveUnpack, path, "--to", "FOLDER") makes a store of it", details: ["path": .string(path)],
                exit: .noInput)
        case .archiveWithoutOutput(let path):
            ErrorReport(
                "archiveReadOnly", "\(path) is an archive, which chatdb never changes",
                state: "Nothing was changed.", hint: "--output NEW.zip writes a changed copy of it",
                details: ["path": .string(path)], exit: .noInput)
        case .notAnArchive(let store, let output):
            ErrorReport(
                "usage", "--output \(output) is for an archive, and \(store) is a store of files",
                state: "Nothing was changed.", hint: "leave --output out; chatdb makes a backup first", exit: .usage)
        case .onServer(let server):
            ErrorReport(
                "filesOnly", "this command works on files, and \(server) is on a server",
                state: "Nothing was changed.",
                hint: "use the server's own programs, such as pg_dump, pg_restore and psql",
                details: ["store": .string(server.description)], exit: .usage)
        case .simplexOnServer:
            ErrorReport(
                "readOnlyStore", "this is a store of SimpleX Chat on a server, in which chatdb changes nothing",
                state: "Nothing was changed.", hint: "make the change in the app", exit: .no)
        case .encrypted(let path):
            ErrorReport(
                "encryptedUnsupported",
                "\(path) is encrypted or not a database, and this command would write its content in plain text",
                state: "Nothing was changed.",
                hint: """
                    \(.passphraseRemove) makes a store of chatdb plain; of SimpleX Chat's store, \
                    \(.passphraseRemove, "--output", "FOLDER") writes a plain copy: name that copy
                    """,
                details: ["path": .string(path)],
                exit: .noInput)
        }
    }
}

extension StoreLocation {
    /// Whether a path is that of a store that exists, or of one of its databases.
    static func isStore(at path: String) -> Bool {
        guard let location = try? StoreLocation.resolve(path) else { return false }
        return location.databases.contains { location.state(of: $0) != .missing }
    }
}
