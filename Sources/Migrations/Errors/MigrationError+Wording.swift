import ChatDBEngine
import ChatDBSchema

extension MigrationError {
    // Why an interrupted run keeps a command from its work that this build could complete.
    static let comesFirst = "it has to be completed first"
    static let concernsBoth = "it concerns both databases, and only one was asked for"

    /// The stable name of the error, as scripts see it.
    public var code: String {
        switch self {
        case .needsUpgrade: "needsUpgrade"
        case .needsDowngrade: "needsDowngrade"
        case .noDownMigration: "noDownMigration"
        case .differentHistory: "differentHistory"
        case .editedMigration: "editedMigration"
        case .unknownTarget: "unknownMigration"
        case .tooManySteps: "tooManySteps"
        case .wrongDirection: "wrongDirection"
        case .declined: "declined"
        case .invalidMigration(let error): error.code
        case .noStore: "storeNotFound"
        case .noFolder: "folderNotFound"
        case .incompleteStore, .wouldNotBelong: "incompleteStore"
        case .strayFile: "strayFile"
        case .notOurs: "notOurStore"
        case .readOnlyStore: "readOnlyStore"
        case .mismatchedPair: "mismatchedPair"
        case .interruptedMigration: "interruptedMigration"
        case .interruptedRestore: "interruptedRestore"
        case .unreadableIntentRecord: "unreadableIntentRecord"
        case .database(_, _, let error), .system(let error): error.kind.rawValue
        case .storeLocked: "storeLocked"
        case .inUse: "inUse"
        case .damaged: "damaged"
        case .unknownTrigger: "unknownTrigger"
        case .drift: "drift"
        case .danglingReferences: "danglingReferences"
        case .notEnoughSpace: "notEnoughSpace"
        case .noBackupFolder(let error): error.kind == .diskFull ? "backupFailed" : "cannotWrite"
        case .backupFailed: "backupFailed"
        case .migrationFailed, .lostRows, .lostColumn, .lostMore, .madeDanglingReferences, .wrongResult:
            "migrationFailed"
        case .interrupted: "interrupted"
        }
    }

    /// What went wrong, in one sentence with the names in it.
    public var message: String {
        switch self {
        case .needsUpgrade(let names):
            "the store is older than this build: \(listed(names)) would have to be applied"
        case .needsDowngrade(let names):
            "the store is newer than this build: \(listed(names)) would have to be undone"
        case .noDownMigration(let database, let names):
            "the \(database) database cannot be brought down: nothing says how to undo \(listed(names))"
        case .differentHistory(let name, let build, let database):
            "the \(name) database has another history: this build has \(build) where the database has \(database)"
        case .editedMigration(let names):
            "\(listed(names)) \(names.count == 1 ? "was" : "were") edited after being applied (the checksum differs)"
        case .unknownTarget(let name, let last):
            "this build has no migration \(name); its last one is \(last ?? "none")"
        case .tooManySteps(let count, let applied):
            "\(count) migrations cannot be undone: only \(applied) are applied"
        case .wrongDirection(let asked, let name):
            asked == .up ? "the store is already beyond \(name)" : "the store has not come to \(name) yet"
        case .declined: "declined at the prompt"
        case .invalidMigration(let error): error.description
        case .noStore(let path): "there is no store at \(path)"
        case .noFolder(let path): "the folder \(path) does not exist"
        case .incompleteStore(let missing, let path):
            "the store is incomplete: its \(missing) database \(path) is missing"
        case .wouldNotBelong(let database, let other):
            "\(other) is there already, and \(database == .agent ? "an agent" : "a chat") database made now would not "
                + "belong to it"
        case .strayFile(let path): "\(path) is there without its database"
        case .notOurs(let database, let path): "\(path) is no \(database) database made by chatdb"
        case .readOnlyStore: "this is a store of SimpleX Chat, which only the app itself may change"
        case .mismatchedPair(let chat, let agent): mismatch(chat, agent)
        case .interruptedMigration(let record, let reason) where record.creates:
            "a run of \(record.startedAt) that was making the store was interrupted: \(reason)"
        case .interruptedMigration(let record, let reason):
            "a migration of \(record.startedAt) was interrupted between the two databases: \(reason)"
        case .unreadableIntentRecord(let path): "\(path) should tell of an interrupted run and cannot be read"
        case .interruptedRestore(let record):
            "a restore of \(record.backup) begun at \(record.startedAt) was interrupted, and is to be completed first"
        case .database(_, let path, let error):
            error.message.contains(path) ? error.message : "\(path): \(error.message)"
        case .system(let error): error.message
        default: runMessage
        }
    }

    private var runMessage: String {
        switch self {
        case .storeLocked(let holder):
            "another chatdb is at work on the store\(holder.map { " (\($0))" } ?? "")"
        case .inUse(let database, let holders):
            holders.isEmpty
                ? "another program has the \(database) database open or is writing to it"
                : "the \(database) database is open in \(holders.map(\.description).joined(separator: ", "))"
        case .damaged(let database, let problems):
            "the \(database) database is damaged: \(Self.cause(problems.first ?? ""))"
                + (problems.count > 1 ? " (and \(problems.count - 1) more)" : "")
        case .unknownTrigger(let database, let names):
            "the \(database) database has triggers or views that its version does not have, or not so: \(listed(names))"
        case .drift(let database, let differences):
            "the \(database) database differs from the schema of its version in \(listed(differences.map(\.name)))"
        case .danglingReferences(let database, let count):
            "the \(database) database has \(rows(count)) to rows that are not there"
        case .notEnoughSpace(let needed, let free, let path):
            "there is not enough room in \(path): \(needed) bytes are needed, \(free) are free"
        case .noBackupFolder(let error): error.message
        case .backupFailed(let error): "the backup failed: \(error.message)"
        case .migrationFailed(let failed):
            "migration \(failed.migration) of the \(failed.database) database failed going \(failed.direction.rawValue), "
                + "statement \(failed.statement), \(failed.source) line \(failed.line) (\(failed.text)): "
                + failed.cause.message
        case .lostRows(let database, let migration, let table, let before, let after):
            "migration \(migration) of the \(database) database would lose rows of \(table): \(before) before, "
                + "\(after) after"
        case .lostColumn(let database, let migration, let table, let column, _):
            "migration \(migration) of the \(database) database would lose the column \(column) of \(table)"
        case .lostMore(let database, let loss, let planned):
            "the migration of the \(database) database would lose more than its plan says: "
                + (loss.column.map { "the column \($0) of \(loss.table)" }
                    ?? "\(loss.rows == 1 ? "1 row" : "\(loss.rows) rows") of \(loss.table), where the plan has \(planned)")
        case .madeDanglingReferences(let database, let references):
            "the migration of the \(database) database would leave \(rows(references.count)) to nothing, in "
                + listed(Set(references.map(\.table)).sorted())
        case .wrongResult(let database, let version, let differences):
            "the \(database) database would not have the schema of \(version ?? "the beginning"): "
                + listed(differences.map { "\($0.kind.rawValue) \($0.object.rawValue) \($0.name)" })
        default: "stopped on request"
        }
    }

    /// What to do, or nil.
    public var hint: String? {
        switch self {
        case .needsUpgrade: "chatdb migrate up"
        case .needsDowngrade: "use a newer chatdb, or: chatdb migrate run --confirm yes-up-down"
        case .noDownMigration: "use the newer chatdb that made this version"
        case .differentHistory: "use a build whose migrations the store has; chatdb migrate status lists both"
        case .editedMigration: "restore the files as they were, or accept them with --accept-edited"
        case .noFolder: "make the folder first, or name another place with --store"
        case .incompleteStore: "bring the missing file back; chatdb inspect shows the one that is there"
        case .wouldNotBelong:
            "restore both from a backup with chatdb restore FOLDER; a new pair is made, without --only, where neither is there"
        case .strayFile: "bring its database back, or move it away: a new store would destroy it"
        case .noStore: "check the path; chatdb migrate run makes a new store"
        case .notOurs: "chatdb inspect tells what the file is"
        case .mismatchedPair: "bring back two files of one backup"
        case .interruptedMigration(_, Self.comesFirst), .interruptedMigration(_, Self.concernsBoth):
            "chatdb migrate run completes it"
        case .interruptedMigration(let record, _) where record.creates:
            "move that file away; or, if both databases are whole, remove the file beside them that ends with .migrating"
        case .interruptedMigration(let record, _):
            "use the chatdb that began it, or restore the backup\(record.backup.map { ": chatdb restore \($0)" } ?? "")"
        case .interruptedRestore(let record): "chatdb restore \(record.backup) completes it"
        case .unreadableIntentRecord: "restore the backup, or look at the file and remove it if you know better"
        case .storeLocked, .inUse: "close the other program and try again"
        case .damaged: "keep the file as it is and restore a backup"
        case .unknownTrigger: "find out who made them and drop them, then try again"
        case .notEnoughSpace: "free some space, or put the backup elsewhere with --backup-dir"
        case .noBackupFolder: "name another folder for the backup"
        case .backupFailed: "put the backup elsewhere with --backup-dir"
        case .migrationFailed(let failed) where failed.cause.kind == .diskFull: "free some space and try again"
        case .migrationFailed(let failed) where [.inputOutput, .outOfMemory].contains(failed.cause.kind):
            "see whether the disk is in order and has room, then try again"
        case .lostMore: "migrate in smaller steps: the plan of each says what it loses"
        case .migrationFailed, .madeDanglingReferences, .wrongResult:
            "this is a fault of the migration; report it to its author"
        case .lostColumn(_, _, _, _, isDrift: true):
            "the column is none of the store's version: keep what is in it elsewhere, drop it, and try again"
        case .lostRows, .lostColumn: "if that is meant, the migration has to say so: -- chatdb: data-loss"
        case .interrupted: "run the command again"
        default: nil
        }
    }

    /// What the engine says in other words already.
    private static func cause(_ problem: String) -> String {
        let beginning = "it is damaged ("
        guard problem.hasPrefix(beginning), problem.hasSuffix(")") else { return problem }
        return String(problem.dropFirst(beginning.count).dropLast())
    }

    private func rows(_ count: Int) -> String { count == 1 ? "1 row that refers" : "\(count) rows that refer" }

    private func listed(_ names: [String]) -> String {
        let shown = names.prefix(6).joined(separator: ", ")
        return names.count > 6 ? "\(shown) and \(names.count - 6) more" : shown
    }

    private func mismatch(_ chat: StoreIdentity?, _ agent: StoreIdentity?) -> String {
        guard let chat, let agent, chat.storeID == agent.storeID else {
            return "the chat and the agent database belong to different stores"
        }
        return
            "the chat database is of generation \(chat.generation), the agent database of \(agent.generation), and no "
            + "interrupted migration explains it"
    }
}
