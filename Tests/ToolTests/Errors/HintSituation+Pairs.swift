import ChatDBKit

/// Hints for two databases of another program, which are adopted as a pair, and for rows that a migration refuses.
extension HintSituation {
    private static let files = "--database chat=app.db --database agent=keys.db"
    private static let shown = "--database 'chat=app.db' --database 'agent=keys.db' --migrations-dir m"
    private static let baseline = "migrate baseline --yes --migrations-dir m --to 20260101_first"
    private static let backedUp =
        pair + "rm -r app.db.backups; $CHATDB backup make \(files); mv app.db.backups/* app.db.backups/a\n"
    private static let both = "--database 'chat=FOLDER/app.db' --database 'agent=FOLDER/keys.db'"
    private static let listed = "chatdb backup list \(both)"
    private static let restored = "chatdb restore FOLDER \(both)"
    private static let run = "migrate run --yes --migrations-dir m \(files)"

    /// Two databases, and the migrations that make their schemas.
    private static let two = """
        sqlite3 app.db 'CREATE TABLE t (a)'; sqlite3 keys.db 'CREATE TABLE k (a)'; mkdir -p m/chat m/agent
        echo 'CREATE TABLE t (a);' > m/chat/20260101_first.up.sql
        echo 'CREATE TABLE k (a);' > m/agent/20260101_first.up.sql

        """
    private static let pair = two + "$CHATDB \(baseline) \(files)\n"

    /// The same in the middle of a run.
    private static let interrupted =
        pair + """
            echo 'CREATE TABLE u (a);' > m/chat/20260201_more.up.sql; cp m/chat/20260201_more.up.sql m/agent/
            cp app.db old.copy; $CHATDB migrate up --migrations-dir m \(files); mv old.copy app.db
            mv app.db.backups/*-20260101_first b
            id=$(sqlite3 keys.db 'SELECT store_id FROM store'); at=$(sqlite3 keys.db 'SELECT generation FROM store')
            course='{"from": "20260101_first", "to": "20260201_more", "steps": ["20260201_more"]}'
            echo '{"run": "x", "startedAt": "2026-10-01T12:00:00Z", "creates": false, "storeId": "'$id'",
              "generation": '$at', "databases": {"agent": '"$course"', "chat": '"$course"'}, "backup": "'$PWD'/b"}' \\
              > app.db.migrating

            """

    /// An adopted database with two equal rows, and a migration of the statement.
    private static func equalRows(_ statement: String) -> String {
        """
        sqlite3 app.db 'CREATE TABLE t (a); INSERT INTO t VALUES (1), (1)'; mkdir -p m/chat
        echo 'CREATE TABLE t (a);' > m/chat/20260101_first.up.sql
        $CHATDB \(baseline) --database chat=app.db; echo '\(statement);' > m/chat/20260201_more.up.sql
        """
    }
    private static let runOfOne = "migrate run --yes --migrations-dir m --database chat=app.db"
    private static let removed = Step.act("sqlite3 app.db 'DELETE FROM t WHERE rowid = 2'")

    /// The line that writes the first migration, as the hint has it, and as a test runs it.
    private static func dump(_ database: String, _ file: String) -> String {
        let place = "m/\(database)"
        return "mkdir -p \(place) && chatdb schema dump --database '\(database)=FOLDER/\(file).db' > "
            + "\(place)/20260101_first.up.sql"
    }
    private static func typed(_ database: String, _ file: String) -> String {
        dump(database, file).replacing("chatdb", with: "$CHATDB").replacing("FOLDER/", with: "")
    }

    static let pairs: [HintSituation] = [
        .init(
            #"rows that a new unique index refuses"#, equalRows("CREATE UNIQUE INDEX ia ON t (a)"), runOfOne, code: 65,
            hint:
                #"rows of the database do not fit what the migration requires: change these rows, or correct its file; chatdb query 'SELECT a, count(*) FROM t WHERE a IS NOT NULL GROUP BY a HAVING count(*) > 1' --show unknown --database 'chat=app.db' lists the values that several rows have"#,
            .run(
                "chatdb query 'SELECT a, count(*) FROM t WHERE a IS NOT NULL GROUP BY a HAVING count(*) > 1' --show unknown --database 'chat=app.db'"
            ), removed, .again()),
        .init(
            #"rows that a migration refuses"#, equalRows("CREATE UNIQUE INDEX ia ON t (a + 1)"), runOfOne, code: 65,
            hint:
                #"rows of the database do not fit what the migration requires: change these rows, or correct its file"#,
            removed, .again()),
        .init(
            #"a migration that deletes rows to which others refer"#,
            """
            sqlite3 app.db 'CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)'; mkdir -p m/chat
            sqlite3 app.db 'CREATE TABLE u (a REFERENCES t (id) ON DELETE CASCADE); INSERT INTO u VALUES (1)'
            $CHATDB schema dump --database chat=app.db > m/chat/20260101_first.up.sql
            $CHATDB \(baseline) --database chat=app.db
            (echo '-- chatdb: data-loss'; echo 'DELETE FROM t;') > m/chat/20260201_more.up.sql
            """, runOfOne, code: 65,
            hint:
                #"correct the file of the migration, or report it to its author. A run does not enforce foreign keys, so ON DELETE has no effect: a migration that deletes rows must also delete or change the rows that refer to them"#,
            .act("echo 'DELETE FROM u;' >> m/chat/20260201_more.up.sql"), .again(),
            .act("[ $(sqlite3 app.db 'SELECT count(*) FROM u') = 0 ]")),
        .init(
            #"a misspelt file of a pair"#, two,
            "\(baseline) --database chat=app.db --database agent=key.db", code: 66, hint: #"did you mean "keys.db"?"#,
            .act("$CHATDB \(baseline) \(files)")),
        .init(
            #"a file of a pair that is not there"#, two,
            "\(baseline) --database chat=app.db --database agent=other.db", code: 66,
            hint: #"check the path of --database; if the program has only one database, name that one alone"#,
            .act("$CHATDB \(baseline) --database chat=app.db")),
        .init(
            #"an adopted pair that lacks a file"#, pair + "mv keys.db away", run, code: 66,
            hint: "bring the missing file back; chatdb check \(shown) says what is left without it",
            .run("chatdb check \(shown)", code: 1), .act("mv away keys.db"), .again()),
        .init(
            #"a repair of an adopted pair"#, pair, "check --fix --migrations-dir m \(files)", code: 64,
            hint: "chatdb check \(shown) says what to do about each finding", .run("chatdb check \(shown)")),
        .init(
            #"a pair that is adopted already"#, pair, "\(baseline) \(files)", code: 1,
            hint: "chatdb migrate run \(shown) migrates both",
            .act("$CHATDB \(run)")),
        .init(
            #"the backups of one of two adopted files"#, pair, "backup list --database agent=keys.db", code: 1,
            hint: "name both: --database 'chat=FOLDER/app.db' --database 'agent=FOLDER/keys.db'",
            .act("$CHATDB backup list \(files)")),
        .init(
            #"an adopted pair named the wrong way round"#, pair,
            "migrate run --yes --migrations-dir m --database chat=keys.db --database agent=app.db", code: 66,
            hint:
                "each file contains the other database: name them with --database 'chat=FOLDER/app.db' --database 'agent=FOLDER/keys.db'",
            .act("$CHATDB \(run)")),
        .init(
            #"a second adoption of one of two adopted files"#, pair, "\(baseline) --database chat=app.db", code: 1,
            hint: "name both: --database 'chat=FOLDER/app.db' --database 'agent=FOLDER/keys.db'",
            .act("$CHATDB migrate status --exit-code --migrations-dir m \(files)")),
        .init(
            #"the lost chat database of a pair"#, backedUp + "rm app.db",
            "backup make --database chat=app.db", code: 66,
            hint: "FOLDER/app.db.backups has backups of the store: \(listed) lists them, and \(restored) restores one",
            .run(listed), .run(restored, ["FOLDER ": "app.db.backups/a "]), .again("--database agent=keys.db")),
        .init(
            #"the lost agent database of a pair"#, backedUp + "rm keys.db",
            "backup list --database agent=keys.db", code: 66,
            hint: "FOLDER/app.db.backups has backups of the store: \(listed) lists them, and \(restored) restores one",
            .run(listed), .run(restored, ["FOLDER ": "app.db.backups/a "]), .act("$CHATDB backup list \(files)")),
        .init(
            #"a backup from before the adoption of a pair, for one of its files"#,
            two + """
                cp app.db a; cp keys.db k; $CHATDB \(baseline) \(files); mv a app.db; mv k keys.db
                mv app.db.backups/* b
                """,
            "restore b --yes --database chat=app.db", code: 1,
            hint:
                "name two files of the same names with --database chat=FILE and --database agent=FILE; in another folder, the restore creates them",
            .again("--database agent=keys.db"),
            .act("mkdir d; $CHATDB restore b --yes --database chat=d/app.db --database agent=d/keys.db")),
        .init(
            #"a table of the other database of a pair"#, pair, "query 'SELECT count(*) FROM k' \(files)", code: 65,
            hint: #"the table is in the agent database: --only agent"#, .again("--only agent")),
        .init(
            #"two databases that were adopted alone"#,
            two + """
                $CHATDB \(baseline) --database chat=app.db; $CHATDB \(baseline) --database agent=keys.db
                mv app.db.backups/* app.db.backups/a; mv keys.db.backups/* keys.db.backups/b
                """, run, code: 78,
            hint:
                "app.db and keys.db were each adopted alone, and only files that were adopted together are a pair. Name each file alone; or, to make them a pair, undo each adoption, without what was written since, and adopt both together: chatdb restore FOLDER/app.db.backups/a --database 'chat=FOLDER/app.db' --migrations-dir m; chatdb restore FOLDER/keys.db.backups/b --database 'agent=FOLDER/keys.db' --migrations-dir m; chatdb migrate baseline --to 20260101_first \(shown)",
            .run("chatdb restore FOLDER/app.db.backups/a --database 'chat=FOLDER/app.db' --migrations-dir m"),
            .run("chatdb restore FOLDER/keys.db.backups/b --database 'agent=FOLDER/keys.db' --migrations-dir m"),
            .run("chatdb migrate baseline --to 20260101_first \(shown)"), .again()),
        .init(
            #"a database that was adopted alone, beside one that is not adopted"#,
            two + "$CHATDB \(baseline) --database chat=app.db; mv app.db.backups/* app.db.backups/a", run, code: 66,
            hint:
                "app.db was adopted alone, and only files that were adopted together are a pair. Name each file alone; or, to make them a pair, undo the adoption, without what was written since, and adopt both together: chatdb restore FOLDER/app.db.backups/a --database 'chat=FOLDER/app.db' --migrations-dir m; chatdb migrate baseline --to 20260101_first \(shown)",
            .run("chatdb restore FOLDER/app.db.backups/a --database 'chat=FOLDER/app.db' --migrations-dir m"),
            .run("chatdb migrate baseline --to 20260101_first \(shown)"), .again()),
        .init(
            #"the two files of a pair, exchanged"#, two, "\(baseline) --database chat=keys.db --database agent=app.db",
            code: 78,
            hint:
                #"each file has the schema of the other database: exchange them with --database 'chat=FOLDER/app.db' --database 'agent=FOLDER/keys.db'"#,
            .act("$CHATDB \(baseline) \(files)")),
        .init(
            #"one file of a pair in the place of the other"#, two + "sqlite3 more.db 'CREATE TABLE m (a)'",
            "\(baseline) --database chat=keys.db --database agent=more.db", code: 78,
            hint: #"FOLDER/keys.db has the schema of the agent database: check the paths of --database"#,
            .act("$CHATDB \(baseline) \(files)")),
        .init(
            #"a database alone, named as the other one"#, two, "\(baseline) --database chat=keys.db", code: 78,
            hint:
                #"the file has the schema of the agent database: name it with --database 'agent=FOLDER/keys.db'"#,
            .act("$CHATDB \(baseline) --database agent=keys.db")),
        .init(
            #"an interrupted run of a pair, without the folder of its migrations"#, interrupted,
            "migrate run \(files)", code: 78,
            hint:
                #"name the folder that has the migrations of the store: chatdb migrate run --migrations-dir DIR --database 'chat=app.db' --database 'agent=keys.db' completes it. Only if the folder is lost, chatdb restore FOLDER/b --database 'chat=app.db' --database 'agent=keys.db' goes back to before the run"#,
            .run(
                "chatdb migrate run --migrations-dir DIR --database 'chat=app.db' --database 'agent=keys.db'",
                ["DIR": "m"]), .act("$CHATDB migrate status --exit-code --migrations-dir m \(files)")),
        .init(
            #"a run of one database of a pair, which nobody confirms"#,
            pair
                + """
                echo 'CREATE TABLE u (a);' > m/chat/20260201_more.up.sql; cp m/chat/20260201_more.up.sql m/agent/
                """, "migrate run --migrations-dir m \(files) --only chat", code: 78,
            hint:
                "chatdb migrate plan \(shown) --only chat shows the changes and deletions; chatdb migrate run --yes \(shown) --only chat applies them",
            .run("chatdb migrate plan \(shown) --only chat"), .run("chatdb migrate run --yes \(shown) --only chat"),
            .act("[ $(sqlite3 app.db 'SELECT count(*) FROM migrations') = 2 ]"),
            .act("[ $(sqlite3 keys.db 'SELECT count(*) FROM migrations') = 1 ]"), .again()),
        .init(
            #"one database of a pair, in a rehearsal"#, pair, "migrate verify --migrations-dir m --data chat=app.db",
            hint: "name both: --data 'chat=FOLDER/app.db' --data 'agent=FOLDER/keys.db'",
            .act("$CHATDB migrate verify --migrations-dir m --data chat=app.db --data agent=keys.db")),
        .init(
            #"a database that is named as the other one, in a rehearsal"#,
            two + "rm -r m/agent; $CHATDB \(baseline) --database chat=app.db",
            "migrate verify --migrations-dir m --data agent=app.db", code: 66,
            hint: "the file contains a chat database: name it with --data 'chat=FOLDER/app.db'",
            .act("$CHATDB migrate verify --migrations-dir m --data chat=app.db")),
        .init(
            #"a pair, and an empty folder of migrations"#, two + "rm -r m/*", "\(baseline) \(files)", code: 66,
            hint:
                "write the schema of each database into its first migration: \(dump("chat", "app")); \(dump("agent", "keys"))",
            .act("\(typed("chat", "app")); \(typed("agent", "keys"))"), .again()),
        .init(
            #"a pair, and a folder with the migrations of one database"#, two + "rm -r m/agent",
            "\(baseline) \(files)", code: 78,
            hint: "write the schema of the database into the first migration: \(dump("agent", "keys"))",
            .act(typed("agent", "keys")), .again()),
        .init(
            #"a migration of which only the down file is left"#,
            pair + "mv m/chat/20260101_first.up.sql kept; echo 'DROP TABLE t;' > m/chat/20260101_first.down.sql", run,
            code: 65,
            hint: "put the missing file back; or, if no store has applied the migration, remove its down file too",
            .act("mv kept m/chat/20260101_first.up.sql"), .again()),
        .init(
            #"a file of SQL among the migrations that is none"#, pair + "touch m/chat/notes.sql", run, code: 65,
            hint:
                "move the file out of the folder; or, if it is a migration, name it as chatdb migrate new --help says",
            .run("chatdb migrate new --help"), .act("mv m/chat/notes.sql ."), .again()),
        .init(
            #"an interrupted run of a pair that lacks a file"#, interrupted + "mv keys.db away", run, code: 66,
            hint:
                "bring the missing file back; or restore both as they were before the run that was interrupted: chatdb restore FOLDER/b \(shown)",
            .run("chatdb restore FOLDER/b \(shown)"), .again()),
        .init(
            #"the same without a backup, for one of the databases"#, interrupted + "mv keys.db away; rm -r b",
            "\(run) --only chat", code: 78,
            hint: #"bring the missing file back: a run that was interrupted concerns both databases"#,
            .act("mv away keys.db; $CHATDB \(run)")),
    ]
}
