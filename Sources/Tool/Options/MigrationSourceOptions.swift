import ArgumentParser
import ChatDBKit
import Foundation

/// The migrations that a command works with, and its store.
struct MigrationSourceOptions: ParsableArguments {
    @OptionGroup var store: StoreOptions

    @OptionGroup var folder: MigrationsFolderOptions

    @Option(
        help: ArgumentHelp(
            "Use only this database. Do not create, read or require the other one.", valueName: "database"))
    var only: DatabaseName?

    var migrationsDir: String? { folder.migrationsDir }

    /// The options given, for commands in notes.
    var repeated: GivenOptions {
        var options = store.repeated
        options.migrationsDir = migrationsDir
        options.only = only
        return options
    }

    /// The same for a command that may accept edited migrations.
    func repeated(acceptsEdited: Bool) -> GivenOptions {
        var options = repeated
        options.acceptsEdited = acceptsEdited
        return options
    }

    /// A migrator for the store, which Ctrl-C stops.
    /// - Parameter new: the store that the command makes if none exists; nil for a command that makes none.
    func migrator(_ new: NewStore? = nil) throws -> Migrator {
        try store.location().requireNamed(only)
        let build = try folder.migrationsForPlan(for: store.location().syntax)
        try requireStore(of: build)
        if let new { try store.prepare(new) }
        let isCreated = new?.isPlanned == false
        let location = try isCreated ? store.locationForCreating() : store.location()
        if location.server != nil { try DefaultFolder.make(DefaultStore.folder) }
        return Migrator(try context(location, build))
    }

    /// Refuses migrations of another program for the default store if that does not exist: the user has a database of
    /// the program in mind, and a run would create another one.
    private func requireStore(of build: [DatabaseName: [Migration]]) throws {
        guard let folder = migrationsDir, !store.isNamed, !StoreLocation.isStore(at: DefaultStore.prefix),
            !build.values.joined().contains(where: { MigrationSource.ownNames.contains($0.name) })
        else { return }
        throw ValidationError(
            """
            no store is named, and the migrations of \(folder) are not chatdb's own; name their database with \
            --database chat=FILE, or the place of their store with --store
            """)
    }

    /// The context of a command that runs no migration.
    func contextForReading(_ output: Output) throws -> StoreContext {
        try store.location().requireNamed(only)
        let location = try store.location()
        let build = try folder.migrationsForReading(of: location, with: { try store.engine() }, output)
        return try context(location, build)
    }

    private func context(_ location: StoreLocation, _ build: [DatabaseName: [Migration]]) throws -> StoreContext {
        var context = StoreContext(engine: try store.engine(), location: location, build: build)
        if let only { context.only = only }
        context.cancellation = Signals.cancellation
        return context
    }
}

extension StoreContext {
    /// The sentences about migrations that a run leaves out: a folder has them for a database that no option names, or in
    /// folders with other names than those of databases.
    func unusedMigrations(in folder: String?, by option: String = "--database") -> [String] {
        guard let folder else { return [] }
        let unread = MigrationsFolderOptions.unreadFolders(in: folder)
        let other = DatabaseName.allCases.first { !location.databases.contains($0) }
        guard let other, let migrations = build[other], !migrations.isEmpty else { return unread }
        let place = joinedPath(folder, other.rawValue)
        let count = counted(migrations.count, "migration")
        let ending = "chatdb leaves \(migrations.count == 1 ? "it" : "them") out"
        return ["the folder \(place) has \(count), and \(option) names no \(other) database; \(ending)"] + unread
    }
}

/// The option of commands that work with migrations, which may not be chatdb's own.
struct MigrationsFolderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the migrations from this folder, which contains chat/ and agent/, not from this build.",
            discussion: "Its version then takes the place of this build's version.", valueName: "dir"),
        completion: .directory)
    var migrationsDir: String?

    func migrations(for syntax: SQLSyntax = .sqlite) throws -> [DatabaseName: [Migration]] {
        try source.load(for: syntax)
    }

    /// The same for a command whose plan validates the files that it needs. The SQL of others may be unfinished.
    func migrationsForPlan(for syntax: SQLSyntax) throws -> [DatabaseName: [Migration]] {
        try source.loadForReading(for: syntax).migrations
    }

    /// The same for a command that runs none of them. Warns of files that a run would refuse, except for the empty files
    /// of applied migrations: what the command shows of the store says that.
    func migrationsForReading(
        of location: StoreLocation, with engine: () throws -> any StorageEngine, _ output: Output
    ) throws -> [DatabaseName: [Migration]] {
        let (migrations, problems) = try source.loadForReading(for: location.syntax)
        guard case .invalid(let invalid)? = problems else { return migrations }
        let context = StoreContext(engine: try engine(), location: location, build: migrations)
        var applied: [String] = []
        for (database, part) in (try? context.status())?.readable ?? [:] {
            applied += part.edits.emptied.map { name in "\(database.rawValue)/\(name)" }
        }
        let left = invalid.without(upFilesOf: applied)
        guard left.count > 0 else { return migrations }
        let info = MigrationFileError.invalid(left).info
        for line in info.lines.isEmpty ? [info.message] : info.lines { output.warn(line) }
        output.warn("migrate plan and migrate run refuse to apply such a migration until it is corrected")
        return migrations
    }

    /// A note for each folder of migrations beside `chat` and `agent`, which may be a misspelt one of these.
    static func unreadFolders(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let (chat, agent) = (joinedPath(folder, "chat"), joinedPath(folder, "agent"))
        let unread = names.sorted().filter { name in
            !name.hasPrefix(".")
                && !DatabaseName.allCases.contains { isRead(name, as: $0.rawValue, among: names, folder) }
                && MigrationHint.hasFiles(joinedPath(folder, name))
        }
        return unread.map { name in
            "chatdb does not read the migrations in \(joinedPath(folder, name)): a migration lies in \(chat) or \(agent)"
        }
    }

    /// Whether a folder is read as that of a database. Some systems find it by a name in another case.
    private static func isRead(
        _ name: String, as database: String, among names: [String], _ folder: String
    ) -> Bool {
        name == database
            || name.lowercased() == database && !names.contains(database)
                && FileState(at: joinedPath(folder, database)) != .missing
    }

    private var source: MigrationSource { migrationsDir.map(MigrationSource.folder) ?? .build }
}
