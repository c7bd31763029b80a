import Foundation

/// Hints for errors of stores, migrations, backups and restores.
extension HintSituation {
    /// A folder without a store, where nothing names one.
    private static let unnamed = "unset CHATDB_STORE; export XDG_DATA_HOME=$PWD/data; cd empty"

    static let stores: [HintSituation] = [
        .init(
            #"two stores in a folder"#, #"cp x_chat.db y_chat.db; cp x_agent.db y_agent.db"#, #"inspect -d ."#,
            code: 66, hint: #"name one of them: -d FOLDER/x or -d FOLDER/y"#, .act(#"$CHATDB inspect -d y"#)),
        .init(
            #"a value of another form"#, #"sqlite3 x_chat.db "UPDATE chat_relays SET tested_at = 'soon'""#,
            #"relay disable mine -u alice"#, code: 65,
            hint:
                #"chatdb check shows whether more is wrong; correct the value with the program that wrote it, or restore a backup"#,
            .run(#"chatdb check"#, code: 1),
            .act(#"sqlite3 x_chat.db "UPDATE chat_relays SET tested_at = NULL""#), .again()),
        .init(
            #"a file that is no bundle"#, #"echo '{}' > b.json"#, #"bundle diff b.json b.json"#, code: 65,
            hint: #"chatdb bundle write FILE writes a bundle"#,
            .run(#"chatdb bundle write FILE"#, [#"FILE"#: #"new.json"#])),
        .init(
            #"no store, folder missing"#, "", #"user list -d nowhere/deep/y"#, code: 66,
            hint:
                #"check the path; for a new store: mkdir -p FOLDER/nowhere/deep && chatdb migrate run -d FOLDER/nowhere/deep/y"#,
            .act(#"mkdir -p nowhere/deep"#), .run(#"chatdb migrate run -d FOLDER/nowhere/deep/y"#), .again()),
        .init(
            #"no store with the name of a program's database, folder missing"#, "", #"user list -d nowhere/y.db"#,
            code: 66,
            hint:
                #"check the path; for a new store: mkdir -p FOLDER/nowhere && chatdb migrate run --create -d FOLDER/nowhere/y.db"#,
            .act(#"mkdir -p nowhere"#), .run(#"chatdb migrate run --create -d FOLDER/nowhere/y.db"#), .again()),
        .init(
            #"no store"#, "", #"user list -d y"#, code: 66,
            hint: #"check the path; chatdb migrate run -d FOLDER/y creates a new store"#,
            .run(#"chatdb migrate run -d FOLDER/y"#), .again()),
        .init(
            #"a list of migrations that lost rows, when migrating"#,
            #"sqlite3 x_chat.db "DELETE FROM migrations WHERE name = (SELECT max(name) FROM migrations)""#,
            #"migrate up"#, code: 78,
            hint:
                #"the schema of the chat database is newer than its list of migrations, which lost rows, or somebody changed the schema by hand: do not migrate it; chatdb check shows more"#,
            .run(#"chatdb check"#, code: 1)),
        .init(
            #"a list of migrations with gaps"#,
            #"$CHATDB backup b; mv b/* c; sqlite3 x_chat.db "DELETE FROM migrations WHERE name LIKE '20260713%'""#,
            #"relay list"#, code: 78,
            hint:
                #"the list of migrations lacks rows before one that it has, as after a salvage: chatdb restore FOLDER restores a backup; chatdb check says what to do without one"#,
            .run(#"chatdb check"#, code: 1),
            .act("$CHATDB $($CHATDB check | grep -o 'migrate baseline --to [0-9a-z_]*') --yes"), .again(),
            .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]), .again()),
        .init(
            #"no store, in a rescue"#, "", #"diagnose -d y"#, code: 66,
            hint: #"check the path; chatdb find lists the stores in the usual places"#, .run(#"chatdb find"#)),
        .init(
            #"neither database can be read"#,
            #"$CHATDB backup make; cp x_chat.db y; head -c 50000 y > x_chat.db; rm x_agent.db"#, #"check"#, code: 66,
            hint:
                #"chatdb backup list lists the backups, and chatdb restore FOLDER restores one; chatdb salvage --output NEW writes what can be read into a new store"#,
            .run(#"chatdb backup list"#), .run(#"chatdb salvage --output NEW"#, [#"NEW"#: #"new"#], code: 1),
            .act(#"mv x.backups/* c"#), .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]), .again()),
        .init(
            #"neither database can be read, without a backup"#,
            #"cp x_chat.db y; head -c 50000 y > x_chat.db; rm x_agent.db"#, #"inspect"#, code: 66,
            hint:
                #"chatdb restore FOLDER restores a backup; without one, chatdb salvage --output NEW writes what can be read into a new store"#,
            .run(#"chatdb salvage --output NEW"#, [#"NEW"#: #"new"#], code: 1)),
        .init(
            #"no archive"#, "", #"user list -d y.zip"#, code: 66,
            hint: #"check the path; chatdb find lists the stores in the usual places"#, .run(#"chatdb find"#)),
        .init(
            #"the folder of a new store is missing"#, "", #"migrate run -d nowhere/y"#, code: 66,
            hint: #"create the folder first (mkdir -p FOLDER/nowhere), or name another place with --store"#,
            .act(#"mkdir -p nowhere"#), .again()),
        .init(
            #"no named store, and no folder of the default store"#, "mkdir empty", "migrate plan", code: 66,
            hint:
                "neither -d nor CHATDB_STORE names a store, so this is the default place; chatdb find --below FOLDER searches a folder for stores, and -d names the one that you mean, and --database chat=FILE names the database of a program. For a new store in the default place, create the folder first: mkdir -p FOLDER/data/chatdb",
            around: unnamed, .act("mkdir -p data/chatdb"), .again()),
        .init(
            #"no named store, and none in the default place"#, "mkdir empty", "user list", code: 66,
            hint:
                "neither -d nor CHATDB_STORE names a store, so this is the default place; chatdb find --below FOLDER searches a folder for stores, and -d names the one that you mean. For a new store in the default place: chatdb migrate run",
            around: unnamed, .run("chatdb find --below FOLDER", ["FOLDER": ".."]), .again("-d ../x"),
            .run("chatdb migrate run"), .again()),
        .init(
            #"no named store, and none in the default place, in a rescue"#, "mkdir empty", "diagnose", code: 66,
            hint:
                "neither -d nor CHATDB_STORE names a store, so this is the default place; chatdb find --below FOLDER searches a folder for stores, and -d names the one that you mean",
            around: unnamed, .run("chatdb find --below FOLDER", ["FOLDER": ".."])),
        .init(
            #"a file in the place of the folder of a new store"#, "", #"migrate run -d x_chat.db/y"#, code: 66,
            hint: #"FOLDER/x_chat.db is a file, and not a folder: name another place with --store"#,
            .act(#"$CHATDB migrate run -d y"#)),
        .init(
            #"the folder of migrations is missing"#, make: { try demoWithMigrations() }, "",
            #"migrate status --migrations-dir nowhere"#, code: 66,
            hint: #"--migrations-dir names the folder that contains chat/ and agent/"#,
            .act(#"cp -r migrations nowhere"#), .again()),
        .init(
            #"an older store"#, make: { try MigrationFixture.oldStore() }, "", #"user add bob"#, code: 78,
            hint:
                #"chatdb migrate plan shows the changes and deletions; chatdb migrate run --yes applies them"#,
            .run(#"chatdb migrate plan"#), .run(#"chatdb migrate run --yes"#), .again()),
        .init(
            #"a newer store, when writing"#, make: { try MigrationFixture.newerStore() }, "", #"user add bob"#,
            code: 78, hint: #"use a newer chatdb; chatdb migrate plan shows what going down would lose"#,
            .run(#"chatdb migrate plan"#)),
        .init(
            #"a newer store, when migrating"#, make: { try MigrationFixture.newerStore() }, "", #"migrate up"#,
            code: 78, hint: #"use a newer chatdb, or: chatdb migrate run --confirm yes-up-down"#,
            .run(#"chatdb migrate run --confirm yes-up-down"#), .again()),
        .init(
            #"a newer store without down SQL"#, make: { try MigrationFixture.newerStore() },
            #"sqlite3 x_chat.db "UPDATE migrations SET down = NULL WHERE name LIKE '2099%'""#,
            #"migrate run --confirm yes-up-down"#, code: 78, hint: #"use the newer chatdb that made this version"#,
            .again(#"--migrations-dir migrations"#)),
        .init(
            #"another history"#,
            #"sqlite3 x_chat.db "UPDATE migrations SET name = '20260907_other' WHERE name = '20260907_list_indexes'""#,
            #"migrate run --confirm yes-up-down"#, code: 78,
            hint: #"use a build whose migrations the store has; chatdb migrate status lists both"#,
            .run(#"chatdb migrate status"#)),
        .init(
            #"a migration from another branch"#, make: { try demoWithMigrations() },
            #"printf -- "-- Why: a test.\nCREATE TABLE between_two (a INTEGER) STRICT;\n" > migrations/chat/20260714_between.up.sql"#,
            #"migrate run --confirm yes-up --migrations-dir migrations"#, code: 78,
            hint:
                #"20260714_between sorts before 20261124_relay_service, which is applied. If no other store has applied it, rename its files to give it a date after 20261124_relay_service. If one has, as after a merge of branches, apply it as it is: chatdb migrate up --allow-out-of-order REASON --migrations-dir migrations"#,
            .run(
                #"chatdb migrate up --allow-out-of-order REASON --migrations-dir migrations"#,
                [#"REASON"#: #"'merge of branch tags'"#]), .again()),
        .init(
            #"a migration with an earlier date than the last one"#, make: { try demoWithMigrations() },
            #"printf -- "-- Why: a test.\nCREATE TABLE between_two (a INTEGER) STRICT;\n" > migrations/chat/20260714_between.up.sql"#,
            #"migrate plan --migrations-dir migrations"#, code: 78,
            hint:
                #"20260714_between sorts before 20261124_relay_service, which is applied. If no other store has applied it, rename its files to give it a date after 20261124_relay_service."#,
            .act("mv migrations/chat/20260714_between.up.sql migrations/chat/20261125_between.up.sql"), .again()),
        .init(
            #"an edited migration"#, make: { try MigrationFixture.oldStore() },
            #"sqlite3 x_chat.db "UPDATE migrations SET checksum = 'x' WHERE name = '20260608_search'""#, #"migrate up"#,
            code: 78,
            hint:
                #"chatdb does not apply it again: to change the schema, restore the file as it was, and write another migration: chatdb migrate new WORDS --only chat; chatdb schema diff shows whether the database lacks what the edit changed; if the database is as it should be: chatdb migrate run --accept-edited"#,
            .run("chatdb schema diff"),
            .run(#"chatdb migrate new WORDS --only chat"#, [#"WORDS"#: #"notes"#]),
            .run(#"chatdb migrate run --accept-edited"#, code: 78), .again(#"--accept-edited"#)),
        .init(
            #"an edited migration, in a rehearsal"#, make: { try MigrationFixture.oldStore() },
            #"sqlite3 x_chat.db "UPDATE migrations SET checksum = 'x' WHERE name = '20260608_search'""#,
            #"migrate verify --data x"#, code: 78,
            hint: #"restore the files as they were, or continue with them as they are with --accept-edited"#,
            .again(#"--accept-edited"#)),
        .init(
            #"an edited migration beside pending ones, without consent"#, make: { try MigrationFixture.oldStore() },
            #"sqlite3 x_chat.db "UPDATE migrations SET checksum = 'x' WHERE name = '20260608_search'""#,
            #"migrate run --accept-edited"#, code: 78,
            hint:
                #"chatdb migrate plan --accept-edited shows the changes and deletions; chatdb migrate run --yes --accept-edited applies them"#,
            .run(#"chatdb migrate plan --accept-edited"#), .run(#"chatdb migrate run --yes --accept-edited"#)),
        .init(
            #"a migration that differs from its accepted text"#, make: { try MigrationFixture.oldStore() },
            #"sqlite3 x_chat.db "UPDATE migrations SET checksum = 'x', note = 'edited, accepted' WHERE name = '20260608_search'""#,
            #"migrate up"#, code: 78,
            hint: #"accept the files as they are with --accept-edited, or restore the text that was accepted"#,
            .again(#"--accept-edited"#)),
        .init(
            #"one database, when migrating"#, #"rm x_chat.db"#, #"migrate plan"#, code: 66,
            hint:
                #"bring the missing file back; chatdb check says what is left without it. If the store never had the file: --only agent"#,
            .run(#"chatdb check"#, code: 1), .again(#"--only agent"#)),
        .init(
            #"one database"#, #"rm x_chat.db"#, #"user list"#, code: 66,
            hint: #"bring the missing file back; chatdb check says what is left without it"#,
            .run(#"chatdb check"#, code: 1)),
        .init(
            #"a log without its database"#,
            #"mv x_chat.db y_chat.db; mv x_agent.db y_agent.db; echo x > x_chat.db-wal"#, #"migrate run"#, code: 66,
            hint: #"bring its database back, or move the file away: a new store would destroy it"#,
            .act(#"mv x_chat.db-wal away"#), .again()),
        .init(
            #"a database of another program"#, #"rm x_chat.db; sqlite3 x_chat.db "CREATE TABLE t (a)""#, #"user list"#,
            code: 66,
            hint:
                #"chatdb inspect shows what the file is; chatdb migrate baseline --to NAME --migrations-dir DIR adopts a database of another program"#,
            .run(#"chatdb inspect"#)),
        .init(
            #"exchanged files"#, #"mv x_chat.db y; mv x_agent.db x_chat.db; mv y x_agent.db"#, #"group relays news"#,
            code: 66,
            hint:
                #"the two files were exchanged: close all programs that use the store, and give each file the name of the database that it contains; chatdb check shows more"#,
            .act(#"mv x_chat.db y; mv x_agent.db x_chat.db; mv y x_agent.db"#), .again(#"-u alice"#)),
        .init(
            #"a file copied over the other one"#, #"cp x_agent.db away; cp x_chat.db x_agent.db"#, #"migrate run"#,
            code: 66,
            hint:
                #"one file was copied over the other: both contain a chat database. Do not rename or overwrite either file; chatdb check names the files that contain the missing database"#,
            .run(#"chatdb check"#, code: 1), .act(#"mv away x_agent.db"#), .again()),
        .init(
            #"two stores mixed"#, #"$CHATDB migrate run -d y; cp y_agent.db x_agent.db"#, #"user add bob"#, code: 78,
            hint: #"restore both files from one backup"#, .act(#"true"#)),
        .init(
            #"one of two databases without a row in its table store"#,
            #"$CHATDB backup b; mv b/* c; sqlite3 x_agent.db 'DELETE FROM store'"#, #"user add bob"#, code: 78,
            hint:
                #"chatdb restore FOLDER restores both files from a backup; chatdb check says what to do without one"#,
            .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]), .again()),
        .init(
            #"one of an existing pair created alone"#, #"rm x_agent.db"#, #"migrate run --only agent --yes"#, code: 66,
            hint:
                #"restore both from a backup with chatdb restore FOLDER; chatdb check says what is left without one. Without --only, chatdb creates a new pair where neither exists"#,
            .run(#"chatdb check"#, code: 1)),
        .init(
            #"an agent database of zeros"#, #"dd if=/dev/zero of=x_agent.db bs=40960 count=1 status=none"#,
            #"migrate run --yes"#, code: 66, hint: #"chatdb check shows more"#,
            .run(#"chatdb check"#, code: 1)),
        .init(
            #"two databases of zeros, in a salvage"#,
            #"""
            $CHATDB backup b; mv b/* c
            for one in chat agent; do dd if=/dev/zero of=x_$one.db bs=40960 count=1 status=none; done
            """#, #"salvage --output new"#, code: 66,
            hint: #"find another copy of the file, or a backup that chatdb restore FOLDER restores"#,
            .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#])),
        .init(
            #"an interrupted migration"#, make: { try MigrationFixture.interruptedStore() }, "", #"user add bob"#,
            code: 78, hint: #"chatdb migrate run completes or undoes it"#, .run(#"chatdb migrate run"#), .again()),
        .init(
            #"a broken record of a migration"#, #"echo x > x.migrating"#, #"user add bob"#, code: 78,
            hint: #"restore the backup, or look at the file and remove it if it is not needed"#,
            .act(#"rm x.migrating"#), .again()),
        .init(
            #"a broken migration, when planning"#, make: { try demoWithMigrations() },
            #"printf -- "-- Why: a test.\nCREATE TABEL x;\n" > migrations/chat/20991231_broken.up.sql"#,
            #"migrate plan --migrations-dir migrations"#, code: 65,
            hint: #"this is a fault of the migration: correct its file, or report it to its author"#,
            .act(#"printf -- "-- Why: a test.\nCREATE TABLE x (a);\n" > migrations/chat/20991231_broken.up.sql"#),
            .again()),
        .init(
            #"a broken migration, when running"#, make: { try demoWithMigrations() },
            #"printf -- "-- Why: a test.\nCREATE TABEL x;\n" > migrations/chat/20991231_broken.up.sql"#,
            #"migrate run --confirm yes-up --migrations-dir migrations"#, code: 65,
            hint: #"this is a fault of the migration: correct its file, or report it to its author"#),
        .init(
            #"an unknown trigger"#, #"sqlite3 x_chat.db "CREATE TRIGGER t AFTER INSERT ON users BEGIN SELECT 1; END""#,
            #"user add bob"#,
            hint:
                #"chatdb schema diff shows them; find out which program created or changed them, drop them, create again what the version has in their place, and try again"#,
            .run(#"chatdb schema diff"#), .act(#"sqlite3 x_chat.db "DROP TRIGGER t""#), .again()),
        .init(
            #"the backup folder is a file"#, #"touch x.backups"#, #"group delete news -u alice --yes"#, code: 74,
            hint: #"put the backup elsewhere with --backup-dir"#, .again(#"--backup-dir elsewhere"#)),
        .init(
            #"the folder of a backup is a file"#, #"touch b"#, #"backup b"#, code: 73,
            hint: #"name another folder for the backup: chatdb backup make DIR"#,
            .run(#"chatdb backup make DIR"#, ["DIR": "c"])),
        .init(
            #"not a backup"#, #"mkdir b"#, #"restore b --yes"#, code: 66,
            hint: #"name a folder that chatdb backup make created"#,
            .act(#"rmdir b; $CHATDB backup b; $CHATDB restore b/* --yes"#)),
        .init(
            #"no folder of a backup"#, "", #"restore b --yes"#, code: 66,
            hint: #"name a folder that chatdb backup make created"#, .act(#"true"#)),
        .init(
            #"the name of a backup beside the store"#, #"$CHATDB backup b; mkdir -p x.backups; mv b/* x.backups/c"#,
            #"restore c --yes"#, code: 66,
            hint: #"chatdb restore FOLDER/x.backups/c restores the backup with this name"#,
            .run(#"chatdb restore FOLDER/x.backups/c"#)),
        .init(
            #"a damaged backup"#, #"$CHATDB backup b; mv b/* c; echo x >> c/x_chat.db"#, #"restore c --yes"#, code: 66,
            hint: #"use another backup"#, .act(#"$CHATDB backup d; $CHATDB restore d/* --yes"#)),
        .init(
            #"half a backup"#, #"$CHATDB backup b; mv b/* c; rm c/backup.json c/x_agent.db"#, #"restore c --yes"#,
            code: 66, hint: #"close all programs that use the store, and copy the one file by hand"#,
            .act(#"cp c/x_chat.db x_chat.db"#)),
        .init(
            #"a backup without backup.json"#, #"$CHATDB backup b; mv b/* c; rm c/backup.json"#, #"restore c --yes"#,
            hint: #"--force restores it anyway"#, .again(#"--force"#)),
        .init(
            #"a backup of another store"#, #"$CHATDB migrate run -d y; $CHATDB backup b -d y; mv b/* c"#,
            #"restore c --yes"#, hint: #"--force restores it anyway"#, .again(#"--force"#)),
        .init(
            #"a backup of a newer version"#, make: { try MigrationFixture.newerStore() },
            #"$CHATDB backup b; mv b/* c"#, #"restore c --yes"#, code: 78,
            hint:
                #"--force restores it anyway; --migrations-dir names the migrations of a store that are not chatdb's"#,
            .again(#"--migrations-dir migrations"#), .again(#"--force"#)),
        .init(
            #"a store that is a link"#,
            #"$CHATDB backup b; mv b/* c; mkdir d; mv x_chat.db d; ln -s d/x_chat.db x_chat.db"#, #"restore c --yes"#,
            hint: #"name the store by the path of its files"#, .act(#"mv x_agent.db d; $CHATDB restore c --yes -d d/x"#)
        ),
        .init(
            #"a damaged page of a table that a command reads"#,
            #"printf "%4096s" "" > zero; page=$(sqlite3 x_chat.db "SELECT rootpage FROM sqlite_schema WHERE name = 'chat_relays'"); $CHATDB backup b; mv b/* c; dd if=zero of=x_chat.db bs=4096 seek=$((page - 1)) conv=notrunc status=none"#,
            #"relay list -u alice"#, code: 66,
            hint: #"chatdb check shows the damage; chatdb restore FOLDER restores a backup"#,
            .run(#"chatdb check"#, code: 1), .run(#"chatdb restore FOLDER"#, [#"FOLDER"#: #"c"#]), .again()),
        .init(
            #"backing up a damaged store"#,
            #"printf "%4096s" "" > zero; page=$(sqlite3 x_chat.db "SELECT rootpage FROM sqlite_schema WHERE name = 'chat_relays'"); dd if=zero of=x_chat.db bs=4096 seek=$((page - 1)) conv=notrunc status=none"#,
            #"backup b"#, code: 66,
            hint:
                #"copy the files of the store and those beside them to another place now; chatdb check shows the damage"#,
            .act(#"mkdir copy; cp x_chat.db* x_agent.db* copy"#), .run(#"chatdb check"#, code: 1)),
        .init(
            #"a damaged store, when repairing"#,
            #"printf "%4096s" "" > zero; page=$(sqlite3 x_chat.db "SELECT rootpage FROM sqlite_schema WHERE name = 'chat_relays'"); $CHATDB backup b; mv b/* c; dd if=zero of=x_chat.db bs=4096 seek=$((page - 1)) conv=notrunc status=none"#,
            #"check --fix --yes"#, code: 66,
            hint: #"keep the file as it is; chatdb check names the damaged parts and what to do"#,
            .run(#"chatdb check"#, code: 1), .act(#"$CHATDB restore c --yes"#), .again()),
        .init(
            #"a table with too many columns"#,
            #"sqlite3 x_chat.db "CREATE TABLE wide ($(printf 'c%s, ' {1..600}) last)""#, #"user list"#, code: 65,
            hint:
                #"docs/errors.md lists the limits; remove what exceeds them, or read the file with sqlite3, which has wider ones"#,
            .act(#"sqlite3 x_chat.db "SELECT count(c600) FROM wide""#), .act(#"sqlite3 x_chat.db "DROP TABLE wide""#),
            .again()),
        .init(
            #"a table is missing"#, #"sqlite3 x_chat.db "DROP TABLE chat_relays""#, #"relay list -u alice"#, code: 65,
            hint: #"chatdb check shows whether the store lacks something"#, .run(#"chatdb check"#, code: 1)),
        .init(
            #"a migration with the wrong name of a target"#, "", #"migrate up --to nothing_like_it_at_all"#, code: 64,
            hint: #"chatdb migrate status lists what is applied and pending"#, .run(#"chatdb migrate status"#)),
        .init(
            #"a target of the other database"#, "", #"migrate up --only agent --to 20260608_search"#, code: 64,
            hint: #"name a migration of the agent database, or leave --only out"#,
            .act(#"$CHATDB migrate up --only agent --to 20260820_agent_receive_attempts"#)),
        .init(
            #"a migration without down SQL"#, make: { try demoWithMigrations() },
            #"mv migrations/chat/20261124_relay_service.down.sql 20261124; sqlite3 x_chat.db "UPDATE migrations SET down = NULL WHERE name = '20261124_relay_service'""#,
            #"migrate down --steps 1 --yes --migrations-dir migrations"#, code: 78,
            hint: #"write 20261124_relay_service.down.sql, or restore an earlier backup"#,
            .act(#"cp 20261124 migrations/chat/20261124_relay_service.down.sql"#), .again()),
        .init(
            #"a migration that loses rows"#, make: { try demoWithMigrations() },
            #"printf -- "-- Why: a test.\nDELETE FROM protocol_servers;\n" > migrations/chat/20991231_loses.up.sql"#,
            #"migrate run --confirm yes-up --migrations-dir migrations"#, code: 65,
            hint:
                #"if that is intended, 20991231_loses.up.sql must declare it in a line before its first statement: -- chatdb: data-loss"#,
            .act(
                #"printf -- "-- Why: a test.\n-- chatdb: data-loss\nDELETE FROM protocol_servers;\n" > migrations/chat/20991231_loses.up.sql"#
            ), .again()),
    ]
}
