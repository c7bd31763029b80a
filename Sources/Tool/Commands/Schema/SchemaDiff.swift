import ArgumentParser
import ChatDBKit

struct SchemaDiff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare a store's schema with that of its version, or of another store.",
        discussion: """
            + is what the store has, - is what its version or OTHER-STORE has instead. chatdb compares a store that is \
            newer than this build with this build's version.

            Examples:
              chatdb schema diff
              chatdb schema diff --exit-code -d ~/Downloads/simplex
              chatdb schema diff ~/backup/me -d ~/chats/me
              chatdb schema diff chat=old.db --database chat=app.db
              chatdb schema diff -d ./mine --migrations-dir ./migrations
            """)

    @Argument(
        help: ArgumentHelp(
            "Another store to compare with, instead of the schema of the version: its path, chat=FILE or agent=FILE.",
            valueName: "other-store"))
    var other: String?

    @Option(help: ArgumentHelp("Use only this database.", valueName: "database"))
    var only: DatabaseName?

    @OptionGroup var folder: MigrationsFolderOptions

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Exit with 1 if there is a difference.")
    var exitCode = false

    func run() throws {
        let output = try output.output()
        let other = try other.map(location(of:))
        try other?.requireNamed(only, by: "OTHER-STORE")
        let here = try SchemaSource.store(store.location(), with: store.fileEngine(), build: folder.migrations())
        output.detail("the store is \(here.context.location.prefix)")
        let there = try other.map { try SchemaSource.store($0, with: store.fileEngine()) }
        let rows = try there.map { try differences(of: here, from: $0, output) } ?? drift(in: here, output)
        try output.write(SchemaDiffReport(rows: rows))
        if exitCode, !rows.isEmpty { throw Answer(status: .no) }
    }

    private func location(of other: String) throws -> StoreLocation {
        do {
            return try store.location(of: other)
        } catch StoreLocationError.notAStore(let path) where StoreLocationError.mayBeDatabase(path) {
            throw HintedError(
                StoreLocationError.notAStore(path),
                hint: "name the other store, or a database of any name as \(ShellWord.quoted("chat=\(path)"))")
        }
    }

    private func differences(
        of here: SchemaSource, from there: SchemaSource, _ output: Output
    ) throws -> [SchemaDiffReport.Row] {
        let (own, others) = (try here.databases(only), try there.databases(only))
        // OTHER-STORE names only one file, so it cannot name the other database of a pair.
        let isFile = there.context.location.hasNamedFiles && own.contains(where: others.contains)
        let left = isFile ? own.filter { !others.contains($0) } : []
        for database in left {
            output.note("the \(database) database is left out: \(database)=FILE as OTHER-STORE compares it")
        }
        return try DatabaseName.allCases.filter { !left.contains($0) }.flatMap { database -> [SchemaDiffReport.Row] in
            switch (own.contains(database), others.contains(database)) {
            case (true, true):
                let found = try here.context.liveStructure(of: database)
                return try found.differences(from: there.context.liveStructure(of: database)).map {
                    SchemaDiffReport.Row(database, $0)
                }
            case (true, false): return [SchemaDiffReport.Row(whole: database, .extra)]
            case (false, true): return [SchemaDiffReport.Row(whole: database, .missing)]
            case (false, false): return []
            }
        }
    }

    private func drift(in here: SchemaSource, _ output: Output) throws -> [SchemaDiffReport.Row] {
        let databases = try here.databases(only)
        here.noteMissing(only, on: output)
        let status = try here.context.status()
        for database in databases {
            guard let part = status.readable[database], part.kind != .chatdb else { continue }
            let other = here.context.location.hasNamedFiles ? "\(database)=FILE" : "OTHER-STORE"
            throw NoSchemaToCompare(database: database, kind: part.kind, other: other)
        }
        let rows = try databases.flatMap { database in
            try drift(of: database, here.context, output).map { SchemaDiffReport.Row(database, $0) }
        }
        for database in databases {
            guard let part = status.readable[database], let version = part.version, !part.pending.isEmpty else {
                continue
            }
            output.note(
                "the \(database) database is compared with its own version, \(version); "
                    + pendingClause(of: part))
        }
        return rows
    }

    /// Which migrations the comparison does not concern.
    private func pendingClause(of part: FoundDatabase) -> String {
        let later = part.pending.count - part.outOfOrder.count
        let count = later > 0 ? ["\(counted(later, "later migration")) \(later == 1 ? "is" : "are") pending"] : []
        let early = part.outOfOrder.isEmpty ? [] : ["it lacks \(part.outOfOrder.joined(separator: ", ")), out of order"]
        return (early + count).joined(separator: "; ")
    }

    private func drift(
        of database: DatabaseName, _ context: StoreContext, _ output: Output
    ) throws -> [StructureDifference] {
        do {
            return try context.drift(of: database)
        } catch MigrationError.needsDowngrade(let names) {
            output.warn(
                "the \(database) database is newer than \(context.owner), by \(names.joined(separator: ", ")); "
                    + "chatdb compares it with \(context.owner)'s version")
            let expected = try SchemaText.structure(of: context.build[database] ?? [], engine: context.engine)
            return try context.liveStructure(of: database).differences(from: expected)
        } catch let error as MigrationError {
            guard let part = (try? context.status())?.readable[database] else { throw error }
            if let lacking = MigrationHint.lackingFiles(error, error, part, context, in: folder.migrationsDir) {
                throw lacking
            }
            guard case .differentHistory = error else { throw error }
            // The plan names this command for the differences of a database that lacks earlier migrations.
            if !part.outOfOrder.isEmpty, let drift = try context.driftAsApplied(of: database) { return drift }
            guard folder.migrationsDir != nil else { throw error }
            throw MigrationHint.outOfOrder(error, part, context.hasOwnMigrations ? nil : error.messageOfFolder) ?? error
        }
    }
}

/// This build has no version to compare a database of another program with.
struct NoSchemaToCompare: Reportable {
    let database: DatabaseName
    let kind: FoundDatabase.Kind
    /// The word that stands for another store in the hint.
    let other: String

    var report: ErrorReport {
        let owner = kind == .simplex ? "SimpleX Chat's" : "not chatdb's"
        return ErrorReport(
            "notOurStore",
            "the \(database) database is \(owner), and this build does not know what its schema should be",
            hint: "\(.schemaDiff, other) compares it with another; \(.schemaShow) shows it",
            exit: .noInput)
    }
}
