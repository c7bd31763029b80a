import ChatDBEngine
public import ChatDBSchema
import Foundation

extension MigrationError: ChatDBError {
    /// The error in a report.
    public var info: ErrorInfo {
        switch self {
        // The plan
        case .needsUpgrade(let names):
            ErrorInfo(
                .wrongVersion, "needsUpgrade",
                "the store is older than this build: \(listed(names)) would have to be applied",
                ["migrations": JSONValue(names)])
        case .needsDowngrade(let names):
            ErrorInfo(
                .wrongVersion, "needsDowngrade",
                "the store is newer than this build: \(listed(names)) would have to be undone",
                ["migrations": JSONValue(names)])
        case .noDownMigration(let database, let names):
            ErrorInfo(
                .wrongVersion, "noDownMigration",
                "the \(database) database cannot go down: there is no SQL to undo \(listed(names))",
                ["database": .string(database.rawValue), "migrations": JSONValue(names)])
        case .differentHistory(let name, let build, let database):
            ErrorInfo(
                .wrongVersion, "differentHistory",
                "the \(name) database has another history: this build has \(build) where the database has \(database)",
                ["in": .string(name.rawValue), "build": .string(build), "database": .string(database)])
        case .editedMigration(let names, let isSinceAccepted):
            infoOfEdits(names, isSinceAccepted ? change(of: names) : edit(of: names))
        case .emptiedMigration(let names): infoOfEdits(names, emptying(of: names), state: ErrorInfo.unchanged)
        case .otherTables(let database, let names):
            infoOfEdits(
                names,
                "the migrations look like those of another database: the \(database) database has none of the tables "
                    + "that they create, and \(edit(of: names))")
        case .editedVersion(let database, let names, let version):
            infoOfEdits(
                names,
                "\(edit(of: names)), and by the files as they are, the schema of the \(database) database fits "
                    + "\(version) better, which is not applied")
        case .lostMigrations(let database):
            ErrorInfo(
                .wrongVersion, "lostMigrations",
                "the schema of the \(database) database is newer than its list of migrations, so a run would apply or "
                    + "undo the wrong migrations: the list lost rows, or somebody changed the schema by hand",
                ["in": .string(database.rawValue)], state: ErrorInfo.unchanged)
        case .unknownTarget(let name, let last):
            ErrorInfo(
                .usage, "unknownMigration", "this build has no migration \(name); its last one is \(last ?? "none")")
        case .tooManySteps(let count, let applied, let adopted):
            ErrorInfo(
                .usage, "tooManySteps",
                "\(count == 1 ? "1 migration" : "\(count) migrations") cannot be undone: "
                    + (applied == 0 ? "none is applied" : "only \(applied) \(applied == 1 ? "is" : "are") applied")
                    + (adopted == 0 ? "" : ", apart from \(adopted) that \(adopted == 1 ? "was" : "were") adopted"))
        case .wrongDirection(let asked, let name):
            ErrorInfo(
                .usage, "wrongDirection",
                asked == .up ? "the store is already beyond \(name)" : "the store has not reached \(name) yet")
        case .declined: ErrorInfo(.refused, "declined", "declined at the prompt")

        // The files
        case .invalidMigration(let error): error.info
        case .noStore(let path): ErrorInfo(.noInput, "storeNotFound", "there is no store at \(path)")
        case .noFile(let path): ErrorInfo(.noInput, "storeNotFound", "there is no file \(path)")
        case .noFolder(let path): ErrorInfo(.noInput, "folderNotFound", "the folder \(path) does not exist")
        case .incompleteStore(let missing, let path):
            ErrorInfo(
                .noInput, "incompleteStore", "the store is incomplete: its \(missing) database \(path) is missing")
        case .wouldNotBelong(let database, let other):
            ErrorInfo(
                .noInput, "incompleteStore",
                "\(other) already exists, and a new \(database) database would not belong to it")
        case .strayFile(let path): ErrorInfo(.noInput, "strayFile", "\(path) exists without its database")
        case .notOurs(let database, let path):
            ErrorInfo(
                .noInput, "notOurStore",
                "\(path) is not \(database == .agent ? "an agent" : "a chat") database of chatdb")
        case .readOnlyStore:
            ErrorInfo(
                .refused, "readOnlyStore",
                """
                this is a store of SimpleX Chat, in which chatdb changes only the relays and servers of profiles, \
                operators and passphrases
                """
            )
        case .mismatchedPair(let chat, let agent): ErrorInfo(.wrongVersion, "mismatchedPair", mismatch(chat, agent))
        case .lostStoreRow(let database, let path):
            ErrorInfo(
                .wrongVersion, "lostStoreRow",
                "\(path) has no row in its table store, by which chatdb knows the store and its backups",
                ["in": .string(database.rawValue)], state: ErrorInfo.unchanged)
        case .interruptedMigration(let record, let reason):
            ErrorInfo(
                .wrongVersion, "interruptedMigration",
                "\(Self.name(of: record)): \(reason.text)",
                [
                    "agent": JSONValue(record.courses[.agent]?.to), "chat": JSONValue(record.courses[.chat]?.from),
                    "backup": JSONValue(record.backup), "copiedFrom": JSONValue(record.copiedFrom),
                ])
        case .unreadableIntentRecord(let path):
            ErrorInfo(
                .wrongVersion, "unreadableIntentRecord",
                "\(path) records an interrupted run, and cannot be read")
        case .interruptedRestore(let record) where record.rewriting != nil:
            ErrorInfo(
                .wrongVersion, "interruptedPassphraseChange",
                "a change of the passphrase of \(record.storeName) begun at \(record.startedAt) was interrupted, and must be "
                    + "completed first", ["store": .string(record.storeName), "replaced": .string(record.aside)])
        case .interruptedRestore(let record):
            ErrorInfo(
                .wrongVersion, "interruptedRestore",
                "a restore of \(record.backup) begun at \(record.startedAt) was interrupted, and must be completed "
                    + "first", ["backup": .string(record.backup), "replaced": .string(record.aside)])
        case .database(_, let path, let error): error.info(about: path)
        case .system(let error): error.info

        // An adoption
        case .alreadyAdopted(let database, let path, let version):
            ErrorInfo(
                .refused, "alreadyAdopted", "\(path) is a database of chatdb already; its last migration is \(version)",
                ["database": .string(database.rawValue), "version": .string(version)])
        case .hasLedger(_, let path, let table):
            ErrorInfo(
                .refused, "hasLedger", "\(path) has \(table) already, which is a name of chatdb's own tables",
                ["table": .string(table)])
        case .foreignMark(_, let path, let mark):
            ErrorInfo(
                .refused, "foreignMark",
                "\(path) has the application_id \(mark), by which another program recognizes its files",
                ["applicationId": .integer(mark)])
        case .otherSchema(let database, let path, let version, let differences, let fitting):
            ErrorInfo(
                .wrongVersion, "otherSchema",
                "\(path) does not have the schema of \(version): \(count(differences.count))",
                [
                    "in": .string(database.rawValue), "version": .string(version), "fitting": JSONValue(fitting),
                    "differences": .array(differences.map(Self.json)),
                ], lines: differences.prefix(40).map(Self.line) + more(than: 40, differences.count),
                state: ErrorInfo.unchanged)
        case .otherMigrations(let name, let first):
            ErrorInfo(
                .wrongVersion, "otherMigrations",
                "the \(name) database has the tables of other migrations than chatdb's own; the first is \(first)",
                ["in": .string(name.rawValue), "first": .string(first)])
        case .halfOfPair(let database, let path, let partner):
            ErrorInfo(
                .refused, "halfOfPair",
                "\(path) is the \(database) database of a pair: it was adopted together with \(partner)",
                ["partner": .string(partner)])

        case .moved(let place):
            ErrorInfo(
                .refused, "storeMoved", "the store was moved to \(place), and can only be read here",
                ["movedTo": .string(place)], state: ErrorInfo.unchanged)

        // Other programs
        case .storeLocked(let holder):
            ErrorInfo(
                .tryAgain, "storeLocked",
                "another chatdb is working on the store\(holder.map { " (\($0))" } ?? "")")
        case .inUse(let database, let holders):
            ErrorInfo(
                .tryAgain, "inUse", holders.use(of: database),
                [
                    "holders": .array(
                        holders.map { ["pid": .integer(Int64($0.pid)), "program": .string($0.program)] })
                ])

        // Checks before a run
        case .damaged(let database, let problems):
            ErrorInfo(
                .noInput, "damaged",
                "the \(database) database is damaged: \(Self.cause(problems.first ?? ""))"
                    + (problems.count > 1 ? " (and \(problems.count - 1) more)" : ""),
                ["problems": JSONValue(problems)])
        case .unknownTrigger(let database, let names):
            ErrorInfo(
                .refused, "unknownTrigger",
                "the \(database) database has \(Self.runnable(names)) that its version does not have, or that differ from it"
                    + named(KnownNames.shown(names)), ["names": JSONValue(KnownNames.shown(names))],
                state: ErrorInfo.unchanged)
        case .drift(let database, let differences):
            ErrorInfo(
                .wrongVersion, "drift",
                "the \(database) database differs from the schema of its version in "
                    + listed(KnownNames.shown(differences.map(\.name))),
                ["differences": JSONValue(KnownNames.shown(Self.texts(differences)))])
        case .danglingReferences(let database, let count):
            ErrorInfo(
                .refused, "danglingReferences", "the \(database) database has \(rows(count)) to missing rows"
            )
        case .notEnoughSpace(let needed, let free, let path):
            ErrorInfo(
                .inputOutput, "notEnoughSpace",
                "there is not enough free space in \(path): \(FileSpace.text(needed)) are needed, "
                    + "\(FileSpace.text(free)) are free",
                ["needed": .integer(needed), "free": .integer(free), "path": .string(path)])
        case .noBackupFolder(let error):
            ErrorInfo(
                Self.isOfDisk(error) ? .inputOutput : .cannotCreate,
                error.kind == .diskFull ? "backupFailed" : "cannotWrite", error.message, state: ErrorInfo.unchanged)
        case .backupFailed(let error) where [.accessDenied, .clientLibraryMissing].contains(error.kind):
            ErrorInfo(
                error.info.kind, error.code, "the backup failed: \(error.message)", state: ErrorInfo.unchanged)
        case .backupFailed(let error):
            ErrorInfo(
                .inputOutput, "backupFailed", "the backup failed: \(error.message)", ["cause": .string(error.code)])

        // The run
        case .migrationFailed(let failed): info(of: failed)
        case .lostRows(let database, let migration, let table, let before, let after):
            ErrorInfo(
                .invalid, "migrationFailed",
                "migration \(migration) of the \(database) database would lose rows of \(table): \(before) before, "
                    + "\(after) after",
                [
                    "migration": .string(migration), "table": .string(table), "before": JSONValue(before),
                    "after": JSONValue(after),
                ])
        case .lostColumn(let database, let migration, let table, let column, _):
            ErrorInfo(
                .invalid, "migrationFailed",
                "migration \(migration) of the \(database) database would lose the column \(column) of \(table)",
                ["migration": .string(migration), "table": .string(table), "column": .string(column)])
        case .undeclaredLoss(let database, let undeclared):
            ErrorInfo(
                .invalid, "migrationFailed",
                "migration \(undeclared.migration) of the \(database) database would lose "
                    + "\(undeclared.loss.rows == 1 ? "1 row" : "\(undeclared.loss.rows) rows") of "
                    + (undeclared.loss.column.map { "the column \($0) of " } ?? "") + undeclared.loss.table,
                ["migration": .string(undeclared.migration), "loss": undeclared.loss.json],
                state: ErrorInfo.unchanged)
        case .lostMore(let database, let loss, let planned):
            ErrorInfo(
                .invalid, "migrationFailed",
                "the migration of the \(database) database would lose more than its plan says: "
                    + (loss.column.map { "the column \($0) of \(loss.table)" }
                        ?? "\(loss.rows == 1 ? "1 row" : "\(loss.rows) rows") of \(loss.table), where the plan has \(planned)"),
                ["loss": loss.json, "planned": JSONValue(planned)])
        case .madeDanglingReferences(let database, let migrations, let references):
            ErrorInfo(
                .invalid, "migrationFailed",
                "\(migrations.count == 1 ? "migration" : "one of the migrations") \(listed(migrations)) of the "
                    + "\(database) database would leave \(rows(references.count)) to missing rows, in "
                    + listed(Set(references.map(Self.text)).sorted()),
                ["migrations": JSONValue(migrations)])
        case .wrongResult(let database, let version, let differences):
            ErrorInfo(
                .invalid, "migrationFailed",
                "the \(database) database would not have the schema of \(version ?? "an empty database"): "
                    + listed(differences.map(\.sentenceWithForms)),
                ["differences": JSONValue(differences.map(\.sentenceWithForms))])
        case .brokenDefinitions(let database, let version, let broken):
            ErrorInfo(
                .invalid, "migrationFailed",
                "the migrations up to \(version) leave triggers or views of the \(database) database without what they "
                    + "need: " + listed(broken.map { "\($0.object.rawValue) \($0.name) (\($0.reason))" }),
                [
                    "database": .string(database.rawValue), "version": .string(version),
                    "definitions": .array(broken.map(Self.json)),
                ])
        case .interrupted: ErrorInfo(.interrupted, "interrupted", "stopped on request")
        }
    }

    private static func name(of record: IntentRecord) -> String {
        if let source = record.copiedFrom {
            return "a copy of \(source) to this place, begun at \(record.startedAt), was interrupted"
        }
        return record.creates
            ? "a run of \(record.startedAt) that was creating the store was interrupted"
            : "a migration of \(record.startedAt) was interrupted"
    }

    private func info(of failed: FailedStatement) -> ErrorInfo {
        let cause = failed.cause.info.kind
        return ErrorInfo(
            // Otherwise the statement does not fit the store.
            [.inputOutput, .unavailable].contains(cause) ? cause : .invalid, "migrationFailed",
            "migration \(failed.migration) of the \(failed.database) database failed going \(failed.direction.rawValue), "
                + "statement \(failed.statement), \(failed.source) line \(failed.line) (\(failed.text)): "
                + failed.cause.message,
            [
                "database": .string(failed.database.rawValue), "migration": .string(failed.migration),
                "direction": .string(failed.direction.rawValue), "file": .string(failed.source),
                "statement": JSONValue(failed.statement), "line": JSONValue(failed.line),
                "text": .string(failed.text), "cause": .string(failed.cause.message),
            ])
    }

    /// Only functions have the types of their arguments behind the name. SQLite has none in a database.
    private static func runnable(_ names: [String]) -> String {
        names.contains { $0.hasSuffix(")") } ? "triggers, views or functions" : "triggers or views"
    }

    private static func texts(_ differences: [StructureDifference]) -> [String] { differences.map(\.sentence) }

    private func count(_ differences: Int) -> String {
        differences == 1 ? "1 difference" : "\(differences) differences"
    }

    private func more(than shown: Int, _ count: Int) -> [String] { count > shown ? ["and \(count - shown) more"] : [] }

    /// The difference with both forms: a person who adopts a database knows its schema.
    private static func line(_ difference: StructureDifference) -> String {
        guard let expected = difference.expected, let found = difference.found else { return difference.sentence }
        return "\(difference.sentence): the migrations make \(expected), the database has \(found)"
    }

    private static func json(_ difference: StructureDifference) -> JSONValue {
        [
            "kind": .string(difference.kind.rawValue), "object": .string(difference.object.rawValue),
            "name": .string(difference.name), "expected": JSONValue(difference.expected),
            "found": JSONValue(difference.found),
        ]
    }

    private static func json(_ broken: BrokenDefinition) -> JSONValue {
        [
            "object": .string(broken.object.rawValue), "name": .string(broken.name), "reason": .string(broken.reason),
        ]
    }

    /// Whether the disk prevents the creation of a folder, rather than a file at its path.
    private static func isOfDisk(_ error: StoreError) -> Bool {
        [.diskFull, .inputOutput].contains(error.kind) && error.engineCode != Int(ENOTDIR)
            && error.engineCode != Int(EEXIST)
    }

    /// The engine's message without the words that this message already contains.
    private static func cause(_ problem: String) -> String {
        let beginning = "it is damaged ("
        guard problem.hasPrefix(beginning), problem.hasSuffix(")") else { return problem }
        return String(problem.dropFirst(beginning.count).dropLast())
    }

    /// A reference, without its row: `notes (notebook_id refers to notebooks)`.
    private static func text(_ reference: DanglingReference) -> String {
        let columns = reference.columns.joined(separator: ", ")
        let verb = reference.columns.count == 1 ? "refers" : "refer"
        return "\(reference.table) (\(columns) \(verb) to \(reference.parent))"
    }

    private func rows(_ count: Int) -> String { count == 1 ? "1 row that refers" : "\(count) rows that refer" }

    /// The message when the migrations are those of a folder, and not this build's. Nil for an error that is not about
    /// the versions of these migrations.
    package var messageOfFolder: String? {
        switch self {
        case .needsUpgrade(let names):
            "the store is older than the migrations of the folder: \(listed(names)) would have to be applied"
        case .needsDowngrade(let names):
            "the store is newer than the migrations of the folder: \(listed(names)) would have to be undone"
        case .differentHistory(let name, let build, let database):
            "the \(name) database has another history: the folder has \(build) where the database has \(database)"
        case .unknownTarget(let name, let last):
            "the folder has no migration \(name); its last one is \(last ?? "none")"
        default: nil
        }
    }

    /// Each name once: migrations of both databases may have one name.
    func listed(_ all: [String]) -> String {
        var seen: Set<String> = []
        let names = all.filter { seen.insert($0).inserted }
        let shown = names.prefix(6).joined(separator: ", ")
        return names.count > 6 ? "\(shown) and \(names.count - 6) more" : shown
    }

    /// The names after a colon, without those that may not be shown: `other` names nothing.
    private func named(_ names: [String]) -> String {
        let known = names.filter { $0 != "other" && $0 != "other()" }
        if known.isEmpty { return "" }
        let others = names.count - known.count
        return ": " + (others == 0 ? listed(known) : "\(listed(known)), and \(others) whose names are not shown")
    }

    private func mismatch(_ chat: StoreIdentity?, _ agent: StoreIdentity?) -> String {
        if (chat == nil) != (agent == nil) {
            let one = chat == nil ? DatabaseName.chat : .agent
            return
                "the \(one) database has no row in its table store, by which chatdb knows that the two databases belong "
                + "together"
        }
        guard let chat, let agent, chat.storeID == agent.storeID else {
            return "the chat and the agent database belong to different stores"
        }
        return
            "the chat database is of generation \(chat.generation), the agent database of \(agent.generation), and no "
            + "interrupted migration explains it"
    }
}
