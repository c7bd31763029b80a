/// The messages of SQLite in the app, and those of its screen for the passphrase.
extension KnownMessage {
    /// The name of the error that the app's library for SQLite gives to every failed constraint.
    private static let anyConstraint = ["ErrorConstraint", "SQLITE_CONSTRAINT"]

    static let ofDatabase: [KnownMessage] = [
        KnownMessage(
            "foreignKey", ["FOREIGN KEY constraint failed"], general: anyConstraint,
            """
            A row cannot be deleted while another row refers to it, or cannot be stored because the row that it refers \
            to is missing. While the reference is wrong, the app may be unable to delete the chat and the profile.
            """,
            findings: ["blockedDeletion"],
            possible: [
                "crossProfileReference", "chatDanglingReference", "profileWithoutAgent", "agentDanglingReference",
            ]),
        KnownMessage(
            "uniqueConstraint", ["UNIQUE constraint failed"], general: anyConstraint,
            "The app tries to store a row with a key that another row has.",
            possible: [
                "chatDuplicateRow", "agentDuplicateRow", "sharedDisplayName", "messageBeyondCounter",
                "duplicateGroup", "duplicateRelay", "duplicateServer", "blockedDeletion",
            ],
            elsewhere: ["the app received the same message or request twice, and ignores the second one"]),
        KnownMessage(
            "otherConstraint",
            [
                "NOT NULL constraint failed", "CHECK constraint failed", "cannot store", "datatype mismatch",
                "ErrorMismatch", "SQLITE_MISMATCH",
            ], general: anyConstraint,
            "The app tries to store a value that the schema of the file refuses, by a rule of a table or by a trigger.",
            possible: [
                "otherHistory", "chatSchemaDrift", "agentSchemaDrift", "chatSchemaMissing", "agentSchemaMissing",
                "unreadableValue",
            ],
            elsewhere: ["a fault of the app: report it with its version"]),
        KnownMessage(
            "schema", ["no such table", "no such index"],
            "The file lacks a part of the schema that the app uses.",
            findings: [
                "chatSchemaMissing", "agentSchemaMissing", "exchangedFiles", "copiedDatabase", "unknownStore",
            ],
            possible: [
                "otherHistory", "newerVersion", "chatSchemaDrift", "agentSchemaDrift", "foreignPair",
                "interruptedMigration", "viewForTable",
            ],
            elsewhere: ["the app created a new, empty file because it did not find the old one"]),
        KnownMessage(
            "schemaColumn", ["no such column", "has no column"],
            """
            A table of the file lacks a column that the app uses. The app expects an older or a newer schema, or the \
            schema of the file was changed.
            """,
            findings: [
                "chatSchemaMissing", "agentSchemaMissing", "exchangedFiles", "copiedDatabase", "unknownStore",
            ],
            possible: [
                "otherHistory", "newerVersion", "chatSchemaDrift", "agentSchemaDrift", "foreignPair",
                "interruptedMigration", "viewForTable",
            ],
            elsewhere: [
                "the app was built for another version of the schema: migrate the file, or use the app of its version"
            ]),
        KnownMessage(
            "malformed",
            ["database disk image is malformed", "ErrorCorrupt", "SQLITE_CORRUPT", "malformed database schema"],
            "A page of the file does not have the content that SQLite expects.",
            findings: ["chatDamaged", "agentDamaged", "foreignLog", "chatDamagedPage", "agentDamagedPage"],
            possible: ["unreadableDatabase", "exchangedFiles", "copiedDatabase"], errors: ["damaged", "truncated"],
            elsewhere: ["the original file was damaged after this copy was made"], isOfRows: false),
        KnownMessage(
            "invalidText", ["Invalid UTF-8 stream", "Cannot decode byte", "Cannot decode input"],
            "A text of the file is not UTF-8. The app shows the error in the place of the whole list with the row.",
            findings: ["invalidText"],
            possible: ["chatDamaged", "agentDamaged"],
            elsewhere: ["the text came from a server, a file or a setting of the app"]),
        KnownMessage(
            "locked",
            [
                "database is locked", "database table is locked", "ErrorBusy", "ErrorLocked", "SEDatabaseBusy",
                "SQLITE_BUSY", "SQLITE_LOCKED",
            ],
            "Another program, or another part of the app, is writing to the file and did not finish in time.",
            errors: ["storeLocked", "inUse"],
            elsewhere: [
                "another program had the files open at that moment: a second instance of the app, a backup, a virus "
                    + "scanner, a synchronized folder",
                "the app had long work to do, such as the deletion of many messages, and continues afterwards",
            ], isOfRows: false),
        KnownMessage(
            "inputOutput", ["disk I/O error", "ErrorIO", "SQLITE_IOERR"],
            "The system could not read or write the file. This error alone is not damage of the database.",
            possible: ["unreadableDatabase"], errors: ["ioError", "notReadable", "diskFull"],
            elsewhere: [
                "the disk is full, failing, or was removed", "the folder is on a network drive, or is synchronized",
                "a setting of the system forbids the app to write there, or to lock a file",
            ], isOfRows: false),
        KnownMessage(
            "notADatabase",
            [
                "file is not a database", "ErrorNotADatabase", "SQLITE_NOTADB",
                "file is encrypted or is not a database",
            ],
            "The content of the file is no database for the passphrase that the app used.",
            possible: ["unreadableDatabase", "exchangedFiles"],
            errors: ["encrypted", "wrongPassphrase", "notADatabase", "truncated", "damaged", "encryptedUnsupported"],
            elsewhere: [
                "the app has another passphrase than these files, for example after an archive was imported",
                "the app expects an encrypted file and this one is plain, or the other way round",
            ], isOfRows: false),
        KnownMessage(
            "passphrase",
            [
                "Wrong database passphrase", "Wrong passphrase", "Encrypted database",
                "Passphrase in Keystore can't be read", "Keychain error",
            ],
            "The app has no passphrase that opens the file.",
            possible: ["unreadableDatabase"], errors: ["encrypted", "wrongPassphrase"],
            elsewhere: [
                "the files came from another device or another installation of the app: their passphrase is the one "
                    + "that was set there; a random one cannot be read from the files"
            ], isOfRows: false),
        KnownMessage(
            "misuse", ["ErrorMisuse", "SQLITE_MISUSE", "bad parameter or other API misuse"],
            "The app used a database connection that it had closed. Nothing in the file causes this error.",
            elsewhere: ["a fault of the app, often after an import or a change of the passphrase: restart the app"],
            isOfRows: false),
        KnownMessage(
            "full", ["database or disk is full", "ErrorFull", "SQLITE_FULL"],
            "The disk has no room for the change. SQLite rolled the change back, and the file is as it was before.",
            errors: ["diskFull"],
            elsewhere: ["the disk is full: make room and restart the app"], isOfRows: false),
        KnownMessage(
            "readOnly",
            [
                "attempt to write a readonly database", "readonly database", "read only database", "ErrorReadOnly",
                "SQLITE_READONLY",
            ],
            "The app may not write to the file or to its folder.",
            errors: ["readOnly"],
            elsewhere: ["the permissions of the file or its folder, or a disk that is mounted for reading only"],
            isOfRows: false),
        KnownMessage(
            "cannotOpen", ["unable to open database file", "ErrorCan'tOpen", "ErrorCantOpen", "SQLITE_CANTOPEN"],
            "The file or its folder is missing, or the app may not open it.",
            findings: ["missingDatabase"],
            possible: ["unreadableDatabase"], errors: ["missing", "notAFile", "notReadable"],
            elsewhere: ["the permissions of the folder; a folder that was moved; too many open files"], isOfRows: false),
    ]
}

/// The messages of the app's screens about the versions of its databases.
extension KnownMessage {
    /// The title of the screen for both messages about files that the app does not open.
    private static let incompatible = ["Incompatible database version"]

    static let ofMigrations: [KnownMessage] = [
        KnownMessage(
            "differentMigration", ["different migration in the app/database", "different migration"],
            general: incompatible,
            """
            The names of the migrations in the file differ from those of the app, at the place that the message names. \
            The app compares both lists in order and does not open the file.
            """,
            findings: ["otherHistory"],
            possible: ["exchangedFiles", "foreignPair", "unknownStore"],
            elsewhere: ["the file was used by an app that was built from another branch: open it with that app"]),
        KnownMessage(
            "noDownMigration", ["no down migration for"], general: incompatible,
            "A newer app migrated the file, and this app cannot undo one of the migrations.",
            findings: ["newerVersion"],
            elsewhere: ["an older app was installed: install the newer one again"]),
        KnownMessage(
            "downgrade",
            [
                "Database downgrade", "Downgrade and open chat", "database version is newer than the app",
            ],
            """
            A newer app migrated the file. A downgrade undoes these migrations, and deletes the data that only they \
            store.
            """,
            findings: ["newerVersion"],
            possible: ["otherHistory"],
            elsewhere: ["an older app was installed: install the newer one again, and nothing is lost"]),
        KnownMessage(
            "upgrade",
            ["Database upgrade", "Upgrade and open chat", "app has a newer version than the database"],
            "An older app used the file. The upgrade applies the migrations of this app, as usual after an update.",
            findings: ["lostMigrations", "olderVersion"],
            possible: ["interruptedMigration"],
            elsewhere: ["the app was updated: keep a copy of both files, and confirm"]),
        KnownMessage(
            "appliedTwice", ["duplicate column name"],
            """
            A migration adds a column that the table has already. The app, or chatdb, applies a migration for the second \
            time.
            """,
            findings: ["lostMigrations"],
            possible: ["chatSchemaDrift", "agentSchemaDrift", "otherHistory", "interruptedMigration"],
            elsewhere: ["the app was built from a branch that has the same migration under another name"]),
    ]
}
