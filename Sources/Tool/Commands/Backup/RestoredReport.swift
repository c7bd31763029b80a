import ChatDBKit

/// A store that was restored.
struct RestoredReport: Report {
    let report: RestoreReport
    let store: StoreLocation
    /// Whether the store now has an older version than this build's.
    let isOlder: Bool
    /// The migrations that it lacks, and that come before one that it has.
    var outOfOrder: [String] = []
    /// The databases whose list of migrations lost rows; the backup has the loss too.
    var lost: [DatabaseName] = []
    /// The folder of its migrations; nil for this build's own.
    var migrationsDir: String?
    /// The replaced and the restored versions; nil for a restore that was only completed.
    var plan: RestorePlanReport?
    /// Whether the reader has just seen the differences.
    var wasShown = false
    /// The reason why chatdb would not restore the replaced store, a clause; nil if it would.
    var objection: String?
    /// Whether the replaced store has another passphrase than the given one.
    var isLocked = false
    /// The backup of adopted databases from before their adoption; nil without one.
    var beforeAdoption: String?
    /// The copies beside an encrypted store; none beside a plain one.
    let copies: CopiesBesideStore

    /// The command that undoes it; nil if there was no store before, or it cannot be restored.
    private var undo: String? {
        guard objection == nil else { return nil }
        return report.replaced.map {
            var given = given
            if isLocked { given.passphrase = .file("FILE") }
            return HintedCommand(.restore, [$0] + store.words + ["--force"]).text(given)
        }
    }

    /// The copies that the answer proposes to restore.
    private var restorable: Set<String> { Set([proposed, undo == nil ? nil : report.replaced].compactMap(\.self)) }

    /// The backup from before the adoption, if the replaced files cannot be restored, and the backup can.
    private var proposed: String? {
        objection == nil || report.replaced == nil || beforeAdoption == report.backup ? nil : beforeAdoption
    }

    /// Whether the restore replaced an encrypted store with a plain one.
    private var isPlainNow: Bool {
        let engine = SQLiteEngine()
        guard let replaced = report.replaced else { return false }
        return StoreCopies.databases(in: replaced, of: store).contains(where: engine.looksEncrypted)
            && !store.databases.contains { engine.looksEncrypted(store.path(of: $0)) }
    }

    /// The command that encrypts the store, with the passphrase of the command line.
    private var encrypting: String {
        let words = given.passphrase?.words("--new-passphrase") ?? []
        return HintedCommand(.passphraseSet, store.words + words, passphrase: .omitted).text(given)
    }

    /// The files that another program made while the restore was interrupted.
    private var madeMeanwhile: [FileMadeMeanwhile] { report.replaced.map(FileMadeMeanwhile.all) ?? [] }

    private var given: GivenOptions {
        GivenOptions(
            passphrase: GivenPassphrase.ofCommandLine?.absolute,
            migrationsDir: migrationsDir.map(RestoreCommandLine.absolute))
    }

    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("outcome", .string(report.completed ? "completed" : "restored")),
            .init("backup", .string(report.backup)), .init("storeId", JSONValue(report.identity?.storeID)),
            .init("generation", JSONValue(report.identity?.generation)),
        ]
        for database in DatabaseName.allCases {
            members.append(.init(database.rawValue, ["version": JSONValue(version(database))]))
        }
        members.append(.init("interrupted", .bool(report.isInterrupted)))
        members += [
            .init("replaced", JSONValue(report.replaced)), .init("undo", JSONValue(undo)),
            .init("plainCopies", JSONValue(copies.plain)),
            .init("notes", JSONValue((notesOnDifferences + notes).map(\.text))),
        ]
        if let plan { members.append(.init("differences", plan.differences)) }
        return .object(members)
    }

    /// The plan whose differences the answer shows; nil without a comparison, or if the reader has just seen it.
    private var shownPlan: RestorePlanReport? {
        plan.flatMap { $0.plan.replaces.isEmpty || wasShown ? nil : $0 }
    }

    /// What the comparison does not say, and what it could not read.
    private var notesOnDifferences: [Note] { shownPlan.map { $0.limits + $0.plan.notes.map(Note.note) } ?? [] }

    /// What the user has to know of the restored store and of the copies beside it.
    private var notes: [Note] {
        var notes: [Note] = []
        if report.isInterrupted {
            let state = "the store is in the middle of a migration, as the backup is"
            let folder = store.hasNamedFiles ? HintedCommand.unnamedFolder : []
            let completion = HintedCommand(.migrateRun, folder + store.words).text(given)
            notes.append(.warning("\(state); \(completion) completes it"))
        } else if !lost.isEmpty {
            notes += lost.map { .warning(Hint.lostMigrations(of: $0).text(given)) }
        } else if isOlder {
            let words = store.words + Self.consent(to: outOfOrder)
            let up = HintedCommand(.migrateUp, words).text(given)
            let early = Self.clause(about: outOfOrder)
            // Somebody may have changed the schema by hand when the store applied them in another order.
            let plan = HintedCommand(.migratePlan, words).text(given)
            let first = outOfOrder.isEmpty ? "" : "; \(plan) shows whether chatdb would refuse the upgrade"
            notes.append(.note("the store is older than its newest migration\(early)\(first); \(up) upgrades it"))
        }
        if isLocked, store.databases.contains(where: { SQLiteEngine().looksEncrypted(store.path(of: $0)) }) {
            notes.append(.note("the store has the passphrase of the backup now"))
        }
        if isPlainNow { notes.append(.warning("the store is plain now, and was encrypted; \(encrypting) encrypts it")) }
        notes += madeMeanwhile.map { .warning($0.sentence("restore")) }
        // An answer that proposes to restore a copy does not propose to remove it. The check of the store does.
        notes += copies.notes(.warning, of: store, proposing: restorable, given)
        return notes
    }

    /// The option without which a run refuses a store that lacks migrations before an applied one; empty without any.
    /// The replaced store may have applied them, so they keep their names.
    static func consent(to outOfOrder: [String]) -> [String] {
        outOfOrder.isEmpty ? [] : ["--allow-out-of-order", "REASON"]
    }

    /// That the store lacks such migrations, a clause with the comma before it; empty without any.
    static func clause(about outOfOrder: [String]) -> String {
        guard !outOfOrder.isEmpty else { return "" }
        let verb = outOfOrder.count == 1 ? "comes" : "come"
        return ", and lacks \(outOfOrder.joined(separator: ", ")), which \(verb) before migrations that it has"
    }

    private func version(_ database: DatabaseName) -> String? { report.versions[database] ?? nil }

    var document: Document {
        var blocks: [Block] = [
            .paragraph(report.completed ? "The interrupted restore was completed." : "The store was restored."),
            .fields(
                [Field("Backup", .text(report.backup))]
                    + store.databases.map {
                        Field(
                            "\($0 == .chat ? "Chat" : "Agent") version",
                            .text(RestorePlanReport.version(version($0), report.identity)))
                    } + [Field("Replaced files", key: "replaced", .text(report.replaced ?? "none"))]),
        ]
        if let plan = shownPlan {
            blocks += [.heading("Differences"), .table(plan.table), .notes(notesOnDifferences)]
        }
        blocks.append(.notes(notes))
        if let undo {
            let heading = isLocked ? "To undo it, with the passphrase of the replaced files" : "To undo it"
            blocks += [.heading(heading), .verbatim(undo, language: "sh")]
        }
        if let objection, report.replaced != nil {
            blocks.append(
                .paragraph(
                    "To bring the replaced files back, move them by hand: chatdb restore does not accept them, because "
                        + "\(objection)."))
            if let proposed {
                let command = HintedCommand(.restore, [proposed] + store.words).text(given)
                blocks += [
                    .paragraph(
                        "The backup from before the adoption can be restored. It has nothing that was changed later:"),
                    .verbatim(command, language: "sh"),
                ]
            }
        }
        return Document(blocks)
    }

    var csvTable: Table {
        Table(
            ["outcome", "backup", "chat", "agent", "replaced"].map { Column($0, key: $0) },
            rows: [
                [
                    .text(report.completed ? "completed" : "restored"), .text(report.backup), .text(version(.chat)),
                    .text(version(.agent)), .text(report.replaced),
                ]
            ], whenEmpty: "")
    }
}
