package import ChatDBSchema

extension StoreCheck {
    /// Versions and schemas. The caller that opened the store found these out.
    static let ofVersions: [StoreCheck] = [
        given(
            mismatchedPair, .error, "databases that do not belong together", DatabaseName.allCases),
        given(
            exchangedFiles, .error, "files that contain the database that the other file is named after",
            DatabaseName.allCases),
        given(
            copiedDatabase, .error, "files that contain a copy of the other file's database", DatabaseName.allCases),
        given(
            foreignPair, .error, "databases of two different programs", DatabaseName.allCases),
        given(
            unknownStore, .error, "databases that neither chatdb nor SimpleX Chat created", DatabaseName.allCases),
        given(
            missingDatabase, .error, "databases that are missing", DatabaseName.allCases),
        given(
            unreadableDatabase, .error, "databases that cannot be read", DatabaseName.allCases),
        given(
            interruptedMigration, .error, "migrations that were interrupted", DatabaseName.allCases),
        given(
            interruptedRestore, .error, "restores of a backup that were interrupted", DatabaseName.allCases),
        given(
            interruptedPassphraseChange, .error, "changes of the passphrase that were interrupted",
            DatabaseName.allCases),
        given(
            abandonedFiles, .warning, "files that a restore or a change of the passphrase left when it was killed",
            DatabaseName.allCases),
        given(
            lostMigrations, .error, "databases whose schema is newer than their list of migrations",
            DatabaseName.allCases),
        given(
            editedMigration, .warning, "applied migrations whose text differs in this build",
            DatabaseName.allCases),
        given(
            schemaDrift(.chat), .warning, "differences of the chat database from the schema of its version", [.chat]),
        given(
            schemaDrift(.agent), .warning, "differences of the agent database from the schema of its version",
            [.agent]),
        given(olderVersion, .warning, "databases that are older than this build", DatabaseName.allCases),
        given(newerVersion, .warning, "databases that are newer than this build", DatabaseName.allCases),
        given(
            otherHistory, .error, "databases whose migrations differ from the known ones, so that an app refuses them",
            DatabaseName.allCases),
        given(viewForTable, .warning, "views in the place of a table of this build", DatabaseName.allCases),
        given(
            unreadableInApp, .error, "values that SimpleX Chat cannot read, so that it would not start", [.chat]),
        given(
            StoreWarning.Kind.noEnabledRelays.checkID, .warning, "profiles without a relay that new channels can use",
            [.chat]),
        given(
            StoreWarning.Kind.noEnabledSMPServers.checkID, .warning, "profiles without an enabled SMP server", [.chat]),
        given(
            StoreWarning.Kind.noEnabledXFTPServers.checkID, .warning, "profiles without an enabled XFTP server", [.chat]
        ),
        given(
            StoreWarning.Kind.channelsWithoutActiveRelay.checkID, .warning,
            "channels of a profile that have no relay that is known to be active", [.chat]),
    ]

    /// The ids, for the caller that reports them.
    package static let mismatchedPair = "mismatchedPair"
    package static let exchangedFiles = "exchangedFiles"
    package static let copiedDatabase = "copiedDatabase"
    package static let foreignPair = "foreignPair"
    package static let unknownStore = "unknownStore"
    package static let missingDatabase = "missingDatabase"
    package static let unreadableDatabase = "unreadableDatabase"
    package static let interruptedMigration = "interruptedMigration"
    package static let interruptedRestore = "interruptedRestore"
    package static let interruptedPassphraseChange = "interruptedPassphraseChange"
    package static let abandonedFiles = "abandonedFiles"
    package static let lostMigrations = "lostMigrations"
    package static let editedMigration = "editedMigration"
    package static let olderVersion = "olderVersion"
    package static let newerVersion = "newerVersion"
    package static let otherHistory = "otherHistory"
    package static let viewForTable = "viewForTable"
    package static let unreadableInApp = "unreadableInApp"
    package static func schemaDrift(_ database: DatabaseName) -> String { "\(database)SchemaDrift" }

    /// A check that the caller made when it opened the store.
    static func given(
        _ id: String, _ severity: CheckSeverity, _ sentence: String, _ databases: [DatabaseName],
        repair: Repair? = nil
    ) -> StoreCheck {
        StoreCheck(
            id: id, severity: severity, sentence: sentence, databases: databases, isGeneral: true,
            question: .given, repair: repair)
    }
}
