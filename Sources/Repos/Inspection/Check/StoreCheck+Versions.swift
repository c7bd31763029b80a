package import ChatDBSchema

extension StoreCheck {
    /// Versions and schemas. The caller that opened the store found these out.
    static let ofVersions: [StoreCheck] = [
        told(
            mismatchedPair, .error, "databases that do not belong together", DatabaseName.allCases,
            "Find the file that was made with the other one; backups keep them together."),
        told(
            exchangedFiles, .error, "files that hold another database than they are called by", DatabaseName.allCases,
            "With no program using the store, give each file the name of what it holds."),
        told(
            foreignPair, .error, "databases of two different programs", DatabaseName.allCases,
            "Find the file that was made with the other one; chatdb inspect tells what each is."),
        told(
            unknownStore, .error, "databases that neither chatdb nor SimpleX Chat made", DatabaseName.allCases,
            "See whether these are the files you meant; chatdb inspect tells what they are."),
        told(
            missingDatabase, .warning, "databases that are not there", DatabaseName.allCases,
            "An app needs both: ask for the other file of the same moment, or restore a backup."),
        told(
            unreadableDatabase, .error, "databases that cannot be read", DatabaseName.allCases,
            "The notes say why. Ask for the file again; chatdb restore FOLDER goes back to a backup."),
        told(
            interruptedMigration, .error, "migrations that ended between the two databases", DatabaseName.allCases,
            "chatdb migrate run completes it."),
        told(
            interruptedRestore, .error, "restores of a backup that ended halfway", DatabaseName.allCases,
            "chatdb restore with the same backup completes it."),
        told(
            editedMigration, .warning, "applied migrations that this build has with another text",
            DatabaseName.allCases, "Find out which build made the store; chatdb migrate status tells more."),
        told(
            schemaDrift(.chat), .warning, "differences of the chat database from the schema of its version", [.chat],
            "chatdb schema diff shows them; another program has changed the schema."),
        told(
            schemaDrift(.agent), .warning, "differences of the agent database from the schema of its version",
            [.agent], "chatdb schema diff shows them; another program has changed the schema."),
    ]

    /// The ids, for the caller that reports them.
    package static let mismatchedPair = "mismatchedPair"
    package static let exchangedFiles = "exchangedFiles"
    package static let foreignPair = "foreignPair"
    package static let unknownStore = "unknownStore"
    package static let missingDatabase = "missingDatabase"
    package static let unreadableDatabase = "unreadableDatabase"
    package static let interruptedMigration = "interruptedMigration"
    package static let interruptedRestore = "interruptedRestore"
    package static let editedMigration = "editedMigration"
    package static func schemaDrift(_ database: DatabaseName) -> String { "\(database)SchemaDrift" }

    /// A check that the caller made when it opened the store.
    static func told(
        _ id: String, _ severity: CheckSeverity, _ sentence: String, _ databases: [DatabaseName], _ remedy: String,
        repair: Repair? = nil
    ) -> StoreCheck {
        StoreCheck(
            id: id, severity: severity, sentence: sentence, remedy: remedy, databases: databases, isGeneral: true,
            question: .told, repair: repair)
    }
}
