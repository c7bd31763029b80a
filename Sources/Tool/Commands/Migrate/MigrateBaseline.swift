import ArgumentParser
import ChatDBKit

struct MigrateBaseline: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "baseline", abstract: "Adopt databases that another program made.",
        discussion: """
            Compares the schema of each database with that of the migrations of --migrations-dir up to --to NAME. If \
            they are the same, chatdb backs the databases up, and records in each that these migrations are applied. \
            It runs none of them, and changes nothing else. From then on, the other commands of chatdb work on these \
            databases, with the same --database; those that compare or run migrations take --migrations-dir too.

            --database gives a file a place in the store: chat=FILE for the only database of a program, with the \
            migrations in DIR/chat. For two databases that belong together, give --database twice, with chat=FILE and \
            agent=FILE in one folder; the migrations of the second one are in DIR/agent. A pair is adopted together.

            If the list of migrations of a database of chatdb has lost rows at its end, writes these rows again. For a \
            store of chatdb's own, it needs no --migrations-dir, and also writes rows again that were lost in between.

            Refuses databases of SimpleX Chat, those that have a table migrations or store already, and those that \
            another program has marked as its own with an application_id.

            Examples:
              chatdb schema dump --database chat=a.db > m/chat/20260101_0000_v1.up.sql
              chatdb migrate baseline --to 20260101_0000_v1 --migrations-dir m -d chat=a.db
              chatdb migrate run --migrations-dir m --database chat=a.db
            """)

    @OptionGroup var source: MigrationSourceOptions

    @Option(help: ArgumentHelp("The last migration whose schema the databases have.", valueName: "name"))
    var to: String

    @OptionGroup var undo: UndoOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var lock: LockTimeoutOptions

    @Flag(help: "Do not check the free space on the disk.")
    var skipSpaceCheck = false

    @OptionGroup var output: OutputOptions

    /// With this build's migrations, only lost rows of a store of chatdb's own are written again.
    private func requireFolder(_ context: StoreContext) throws {
        if source.migrationsDir == nil, try context.status().kind != .chatdb {
            throw ValidationError("name the folder of the migrations with --migrations-dir")
        }
    }

    /// Refuses one of two named files: a pair is adopted together, and files that were adopted alone never become one.
    private func requirePair() throws {
        guard source.only != nil, try source.store.location().isNamedPair else { return }
        throw ValidationError(
            "a pair is adopted together: leave --only out, or name one file with --database if it belongs to no pair")
    }

    /// The migrator. The error for a folder without migrations has the command that writes the first one.
    private func migrator() throws -> Migrator {
        do {
            return try source.migrator()
        } catch let error as MigrationFileError {
            switch error {
            case .noFolder(let folder) where MigrationHint.similarFolder(to: folder) != nil: throw error
            case .noFolder(let folder), .noMigrationFolders(let folder):
                // A first migration in this folder would break both folders.
                if MigrationHint.hasMigrations("\(folder)/sqlite") || MigrationHint.hasFiles(folder) { throw error }
                throw HintedError(
                    error, hint: MigrationHint.firstMigration(to, of: try source.store.location(), in: folder))
            default: throw error
            }
        }
    }

    func run() throws {
        let output = try output.output()
        try source.store.requireFiles()
        try source.store.requireWritable()
        source.store.limitWaiting(to: lock)
        try requirePair()
        let migrator = try migrator()
        try requireFolder(migrator.context)
        let bar = RunProgress(output)
        defer { bar.finish() }
        var adoption = Adoption(migrator.context)
        adoption.context.lockTimeout = lock.seconds
        adoption.context.progress = { bar.show($0) }
        adoption.backup = undo.noBackup ? .none : .folder(undo.backupDir)
        adoption.skipsSpaceCheck = skipSpaceCheck
        let location = migrator.context.location
        let answer = try MigrationHint.adding(for: migrator, in: source.migrationsDir) {
            try ConfirmedChange(consent, output).run(
                read: { BaselineReport(plan: try adoption.plan(at: to)) },
                decide: { .ask(.init(text: $0.question, shown: $0, audience: .readersOfText)) },
                preview: { planned in
                    var planned = planned
                    planned.kept = undo.kept(nil, of: location)
                    return planned
                },
                write: { planned in
                    let report = try adoption.run(planned.plan)
                    CommittedChange.note()
                    // A restore does not take the backup of one of two databases.
                    let isWhole = location.databases.count == report.plan.databases.count
                    return BaselineReport(
                        plan: report.plan, made: report, undo: isWhole ? undo.kept(report.backup, of: location) : nil)
                })
        }
        bar.finish()
        try output.write(answer)
    }
}

/// What a baseline records, or has recorded.
struct BaselineReport: Report {
    let plan: AdoptionPlan
    /// Nil for a plan.
    var made: AdoptionReport?
    /// The backup that a dry run announces.
    var kept: KeptCopy?
    /// The backup that was made; nil for a plan, and without a backup.
    var undo: KeptCopy?

    private var parts: [(database: DatabaseName, part: AdoptionPlan.Part)] {
        DatabaseName.allCases.compactMap { name in plan.databases[name].map { (name, $0) } }
    }

    var question: String {
        if plan.isCompletion { return "Write the missing rows of the list of migrations?" }
        return parts.count == 1 ? "Adopt this database?" : "Adopt these databases?"
    }

    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("applied", .bool(made != nil)), .init("version", .string(plan.version)),
            .init("storeId", JSONValue(made?.identity.storeID)), .init("backup", JSONValue(made?.backup)),
            .init("undo", JSONValue(undo?.made?.command)),
        ]
        for database in DatabaseName.allCases {
            members.append(.init(database.rawValue, plan.databases[database].map(Self.json) ?? .null))
        }
        return .object(members)
    }

    private static func json(_ part: AdoptionPlan.Part) -> JSONValue {
        [
            "path": .string(part.path), "migrations": JSONValue(part.migrations),
            "alreadyAdopted": .bool(part.isAdopted), "lost": JSONValue(part.lost),
        ]
    }

    var document: Document {
        var blocks: [Block] = [.paragraph(sentence), .table(table)]
        if let backup = made?.backup { blocks.append(.fields([Field("Backup", .text(backup))])) }
        blocks.append(.notes(notes))
        if let command = undo?.made?.command {
            blocks += [.heading("To undo it"), .verbatim(command, language: "sh")]
        }
        return Document(blocks)
    }

    private var sentence: String {
        if plan.isCompletion {
            let rows = "the missing rows of the list of migrations"
            return made == nil
                ? "The schema is that of \(plan.version). chatdb would write \(rows):" : "chatdb wrote \(rows):"
        }
        let what = parts.count == 1 ? "The database was" : "The databases were"
        return made == nil
            ? "The schema is that of \(plan.version). chatdb would record these migrations as applied:"
            : "\(what) adopted. chatdb recorded these migrations as applied:"
    }

    private var notes: [Note] {
        var notes = parts.filter { plan.isCompletion || $0.part.isAdopted }.map { database, part -> Note in
            if plan.isCompletion {
                let names = part.lost.isEmpty ? "none" : part.lost.joined(separator: ", ")
                return Note.note("missing rows of the \(database) database: \(names)")
            }
            return Note.note("the \(database) database was adopted before the earlier run was interrupted")
        }
        if let kept, made == nil { notes.append(.note("chatdb would first make a backup in \(kept.folder)")) }
        return notes
    }

    private var table: Table {
        Table(
            [
                Column("Database"), Column("File", shrinking: .middle), Column("Migrations", alignment: .right),
                Column("Version"),
            ],
            rows: parts.map { database, part in
                [
                    .text(database.rawValue), .text(part.path), .count(part.migrations.count),
                    .text(part.migrations.last),
                ]
            }, whenEmpty: "")
    }

    var csvTable: Table {
        Table(
            table.columns + [Column("Applied"), Column("Backup")],
            rows: table.rows.map { $0 + [.yesNo(made != nil), .text(made?.backup)] }, whenEmpty: "")
    }
}
