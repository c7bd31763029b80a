extension HintSituationTests {
    /// Hints that other tests show, or that no command of the tool can show.
    static let elsewhere: [String: String] = [
        "install a newer version": "needs another library or server",
        #"\(.restore, folder, "--dry-run") shows what a restore would change, and --force restores it"#:
            "BackupListTests: verify of a folder of replaced files",
        #"\(.backupList) lists the backups of the store"#: "SimilarNamesTests: a folder that is no backup",
        #"\(.backupList) lists the backups of the store; see \(command)"#: "SimilarNamesTests: no folder",
        #"""
        if somebody sent you the file, ask for a preset in its place; \#
        \(.presetExport, "-o", "FILE.json") writes one of this store
        """#: "SimilarNamesTests: a list of relays",
        "name the store with --store": "StoreLocationTests: an empty path",
        "make any other change in the app": "SimplexTests: a command that writes",
        "check the path of the store, and that of the backup": "SimplexRestoreTests: a backup of chatdb's own",
        #"\(.restore, folder, "--force") restores it, compares nothing, and keeps the encrypted files beside the store"#:
            "PassphraseWayOutTests: a backup with the passphrase from before a change",
        "use another role, or grant this one the rights that docs/postgresql.md lists":
            "ServerStoreTests: a role without rights",
        "check the address, and whether the server runs": "ServerStoreTests: no server",
        "try again, or raise the limit: statement_timeout, or idle_in_transaction_session_timeout, of the role":
            "ServerLimitsTests: a time limit of a role",
        "name the server that the replica follows": "ServerReplicaTests: a replica",
        "look whether the change is there before you try again": "a server that is lost at the commit",
        "another program made the schemas of this name: give another one with store=NAME":
            "ServerNamesTests: schemas of another program",
        #"use the store there: \(.inspect, "-d", place)"#: "CopyCommandTests: a store that was moved",
        #"use the store there: \(.inspect, "-d", movedTo ?? "")"#: "a store that is moved while a command waits",
        #"use the store there: \(.inspect, "-d", place); --force restores the backup here anyway"#:
            "CopyCommandTests: a backup from before the move",
        #"""
        the database was adopted with the tables of \(first.name), so write no SQL that deletes them; to undo the \#
        adoption: \(.restore, backup)
        """#: "AdoptedAdviceTests: a way down below the adopted migration",
        """
        the folder has no backup.json; if it is a backup from before the adoption, close all programs that \
        use the store, move its databases away with their -wal and -journal, and copy the files of the \
        folder to their places
        """: "BaselineTests: a backup from before the adoption, without backup.json",
        """
        if the adoption was undone, --force replaces the database with the adopted one of the backup, and keeps it \
        beside the store; otherwise check the path of the store
        """: "BaselineTests: a backup of the adopted database, after the adoption was undone",
        "make \\(path) readable for this user, or name another folder with --migrations-dir":
            "a folder that only another user may read",
        """
        \\(.check) shows what is wrong with the file; \\(.salvage, "--output", "NEW") writes what can be read \
        into a new store
        """: "QueryStatesTests: a truncated file",
        "create another database: createdb -E UTF8 -T template0 NAME":
            "ServerStoreTests: a database of another encoding",
        "use the server's own programs, such as pg_dump, pg_restore and psql": "ServerStoreTests: a command for files",
        #"\(.check) finds what is wrong in a store on a server"#: "ServerStoreTests: diagnose",
        "name another path; the folder must exist and be writable": "SocketTests: the path of a socket",
        "end that program, or name another path": "SocketTests: a program that listens",
        "name another path, or remove the file": "SocketTests: a file at the path of the socket",
        "install OpenSSL 3 (on Debian and Ubuntu: apt-get install libssl3)":
            "ServerTestCommandTests: OpenSSL cannot be loaded",
        "use an OpenSSL 3 that has them: builds and configurations for FIPS do not":
            "ServerTestCommandTests: OpenSSL without the ciphers",
        "check the network of this machine, or try again with a longer --timeout":
            "ServerTestCommandTests: a machine without a network",
        "install libpq (on Debian and Ubuntu: apt-get install libpq5)": "MissingLibPQTests: libpq cannot be loaded",
        "install PostgreSQL's client programs (on Debian and Ubuntu: apt-get install postgresql-client)":
            "ServerBackupTests: pg_dump is not installed",
        "install libqrencode (on Debian and Ubuntu: apt-get install libqrencode4)":
            "QRCommandTests: libqrencode cannot be loaded",
        "install zbar-tools (on Debian and Ubuntu: apt-get install zbar-tools), or give the address as text":
            "QRCommandTests: zbarimg is not installed",
        "cut the picture down to one QR code, or give the address as text": "QRCommandTests: needs pictures",
        #"unpack the archive with another program, and name the folder: \(.inspect, "-d", "FOLDER")"#:
            "HostileArchivesTests: needs an archive with a journal",
        "this is a defect in chatdb; please report it with the command you ran": "a defect",
        "check the store before you try again": "AnswerLostTests: the answer of a change is lost",
        "close the other program, or try again when it is done": "CommandsAtOnceTests: another program",
        "close the other program and try again": "StoreStateTests of migrations: another program",
        "run the command again": "a request to stop, or a store that changes while a question waits",
        "check that the disk works, then run the command again; it shows what is still to change":
            "PresetCrashTests: a broken disk",
        "check that the disk works; then \\(.relayList) shows whether the relay is there":
            "WrittenMeanwhileTests: a broken disk",
        "check that the disk works; then \\(.serverList) shows whether the server is there":
            "WrittenMeanwhileTests: a broken disk",
        "change the permissions of the files, or run chatdb as their owner": "a file that only another user may read",
        "run chatdb as the owner of the files, or change the permissions of the files and of their folder":
            "StoreStateSafetyTests: another user",
        "run chatdb as a user who may give files that owner and group": "a group that chatdb may not give",
        "the databases of the backup have two passphrases; restore a backup whose databases have one":
            "a backup with backup.json, which chatdb makes of no store with two passphrases",
        """
        if no program needs that number, remove it with the shell of SQLCipher, after PRAGMA key, and try again: \
        PRAGMA application_id = 0
        """: "EncryptedAdoptionTests: an encrypted database with the mark of another program",
        "free some space and try again": "FullDiskTests",
        "free some space there, or set TMPDIR to a folder with more": "DiskRoomTests",
        "free some space, or set TMPDIR to a folder with more": "DiskRoomTests",
        "free some space, or put the backup elsewhere with --backup-dir": "DiskRoomTests",
        "free some space there": "DiskRoomTests",
        "free some space, or put the backup on another disk with --backup-dir": "DiskRoomTests",
        "free some space there, or name another folder with --backup-dir": "DiskRoomTests",
        "free some space there; the migrations themselves need it": "DiskRoomTests",
        #"\(.check) shows whether rows are missing, or in the way"#: "LostRowsTests: a constraint refuses a row",
        "check whether the server runs, then try again": "ServerKillTests: a server that ends the connection",
        "check that the disk works and has free space, then try again": "DiskRoomTests: a limit of the size of files",
        "make the folder writable, or free some space there": "FullDiskTests",
        "if the table is one of the program's own, rename it in the database, in the program and in the migration":
            "MigrateVerifyTests: a table with a name of chatdb's own",
        """
        correct the trigger or view, if a migration makes it; a migration that removes or renames the table or column \
        must also drop the trigger or view, or write it again; one that makes the table again needs the line \
        -- chatdb: rebuild before its first statement
        """:
            "MigrateVerifyTests: a view without its table",
        """
        a migration that makes a table again needs the line -- chatdb: rebuild before its first statement; any other \
        must first drop the view or trigger, or correct it
        """: "FailedMigrationTests: a rebuild without the directive",
        """
        correct the file of the migration: create the table, or refer to another one; a migration that makes a table \
        again needs the line -- chatdb: rebuild before its first statement
        """: "FailedMigrationTests: a foreign key to a table that does not exist",
        "remove the cause, then \\(record.completion) continues": "RestoreTortureTests: a disk that fails",
        "\\(kind.command) begins again": "PassphraseChangeTests: a program that writes the store meanwhile",
        """
        put the old file back at one of these paths; or, if it is lost, move the other old database away too. Both \
        new databases are whole in \\(new), and \\(record.completion) then continues
        """: "InterruptedPassphraseTests: a user removes an old file",
        "\\(record.completion) completes it": "InterruptedStoreTests: a restore that was interrupted",
        #"\(.restore, "FOLDER") with the same backup completes it."#: "InterruptedStoreTests",
        """
        The same command completes or undoes it: \\(.passphraseSet), \\(.passphraseChange) or \\(.passphraseRemove). \
        Until then, start no app with the store.
        """: "PassphraseWayOutTests",
        "use the chatdb that began it, or restore the backup: \\(.restore, backup)": "a run of a newer chatdb",
        "use the chatdb that began it, or restore the backup": "a run of a newer chatdb",
        "migrate in smaller steps; --confirm and --yes also accept the loss of rows that no plan counts":
            "ConsentedLossTests: a store that changes meanwhile",
        """
        copy the files of the store into another folder, each with its -wal, and make the copy plain there: \
        \\(removal); then name the copy with --data, and remove it after the rehearsal. Of a store of SimpleX \
        Chat, chatdb rehearses nothing
        """: "EncryptedAdoptionTests: a rehearsal of an encrypted database",
        #"""
        the schema of the \(database) database differs from that of its version, which may be the cause: \#
        \(.schemaDiff) shows how; if it is, make a backup with \(.backupMake), and undo the change of the \#
        schema
        """#: "a store of chatdb's own whose tables another program changed before an upgrade",
        "the column is not part of the store's version: copy its values elsewhere, drop it, and try again":
            "LossTests: a column that drift added",
        "if that is intended, the migration must declare it: -- chatdb: data-loss": "the tool has a longer hint",
        "only the store has the SQL, which declares no loss: use a build that has \\(migration)":
            "MigrateLossTests: a store of a newer build",
        "correct the file of the migration, or report it to its author. \\(StructureDifference.adviceOnForms)":
            "DownRefusalTests: a column in another form",
        "move that file away; or, if both databases are whole, remove the file beside them that ends with .migrating":
            "InterruptedMakingTests: a store whose creation was interrupted",
        // Copies need a server.
        "--to names the prefix of new files": "CopyCommandTests", "give the copy another place": "CopyCommandTests",
        "name the store by the prefix of both databases": "CopyCommandTests",
        "--replace-bad-text writes U+FFFD in the place of these bytes": "CopyUnwritableTests",
        "change these numbers with psql: a file has no NaN and no negative zero": "CopyUnwritableTests",
        """
        \\(.check) shows what refers to missing rows and how to repair it; --replace-bad-text writes U+FFFD in the place \
        of the other bytes
        """: "CopyUnwritableTests",
        "\\(.check) shows what refers to missing rows and how to repair it": "CopyUnwritableTests",
        "in the store, make the longest value of the row, or of the columns of the index, shorter":
            "CopyUnwritableTests",
        "\\(.check) shows whether the store breaks a rule": "CopyUnwritableTests",
        "write neither of them, and run the same command again: it compares the rows and sets the mark":
            "WrittenMeanwhileTests",
        "use one of the two from now on, and move the other one away": "WrittenMeanwhileTests",
        "use the chatdb that made the store": "CopyCommandTests",
        "this is chatdb's own store; leave out --migrations-dir": "OtherFolderTests",
        "run the same copy again: it removes what is incomplete, or completes the copy":
            "InterruptedCopyTests: a copy to files that was interrupted",
        "create the folder first (mkdir -p \\(ShellWord.quoted(path))), or name another place with --to":
            "CopyCommandTests: a folder that does not exist",
        "printf %s \"$PASSWORD\" | chatdb … --password-stdin": "a terminal; UserHidingTests",
        "select fewer rows, or parts of values with substr()": "QueryTests: a limit of size",
        "select parts of values with substr()": "QueryTests: a limit of size",
        "select fewer rows, and do not sort or group long values": "QueryTests: a limit of memory",
        "free some space, or name another folder: \\(.backupMake, \"DIR\")": "FullDiskTests",
        "free some space; then \\(.check) shows what is left in the other database": "FullDiskTests",
        "the folder contains backups: \\(.restore, newest.path) restores the newest of them":
            "BackupCommandTests: the name of a backup has its time",
        "close other programs; then \\(.check) shows what is left in the other database":
            "a lock that another program takes between two commits",
        """
        give the passphrase of the backup with --passphrase-file FILE or --passphrase-stdin; if the store has \
        another one, --force restores the backup without a comparison
        """: "PassphraseWayOutTests: a passphrase that opens neither the store nor the backup",
        "give the passphrase of the backup with --passphrase-file FILE or --passphrase-stdin":
            "EncryptedRestoreTests: the same with --force",
        """
        if the passphrase of the store is lost, omit it: chatdb then compares nothing, and keeps the \
        encrypted files beside the store
        """: "EncryptedRestoreTests: a plain backup with --force and a wrong passphrase",
        #"""
        the databases of the folder have two passphrases: \(change) gives both one; after that, \#
        \(.restore, folder, "--force", "--passphrase-file", "NEW") restores them
        """#: "EncryptedRestoreTests: the replaced files of a store with two passphrases",
        """
        the backup was made with another passphrase, such as an earlier one of the store: give that one with \
        --passphrase-file FILE or --passphrase-stdin
        """: "PassphraseAdviceTests: a backup from before a change, over the store and without one",
        #"""
        the backup has another passphrase than the store, such as an earlier one of the store: \#
        \(.restore, folder, "--force", "--passphrase-file", "FILE") restores it with that passphrase, \#
        without a comparison
        """#: "PassphraseAdviceTests: a backup from before a change, over the store and without one",
        "\\(source) has several lines, and all of them count; leave only the line of the passphrase":
            "EncryptedInputTests: a file with several lines",
        "\\(source) begins with a byte order mark, which counts; remove it, or save the file as UTF-8 without one":
            "EncryptedInputTests: a file with a byte order mark",
        "\\(source) \\($0) with a blank, which counts; remove it if it is not part of the passphrase":
            "EncryptedInputTests: a line with a blank at its end",
        #"""
        move the files of the store to another folder; then copy those of \(folder) to their place, \#
        each with its -wal; then open the store once with the app, and close the app
        """#: "EncryptedRestoreTests: the replaced files of a store with a log",
        "\\(hint); if the passphrase is lost, \\(restore) restores the newest plain backup":
            "EncryptedBackupListTests: a plain backup, and an encrypted one whose passphrase is lost",
        "save the file as UTF-8 without a byte order mark": "PassphraseCommandsTests: a new passphrase",
        "give another new passphrase": "PassphraseCommandsTests: a refusal",
        "without that option, chatdb asks for the passphrase": "a terminal; EncryptedStoreTests",
        "leave --encrypt out, or name the prefix of new files with --store":
            "EncryptedCreationTests: a store on a server",
        "--other-passphrase-file FILE gives the passphrase of the store of --against": "EncryptedArchiveTests",
        "make the change in the app": "SimplexGateTests: a store of SimpleX Chat",
        "\\(.check) says how to correct them (unreadableInApp)": "SimplexGateTests: a store of SimpleX Chat",
        "start the app: if it starts, correct the entry there; if not, import an earlier archive":
            "a store that breaks a rule of the tables; SimplexRulesTests",
        "open the store with the app and close the app again, or make the change in the app":
            "SimplexGateTests: a store of SimpleX Chat",
        "open the store with the app and close the app again; it completes what was interrupted":
            "SimplexRestoreTests: a store of SimpleX Chat",
        "disable the preset instead: \\(.serverDisable, \"SERVER\") or \\(.relayDisable, \"RELAY\")":
            "no command changes a preset otherwise; for apps",
        "\\(.serverEnable, \"SERVER\") or \\(.relayEnable, \"RELAY\") enables the preset, once the app has added it":
            "SimplexRulesTests: a store of SimpleX Chat",
        "enable other servers first, or accept that with --allow-fallback":
            "SimplexRulesTests: a store of SimpleX Chat",
        "accept the conditions in the app, and enable the operator there":
            "SimplexRulesTests: a store of SimpleX Chat",
        "if the app lists the entry, enable it there; otherwise add or enable another one":
            "SimplexRulesTests: a store of SimpleX Chat",
        "--output NEW.zip writes a changed copy of it": "SimplexArchiveTests: an archive",
        "leave --output out; chatdb makes a backup first": "SimplexArchiveTests: a store of SimpleX Chat",
        """
        The app cannot use such a profile. Its row in users of the agent database is missing: damage or another \
        program removed it, or the agent's file is older than the chat's. Look for the agent's file of the same \
        time, or \\(olderArchive). Without either, close the app, copy both files, and write the row again in the \
        copy with a program for SQLite: INSERT INTO users (user_id) VALUES (N). N is the agent_user_id that \
        \\(.query, "SELECT user_id, agent_user_id FROM users") shows for the profile. After that, \\(.check) names \
        the connections that the agent database lacks too.
        """: "CheckSimplexTests: a profile of SimpleX Chat",
        ".command(.groupMembers)": "apps: no command removes other members than relays",
        ".command(.userUnhide)": "apps: commands find a hidden profile only by its password",
        ".command(.check)": "two profiles for one user of the agent, which no command makes",
    ]
}
