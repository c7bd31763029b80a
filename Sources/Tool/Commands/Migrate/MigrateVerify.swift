import ArgumentParser
import Engine
import EngineSQLite
import Migrations
import Schema

struct MigrateVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Prove the migrations: up, down and up again; or rehearse them on a copy of a store.",
        discussion: """
            Without --data everything happens in memory: each migration is applied, undone and applied again, and the \
            schemas are compared. With --data a private copy of a real store is brought to this build's version.

            Examples:
              chatdb migrate verify
              chatdb migrate verify --migrations-dir ./migrations/sqlite --only chat
              chatdb migrate verify --data ~/chats/me
            """)

    @Option(help: ArgumentHelp("Rehearse on a private copy of this store, which is only read.", valueName: "store"))
    var data: String?

    @Option(
        help: ArgumentHelp("Take the migrations from this folder, which holds chat/ and agent/.", valueName: "dir"),
        completion: .directory)
    var migrationsDir: String?

    @Option(help: ArgumentHelp("Only this database.", valueName: "database"))
    var only: DatabaseName?

    @OptionGroup var output: OutputOptions

    func run() throws {
        let build = try (migrationsDir.map(MigrationSource.folder) ?? .build).load()
        let verifier = Verifier(engine: SQLiteEngine())
        if let data {
            let migrator = Migrator(engine: SQLiteEngine(), location: try StoreLocation.resolve(data), build: build)
            return try output.write(VerifyReport(report: try rehearse(migrator, verifier), isRehearsal: true))
        }
        var failed = false
        var reports: [Verifier.Report] = []
        for database in only.map({ [$0] }) ?? DatabaseName.allCases {
            let report = try verifier.verify(build[database] ?? [], of: database)
            failed = failed || !report.failures.isEmpty
            reports.append(report)
        }
        try output.write(VerifyReport(report: Verifier.Report(joining: reports), isRehearsal: false))
        if failed { throw Answer(status: .no) }
    }

    /// Ctrl-C stops it in order, so that the copy does not stay behind.
    private func rehearse(_ migrator: Migrator, _ verifier: Verifier) throws -> Verifier.Report {
        Signals.interruptsAskToStop()
        var migrator = migrator
        migrator.options.only = only
        migrator.cancellation = Signals.cancellation
        let bar = RunProgress(try output.output())
        migrator.progress = { bar.show($0) }
        defer { bar.finish() }
        do {
            return try verifier.rehearse(migrator)
        } catch let error as StoreError where error.kind == .interrupted {
            throw MigrationError.interrupted
        }
    }
}

/// What verifying found, or what a rehearsal took.
struct VerifyReport: Report {
    let report: Verifier.Report
    let isRehearsal: Bool

    var json: JSONValue {
        [
            "ok": .bool(report.failures.isEmpty),
            "steps": .array(
                report.steps.map { step in
                    [
                        "database": .string(step.database.rawValue), "name": .string(step.migration),
                        "direction": .string(step.direction.rawValue),
                        "milliseconds": .number((step.milliseconds * 1000).rounded() / 1000),
                        "rows": JSONValue(step.rows), "bytes": .integer(step.bytes),
                        "peakBytes": .integer(step.peakBytes),
                    ]
                }),
            "irreversible": JSONValue(report.irreversible),
            "failures": .object(
                report.failures.sorted { $0.key < $1.key }.map { .init($0.key, JSONValue($0.value.map(\.sentence))) }),
        ]
    }

    var document: Document {
        var blocks: [Block] = []
        if isRehearsal || !report.failures.isEmpty { blocks.append(.table(table)) }
        if !isRehearsal {
            let names = Set(report.steps.map(\.migration)).count
            blocks.append(
                .paragraph(
                    report.failures.isEmpty
                        ? "\(names) migrations were applied, undone and applied again; every schema was as before."
                        : "\(report.failures.count) migrations do not lead back to the schema before."))
        }
        let failures = report.failures.sorted { $0.key < $1.key }.map { name, differences in
            Note.warning("\(name): \(differences.map(\.sentence).joined(separator: ", "))")
        }
        blocks.append(.notes(failures + report.irreversible.map { .note("\($0) has no way back") }))
        return Document(blocks)
    }

    var csvTable: Table { table }

    private var table: Table {
        Table(
            [
                Column("Database"), Column("Migration", key: "name"), Column("Direction"),
                Column("Time (ms)", key: "milliseconds", alignment: .right), Column("Rows", alignment: .right),
                Column("Size", key: "bytes", alignment: .right), Column("Peak", key: "peakBytes", alignment: .right),
            ],
            rows: report.steps.map { step in
                [
                    .text(step.database.rawValue), .text(step.migration), .text(step.direction.rawValue),
                    .count(Int(step.milliseconds.rounded())), .count(step.rows), .bytes(step.bytes),
                    .bytes(step.peakBytes),
                ]
            }, whenEmpty: "nothing to do: the store is at this version")
    }
}
