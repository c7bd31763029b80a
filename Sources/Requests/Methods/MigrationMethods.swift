import ChatDBKit
import ChatDBReports

/// `migrations`: the version of the store.
enum MigrationMethods {
    private static let outOfOrder = Parameter.text(
        "allowOutOfOrder", "The reason why migrations that are missing before later ones are applied."
    ).optional
    private static let fingerprint = Parameter.text("fingerprint", "The fingerprint of the plan, from migrations.plan.")

    private static let step = Shape.members([
        "name": .text, "origin": .word(["build", "file"]), "dataLoss": .nullable(.flag),
        "note": .nullable(.text), "sql?": .text,
    ])
    private static let losses = Shape.array(
        .members(["kind": .text, "table": .text, "column": .nullable(.text), "rows": .integer]))
    private static let planned = Shape.members([
        "direction": .word(["up", "down", "none"]), "migrations": .array(step), "from": .nullable(.text),
        "to": .nullable(.text), "edited": .array(.text), "losses": losses, "refused": .array(.text),
        "accepted": .any, "editedSchema": .any, "drift": .nullable(.array(.text)),
    ])
    private static let course = Shape.members(["from": .nullable(.text), "to": .nullable(.text)])
    private static let interrupted = Shape.nullable(
        .members([
            "startedAt": .text, "creates": .flag, "copiedFrom": .nullable(.text), "agent": course, "chat": course,
            "backup": .nullable(.text),
        ]))

    static let all: [RequestMethod] = [
        .service(
            "migrations.status", .read, "Shows the versions of the databases, and pending and unknown migrations.",
            result: .members([
                "chat?": .any, "agent?": .any, "kind": .word(["chatdb", "simplex", "unknown"]), "mismatched": .flag,
                "interrupted": interrupted, "movedTo": .nullable(.text),
            ])
        ) { call in
            let status = try call.service.context.status()
            for case .failure(let problem) in status.parts.values { throw problem.error }
            let context = call.service.context
            let lost = status.hasPending ? context.databasesWithLostMigrations : []
            return StatusReport(status: status, only: context.only, lost: lost).json
        },
        .service(
            "migrations.plan", .read, "Shows what migrations.run would do, and the fingerprint that consents to it.",
            [outOfOrder],
            result: .members([
                "chat?": planned, "agent?": planned, "creates": .flag, "interrupted": interrupted,
                "completes": .members(["chat?": planned, "agent?": planned]), "warnings": .array(.text),
                "notes": .array(.text), "fingerprint": .text,
            ])
        ) { call in
            let plan = try migrator(call).plan()
            let lost = call.service.context.databasesWithLostMigrations(in: plan)
            return Fingerprint.shown(report(plan, lost).json)
        },
        .service(
            "migrations.run", .write,
            "Migrates the store to this build's version, after a backup. Refused while other clients are connected.",
            [fingerprint, outOfOrder],
            result: .members([
                "chat?": .any, "agent?": .any, "created": .flag, "completed": .nullable(.any),
                "removedBackups": .array(.text), "restore": .nullable(.text),
            ]), run),
    ]

    /// A client of the service has no command line.
    private static func report(_ plan: StorePlan, _ lost: [DatabaseName]) -> PlanReport {
        PlanReport(plan: plan, lost: lost, namesCommands: false)
    }

    private static func migrator(_ call: Call) throws -> Migrator {
        var migrator = Migrator(call.service.context)
        migrator.options.outOfOrderReason = try call[outOfOrder]
        return migrator
    }

    private static func run(_ call: Call) throws -> JSONValue {
        let fingerprint = try call[fingerprint]
        var migrator = try migrator(call)
        try call.service.requireNoOtherClients()
        let plan = try migrator.plan()
        let lost = migrator.context.databasesWithLostMigrations(in: plan)
        // The plan under the lock is the one that is carried out.
        migrator.options.confirmation = .console { plan in
            try Fingerprint.require(fingerprint, of: report(plan, lost).json)
            return true
        }
        // A run without migrations does not call the confirmation.
        try Fingerprint.require(fingerprint, of: report(plan, lost).json)
        return try call.service.migrating { [migrator] in
            let report = try migrator.run()
            let restore = RestoreCommandLine(for: report, of: migrator, migrationsDir: nil)
            return RunReport(report: report, restore: restore?.text, store: migrator.context.location).json
        }
    }
}
