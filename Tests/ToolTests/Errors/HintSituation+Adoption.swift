import ChatDBKit
import Foundation

/// Hints for databases of other programs.
extension HintSituation {
    /// A database and the migrations that make its schema.
    private static let app = """
        sqlite3 app.db 'CREATE TABLE t (a)'; mkdir -p m/chat
        echo 'CREATE TABLE t (a);' > m/chat/20260101_first.up.sql
        echo 'ALTER TABLE t ADD COLUMN b;' > m/chat/20260201_more.up.sql
        """
    private static let adopt = "migrate baseline --yes --migrations-dir m --database chat=app.db --to 20260101_first"

    private static let rewritten = """

        $CHATDB \(adopt); $CHATDB migrate up --migrations-dir m --database chat=app.db
        echo 'CREATE TABLE t (a, b);' > m/chat/20260101_first.up.sql
        """

    /// The name for a first migration that is called start.
    private static let start = "\(MigrationDay(Date())?.description ?? "")_0000_start"

    static let adoption: [HintSituation] = [
        .init(
            #"a database that is not adopted"#, app, "migrate plan --database chat=app.db", code: 66,
            hint:
                #"chatdb inspect --database 'chat=app.db' shows what the file is; chatdb migrate baseline --to NAME --migrations-dir DIR --database 'chat=app.db' adopts a database of another program"#,
            .run("chatdb inspect --database 'chat=app.db'"),
            .run(
                "chatdb migrate baseline --to NAME --migrations-dir DIR --database 'chat=app.db'",
                ["NAME": "20260101_first", "DIR": "m"]), .again("--migrations-dir m")),
        .init(
            #"a database that is not adopted, with the folder of its migrations"#, app,
            "migrate plan --database chat=app.db --migrations-dir m", code: 66,
            hint:
                #"chatdb inspect --database 'chat=app.db' --migrations-dir m shows what the file is; chatdb migrate baseline --to NAME --database 'chat=app.db' --migrations-dir m adopts a database of another program"#,
            .run(
                "chatdb migrate baseline --to NAME --database 'chat=app.db' --migrations-dir m",
                ["NAME": "20260101_first"]), .again()),
        .init(
            #"a database that has a table store"#, app + "\nsqlite3 app.db 'CREATE TABLE store (a)'", adopt, code: 1,
            hint:
                #"if store is the program's own, rename it in the database and in the program, write the first migration again with chatdb schema dump --database 'chat=FOLDER/app.db', and try again; or keep the tool with which the program migrates the database. Do not rename it if chatdb made it: chatdb inspect --database 'chat=app.db' --migrations-dir m shows what the file is"#,
            .act(
                "sqlite3 app.db 'ALTER TABLE store RENAME TO shop'; $CHATDB schema dump --database chat=app.db > m/chat/20260101_first.up.sql"
            ),
            .again(), .act("sqlite3 app.db 'SELECT count(*) FROM shop'")),
        .init(
            #"a database with the table migrations of another tool"#,
            app + "\nsqlite3 app.db 'CREATE TABLE migrations (id INTEGER PRIMARY KEY, version TEXT)'", adopt, code: 1,
            hint: #"if migrations is the program's own, rename it in the database and in the program"#,
            .act(
                "sqlite3 app.db 'ALTER TABLE migrations RENAME TO app_migrations'; $CHATDB schema dump --database chat=app.db > m/chat/20260101_first.up.sql"
            ),
            .again()),
        .init(
            #"a database that is adopted already"#, app + "\n$CHATDB " + adopt, adopt, code: 1,
            hint:
                #"chatdb migrate run --database 'chat=app.db' --migrations-dir m migrates it. To make two databases a pair that were adopted alone, restore the backup of each from before its adoption, and adopt both together"#,
            .act("$CHATDB migrate run --confirm yes-up --database chat=app.db --migrations-dir m")),
        .init(
            #"a store of chatdb's own that is to be adopted"#, app,
            "migrate baseline --to 20260101_first --migrations-dir m", code: 1,
            hint:
                #"a store of chatdb's own needs no adoption, and chatdb inspect --migrations-dir m shows what it is; to adopt a database of another program, name its file with --database"#,
            .run("chatdb inspect --migrations-dir m"), .again("--yes --database chat=app.db")),
        .init(
            #"a database that is named as the other one"#, app,
            "migrate baseline --yes --migrations-dir m --database agent=app.db --to 20260101_first", code: 64,
            hint: #"name the file with --database 'chat=FOLDER/app.db', or move its migrations into m/agent"#,
            .act("mv m/chat m/agent"), .again()),
        .init(
            #"a migration of a database that is not named"#,
            app + "\nmkdir m/agent; echo 'CREATE TABLE t (a);' > m/agent/20260102_keys.up.sql",
            "migrate baseline --yes --migrations-dir m --database agent=app.db --to 20260101_first", code: 64,
            hint: #"name a migration of the agent database with --to"#,
            .act("$CHATDB migrate baseline --yes --migrations-dir m --database agent=app.db --to 20260102_keys")),
        .init(
            #"a text file that is to be adopted"#, app + "\necho 'This is a text.' > notes.txt",
            "migrate baseline --yes --migrations-dir m --database chat=notes.txt --to 20260101_first", code: 66,
            hint: #"check the path of --database"#, .act("$CHATDB " + adopt)),
        .init(
            #"an adopted database whose list of migrations lost rows"#,
            app
                + """

                $CHATDB \(adopt)
                $CHATDB migrate up --database chat=app.db --migrations-dir m
                sqlite3 app.db "DELETE FROM migrations WHERE name = '20260201_more'"
                """, adopt, code: 1,
            hint:
                #"the schema is already that of 20260201_more, and the list of migrations of the chat database lacks rows: chatdb migrate baseline --to 20260201_more --database 'chat=app.db' --migrations-dir m writes them"#,
            .run("chatdb migrate baseline --to 20260201_more --database 'chat=app.db' --migrations-dir m"),
            .act("$CHATDB migrate status --exit-code --database chat=app.db --migrations-dir m")),
        .init(
            #"an adopted database whose schema somebody changed as the next migration does"#,
            app + "\n$CHATDB \(adopt)\nsqlite3 app.db 'ALTER TABLE t ADD COLUMN b'",
            "migrate run --yes --migrations-dir m --database chat=app.db", code: 78,
            hint:
                #"the schema is already that of 20260201_more, and the list of migrations of the chat database lacks rows: chatdb migrate baseline --to 20260201_more --database 'chat=app.db' --migrations-dir m writes them"#,
            .run("chatdb migrate baseline --to 20260201_more --database 'chat=app.db' --migrations-dir m"), .again()),
        .init(
            #"an adopted database whose schema somebody changed as a part of the next migration does"#,
            app
                + """

                echo 'CREATE INDEX ib ON t (b);' >> m/chat/20260201_more.up.sql
                $CHATDB \(adopt)
                sqlite3 app.db 'ALTER TABLE t ADD COLUMN b'
                """, "migrate run --yes --migrations-dir m --database chat=app.db", code: 65,
            hint:
                #"correct the file of the migration, if the fault is there; the schema of the chat database also differs from that of its version, which may be the cause: chatdb schema diff --database 'chat=app.db' --migrations-dir m shows how. If the schema is to have what was added, let the migration add the same; then chatdb migrate baseline --to 20260201_more --database 'chat=app.db' --migrations-dir m writes the migration to the list and keeps the data. Otherwise, make a backup with chatdb backup make --database 'chat=app.db' --migrations-dir m, and drop by hand, in SQL, what was added"#,
            .run("chatdb schema diff --database 'chat=app.db' --migrations-dir m"),
            .run("chatdb backup make --database 'chat=app.db' --migrations-dir m"),
            .act("sed -i '/INDEX/d' m/chat/20260201_more.up.sql"),
            .run("chatdb migrate baseline --to 20260201_more --database 'chat=app.db' --migrations-dir m"), .again()),
        .init(
            #"a database to adopt, and a first migration with a line of the shell"#,
            app + "\nsed -i '1i $ chatdb schema dump' m/chat/20260101_first.up.sql", adopt, code: 65,
            hint: #"this is a fault of the migration: correct its file, or report it to its author"#,
            .act("sed -i 1d m/chat/20260101_first.up.sql"), .again()),
        .init(
            #"an accepted edit that made the column of the next migration"#,
            app
                + """

                $CHATDB \(adopt)
                mv m/chat/20260201_more.up.sql more.sql
                echo 'CREATE TABLE t (a, b);' > m/chat/20260101_first.up.sql
                $CHATDB migrate run --yes --accept-edited --migrations-dir m --database chat=app.db
                mv more.sql m/chat/20260201_more.up.sql
                """, "migrate run --yes --migrations-dir m --database chat=app.db", code: 65,
            hint:
                #"correct the file of the migration, if the fault is there; the schema of the chat database also differs from that of its version, which may be the cause: chatdb schema diff --database 'chat=app.db' --migrations-dir m shows how. The edit of 20260101_first explains that if the differences are what it changed: restore the text from before the edit, and accept it: chatdb migrate run --accept-edited --database 'chat=app.db' --migrations-dir m"#,
            .run("chatdb schema diff --database 'chat=app.db' --migrations-dir m"),
            .act("echo 'CREATE TABLE t (a);' > m/chat/20260101_first.up.sql"), .again("--accept-edited")),
        .init(
            #"an edited file that makes the column of a later, applied migration"#, app + rewritten,
            "migrate run --yes --accept-edited --migrations-dir m --database chat=app.db", code: 65,
            hint:
                #"correct the file of 20260201_more, or an earlier file that was edited (20260101_first), if that one makes the same already"#,
            .act("echo 'CREATE TABLE t (a);' > m/chat/20260101_first.up.sql"), .again()),
        .init(
            #"the same file, for a command that makes the schema"#, app + rewritten,
            "schema diff --migrations-dir m --database chat=app.db", code: 65,
            hint:
                #"correct the file of the migration, or an earlier file that was edited, if that one makes the same already"#,
            .act("echo 'CREATE TABLE t (a);' > m/chat/20260101_first.up.sql"), .again()),
        .init(
            #"an adopted database without a row in its table store"#,
            app + "\n$CHATDB \(adopt)\nsqlite3 app.db 'DELETE FROM store'",
            "migrate run --yes --database chat=app.db --migrations-dir m", code: 78,
            hint:
                #"chatdb restore FOLDER --database 'chat=app.db' --migrations-dir m restores a backup from before the loss; chatdb check --database 'chat=app.db' --migrations-dir m says how to write the row again without one"#,
            .act(#"sqlite3 app.db "INSERT INTO store (store_id, generation) VALUES ('x', 1)""#), .again()),
        .init(
            #"a database with the mark of another program"#, app + "\nsqlite3 app.db 'PRAGMA application_id = 7'",
            adopt,
            code: 1,
            hint:
                #"if no program needs that number, remove it, and try again: sqlite3 FOLDER/app.db 'PRAGMA application_id = 0'"#,
            .act("sqlite3 app.db 'PRAGMA application_id = 0'"), .again()),
        .init(
            #"a database of a later version"#, app + "\nsqlite3 app.db 'ALTER TABLE t ADD COLUMN b'", adopt, code: 78,
            hint: #"the database has the schema of 20260201_more: --to 20260201_more"#,
            .again("--to 20260201_more")),
        .init(
            #"a database of no version"#, app + "\nsqlite3 app.db 'ALTER TABLE t ADD COLUMN z'", adopt, code: 78,
            hint:
                #"make the migrations create what the database has; its schema as SQL: chatdb schema dump --database 'chat=FOLDER/app.db'"#,
            .act("$CHATDB schema dump --database chat=app.db > m/chat/20260101_first.up.sql"), .again()),
        .init(
            #"a folder without migrations"#, "sqlite3 app.db 'CREATE TABLE t (a)'; mkdir -p m/chat", adopt, code: 64,
            hint:
                #"write the schema of the database into the first migration: mkdir -p m/chat && chatdb schema dump --database 'chat=FOLDER/app.db' > m/chat/20260101_first.up.sql"#,
            .act("mkdir -p m/chat && $CHATDB schema dump --database chat=app.db > m/chat/20260101_first.up.sql"),
            .again()),
        .init(
            #"an empty folder of migrations"#, "sqlite3 app.db 'CREATE TABLE t (a)'; mkdir m", adopt, code: 66,
            hint:
                #"write the schema of the database into the first migration: mkdir -p m/chat && chatdb schema dump --database 'chat=FOLDER/app.db' > m/chat/20260101_first.up.sql"#,
            .act("mkdir -p m/chat && $CHATDB schema dump --database chat=app.db > m/chat/20260101_first.up.sql"),
            .again()),
        .init(
            #"a first migration that is called by words alone"#, "sqlite3 app.db 'CREATE TABLE t (a)'; mkdir m",
            "migrate baseline --yes --migrations-dir m --database chat=app.db --to start", code: 66,
            hint:
                "write the schema of the database into the first migration, and name it with --to \(start): mkdir -p m/chat && chatdb schema dump --database 'chat=FOLDER/app.db' > m/chat/\(start).up.sql",
            .act("mkdir -p m/chat && $CHATDB schema dump --database chat=app.db > m/chat/\(start).up.sql"),
            .act(
                "$CHATDB migrate baseline --yes --migrations-dir m --database chat=app.db --to \(start)")),
        .init(
            #"a new migration after one without a time"#, "mkdir -p m/chat; touch m/chat/20991231_add.up.sql",
            "migrate new 20991231_0900_x --only chat --migrations-dir m", code: 65,
            hint:
                #"chatdb migrate new 21000101_0000_x --only chat --migrations-dir m; or, if 20991231_add is not applied yet, rename its files to 20991231_HHMM_add first"#,
            .run("chatdb migrate new 21000101_0000_x --only chat --migrations-dir m")),
        .init(
            #"a renamed file of the first migration"#,
            app + "\n$CHATDB \(adopt)\nmv m/chat/20260101_first.up.sql m/chat/20260101_start.up.sql",
            "migrate baseline --yes --migrations-dir m --database chat=app.db --to 20260101_start",
            hint:
                #"give the files of 20260101_first in m/chat their old names back; or undo the adoption, and adopt the database again: chatdb restore "#,
            .act("mv m/chat/20260101_start.up.sql m/chat/20260101_first.up.sql"),
            .act("$CHATDB migrate run --confirm yes-up --database chat=app.db --migrations-dir m")),
        .init(
            #"the folder of one database in the place of the folder that contains it"#, app,
            adopt.replacing("--migrations-dir m", with: "--migrations-dir m/chat/"), code: 66,
            hint: #"m/chat/ has the migrations of one database; did you mean --migrations-dir m?"#,
            .again("--migrations-dir m")),
        .init(
            #"migrations that are a folder too high"#, app + "\nmv m/chat/* m; rmdir m/chat", adopt, code: 66,
            hint: #"move the migrations of m into a folder chat or agent in it"#,
            .act("mkdir m/chat; mv m/*.sql m/chat"), .again()),
        .init(
            #"migrations that are a folder deeper"#, app + "\nmkdir d; mv m d/sqlite",
            "migrate status --migrations-dir d --database chat=app.db", code: 66,
            hint: #"the folder d/sqlite contains them: --migrations-dir d/sqlite"#,
            .act("$CHATDB migrate status --migrations-dir d/sqlite --database chat=app.db")),
        .init(
            #"a step down without the folder of the migrations"#,
            app
                + """

                echo 'ALTER TABLE t DROP COLUMN b;' > m/chat/20260201_more.down.sql
                $CHATDB \(adopt)
                $CHATDB migrate up --database chat=app.db --migrations-dir m
                """, "migrate down --steps 1 --yes --database chat=app.db", code: 78,
            hint: #"name the folder of its migrations with --migrations-dir"#, .again("--migrations-dir m")),
        .init(
            #"schema diff without the folder of the migrations"#, app + "\n$CHATDB " + adopt,
            "schema diff --database chat=app.db", code: 78,
            hint: #"name the folder of its migrations with --migrations-dir"#, .again("--migrations-dir m")),
        .init(
            #"a migration that was removed from the folder"#,
            app
                + """

                $CHATDB \(adopt)
                $CHATDB migrate up --database chat=app.db --migrations-dir m
                mkdir kept; mv m/chat/20260101_first.up.sql kept
                """, "migrate run --yes --database chat=app.db --migrations-dir m", code: 78,
            hint:
                #"put the files of 20260101_first back into m/chat, or name the folder that has them with --migrations-dir; chatdb migrate status --database 'chat=app.db' --migrations-dir m names what the folder lacks"#,
            .run("chatdb migrate status --database 'chat=app.db' --migrations-dir m"),
            .act("mv kept/20260101_first.up.sql m/chat"), .again()),
        .init(
            #"migrations in the folder of the other database"#, app + "\n$CHATDB \(adopt)\nmv m/chat m/agent",
            "migrate plan --database chat=app.db --migrations-dir m", code: 78,
            hint: #"m/agent has their files: move them into m/chat"#, .act("mv m/agent m/chat"), .again()),
        .init(
            #"the last migration was removed from the folder"#,
            app
                + """

                echo 'ALTER TABLE t DROP COLUMN b;' > m/chat/20260201_more.down.sql
                $CHATDB \(adopt)
                $CHATDB migrate up --database chat=app.db --migrations-dir m
                rm m/chat/20260201_more.*
                """, "migrate run --confirm yes-up --database chat=app.db --migrations-dir m", code: 78,
            hint:
                #"put their files back into m, or undo them: chatdb migrate run --confirm yes-up-down --database 'chat=app.db' --migrations-dir m"#,
            .run("chatdb migrate run --confirm yes-up-down --database 'chat=app.db' --migrations-dir m"), .again()),
        .init(
            #"a command about chatdb's own tables"#, app + "\n$CHATDB " + adopt, "relay list --database chat=app.db",
            code: 78,
            hint:
                #"this command knows chatdb's own tables only; chatdb inspect --database 'chat=app.db', chatdb check --database 'chat=app.db', chatdb query SQL --database 'chat=app.db', chatdb backup make --database 'chat=app.db' and the migrate commands work on this store"#,
            .act("$CHATDB inspect --database chat=app.db && $CHATDB check --database chat=app.db")),
        .init(
            #"one database of an adopted pair"#,
            app
                + """

                sqlite3 keys.db 'CREATE TABLE k (a)'; mkdir m/agent
                echo 'CREATE TABLE k (a);' > m/agent/20260101_first.up.sql
                $CHATDB \(adopt) --database agent=keys.db
                """, "migrate plan --migrations-dir m --database agent=keys.db", code: 1,
            hint: #"name both: --database 'chat=FOLDER/app.db' --database 'agent=FOLDER/keys.db'"#,
            .act("$CHATDB migrate plan --migrations-dir m --database chat=app.db --database agent=keys.db")),
        .init(
            #"a backup of another database"#,
            app
                + """

                $CHATDB backup --database chat=app.db
                sqlite3 keys.db 'CREATE TABLE k (a)'; $CHATDB backup b --database agent=keys.db; mv b/* c
                """, "restore c --yes --database chat=app.db", code: 66,
            hint: #"name a backup of this database: chatdb backup list --database 'chat=app.db' lists them"#,
            .run("chatdb backup list --database 'chat=app.db'")),
        .init(
            #"the backup from before the adoption, for a file of another name"#,
            app + "\n$CHATDB \(adopt); mv app.db.backups/* c; sqlite3 other.db 'CREATE TABLE t (a)'",
            "restore c --yes --database chat=other.db", code: 1,
            hint: #"name a file of the same name with --database; in another folder, the restore creates it"#,
            .act("mkdir k; $CHATDB restore c --yes --database chat=k/app.db")),
        .init(
            #"the backup of one adopted database, without the option that names the database"#,
            app + "\n$CHATDB \(adopt)\n$CHATDB backup b --database chat=app.db; mv b/* c", "restore c --yes", code: 66,
            hint:
                #"the backup is of one adopted database, so name its file: chatdb restore c --database 'chat=FILE' --migrations-dir DIR"#,
            .run(
                "chatdb restore c --database 'chat=FILE' --migrations-dir DIR", ["FILE": "app.db", "DIR": "m"])),
        .init(
            #"a database with an R*Tree table"#,
            app + "\nsqlite3 app.db 'CREATE VIRTUAL TABLE r USING rtree(id, a, b)'", adopt, code: 65,
            hint:
                #"keep the tool with which the program migrates the database, or put the rows of the table into a plain table"#,
            .act("sqlite3 app.db 'DROP TABLE r'"), .again()),
        .init(
            #"a migration that makes an R*Tree table"#,
            app
                + """

                $CHATDB \(adopt)
                echo 'CREATE VIRTUAL TABLE r USING rtree(id, a, b);' > m/chat/20260301_tree.up.sql
                """, "migrate run --confirm yes-up --migrations-dir m --database chat=app.db", code: 65,
            hint: #"write the migration with plain tables and indexes, or with a full-text index of FTS5"#,
            .act("echo 'CREATE TABLE r (id INTEGER PRIMARY KEY, a, b);' > m/chat/20260301_tree.up.sql"), .again()),
        .init(
            #"a database of another name"#, app, "inspect -d app.db", code: 66,
            hint: #"write -d 'chat=FOLDER/app.db' for a database of any name, or name a store with -d"#,
            .act("$CHATDB inspect --database chat=app.db")),
        .init(
            #"a database of another name to compare with"#, app + "\n$CHATDB " + adopt,
            "schema diff app.db --database chat=app.db", code: 66,
            hint: #"name the other store, or a database of any name as 'chat=FOLDER/app.db'"#,
            .act("$CHATDB schema diff chat=app.db --database chat=app.db")),
        .init(
            #"the schema of another database of any name"#, app + "\nsqlite3 other.db 'CREATE TABLE o (a)'",
            "schema diff --database chat=app.db", code: 66,
            hint:
                #"chatdb schema diff 'chat=FILE' --database 'chat=app.db' compares it with another; chatdb schema show --database 'chat=app.db' shows it"#,
            .run("chatdb schema diff 'chat=FILE' --database 'chat=app.db'", ["FILE": "other.db"]),
            .run(#"chatdb schema show --database 'chat=app.db'"#)),
        .init(
            #"a database of another name to rehearse with"#, app + "\n$CHATDB " + adopt,
            "migrate verify --migrations-dir m --data app.db", code: 66,
            hint: #"name the store, or a database of any name with --data 'chat=FOLDER/app.db'"#,
            .act("$CHATDB migrate verify --migrations-dir m --data chat=app.db")),
        .init(
            #"words that the name of a migration may not have"#, app,
            "migrate new 'note tags!' --only chat --migrations-dir m", code: 65,
            hint: #"chatdb migrate new note_tags --only chat --migrations-dir m"#,
            .run("chatdb migrate new note_tags --only chat --migrations-dir m")),
        .init(
            #"the name of a migration that exists"#, app,
            "migrate new 20260201_more --only chat --migrations-dir m", code: 73,
            hint: #"write into the file that exists, or give the new migration another name"#,
            .act("$CHATDB migrate new more --only chat --migrations-dir m")),
        .init(
            #"a named file to rehearse with that does not exist"#, app + "\n$CHATDB " + adopt,
            "migrate verify --migrations-dir m --data chat=other.db", code: 66, hint: #"check the path of --data"#,
            .act("$CHATDB migrate verify --migrations-dir m --data chat=app.db")),
        .init(
            #"a store to rehearse with that has the name of a program's database"#, app + "\n$CHATDB " + adopt,
            "migrate verify --migrations-dir m --data app", code: 66,
            hint: #"for the database of a program: --data 'chat=FOLDER/app.db'"#,
            .act("$CHATDB migrate verify --migrations-dir m --data chat=app.db")),
        .init(
            #"a named file that does not exist"#, app, "migrate status --migrations-dir m --database chat=other.db",
            code: 66, hint: #"check the path of --database"#,
            .act("$CHATDB migrate status --migrations-dir m --database chat=app.db")),
        .init(
            #"a run of a named file that does not exist"#, app,
            "migrate run --migrations-dir m --database chat=other.db", code: 66,
            hint:
                #"check the path of --database; chatdb migrate run --create --database 'chat=other.db' --migrations-dir m creates a new database in the file"#,
            .run("chatdb migrate run --create --database 'chat=other.db' --migrations-dir m"), .again()),
        .init(
            #"a run of a named file that does not exist, beside one of a similar name"#, app,
            "migrate plan --migrations-dir m --database chat=ap.db", code: 66,
            hint:
                #"did you mean "app.db"? chatdb migrate run --create --database 'chat=ap.db' --migrations-dir m creates a new database in the file"#,
            .run("chatdb migrate run --create --database 'chat=ap.db' --migrations-dir m"), .again()),
        .init(
            #"a run of a store with the name of a program's database"#, app + "\n$CHATDB " + adopt,
            "migrate run --yes --migrations-dir m -d app", code: 66,
            hint:
                #"for the database of a program: --database 'chat=FOLDER/app.db'; for a new store with this name: chatdb migrate run --create -d FOLDER/app --migrations-dir m"#,
            .act("$CHATDB migrate run --yes --migrations-dir m --database chat=app.db"),
            .run("chatdb migrate run --create -d FOLDER/app --migrations-dir m"), .again()),
        .init(
            #"databases in two folders"#, app + "\nmkdir k; sqlite3 k/keys.db 'CREATE TABLE k (a)'",
            "inspect --database chat=app.db --database agent=k/keys.db", code: 66,
            hint: #"put both into one folder, or adopt each alone"#, .act("mv k/keys.db ."),
            .act("$CHATDB inspect --database chat=app.db --database agent=keys.db")),
    ]
}
