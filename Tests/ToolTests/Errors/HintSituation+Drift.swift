/// Hints for adopted databases with a part that a pending migration makes too.
extension HintSituation {
    /// An adopted database with a column that was added by hand, and with an applied migration.
    private static let changed = """
        sqlite3 app.db 'CREATE TABLE t (a); CREATE TABLE u (a)'; mkdir -p m/chat
        echo 'CREATE TABLE t (a); CREATE TABLE u (a);' > m/chat/20260101_first.up.sql
        $CHATDB migrate baseline --yes --migrations-dir m --database chat=app.db --to 20260101_first
        echo 'CREATE TABLE v (a);' > m/chat/20260110_v.up.sql
        $CHATDB migrate up --migrations-dir m --database chat=app.db
        sqlite3 app.db 'ALTER TABLE t ADD COLUMN icon'
        """

    /// The same with a pending migration that adds the column, and an earlier one.
    private static let pending =
        changed + """

            echo 'ALTER TABLE u ADD COLUMN b;' > m/chat/20260201_more.up.sql
            echo 'ALTER TABLE t ADD COLUMN icon;' > m/chat/20260301_icon.up.sql
            """

    private static let up =
        "chatdb migrate up --to 20260201_more --database 'chat=app.db' --migrations-dir m"
    private static let baseline =
        "chatdb migrate baseline --to 20260301_icon --database 'chat=app.db' --migrations-dir m"

    static let drift: [HintSituation] = [
        .init(
            #"a migration that makes what somebody added by hand, after another pending one"#, pending,
            "migrate run --yes --migrations-dir m --database chat=app.db", code: 65,
            hint:
                #"correct the file of the migration, if the fault is there; the schema of the chat database also differs from that of its version, which may be the cause: chatdb schema diff --database 'chat=app.db' --migrations-dir m shows how. If the schema is to have what was added, let the migration add the same; \#(up) applies the pending migrations that come before it; after that, \#(baseline) writes the migration to the list and keeps the data. Otherwise, make a backup with chatdb backup make --database 'chat=app.db' --migrations-dir m, and drop by hand, in SQL, what was added"#,
            .run("chatdb schema diff --database 'chat=app.db' --migrations-dir m"), .run(up), .run(baseline), .again()),
        .init(
            #"a migration that makes what somebody added by hand, in a run out of order"#,
            pending + "\necho 'ALTER TABLE u ADD COLUMN c;' > m/chat/20260105_other.up.sql",
            "migrate run --yes --migrations-dir m --database chat=app.db --allow-out-of-order merge", code: 65,
            hint:
                #"correct the file of the migration, if the fault is there; the schema of the chat database also differs from that of its version, which may be the cause: chatdb schema diff --database 'chat=app.db' --migrations-dir m shows how. If the schema is to have what was added, let the migration add the same; \#(up) --allow-out-of-order merge applies the pending migrations that come before it; after that, \#(baseline) writes"#,
            .run("chatdb schema diff --database 'chat=app.db' --migrations-dir m"),
            .run(up + " --allow-out-of-order merge"), .run(baseline), .again()),
        .init(
            #"a migration out of order that makes what somebody added by hand"#,
            changed + """

                echo 'ALTER TABLE t ADD COLUMN icon; CREATE INDEX i ON u (a); CREATE INDEX j ON t (a);' \\
                    > m/chat/20260105_icon.up.sql
                """,
            "migrate run --yes --migrations-dir m --database chat=app.db --allow-out-of-order merge", code: 65,
            hint:
                #"correct the file of the migration, if the fault is there; the schema of the chat database also differs from that of its version, which may be the cause: chatdb schema diff --database 'chat=app.db' --migrations-dir m shows how. If the schema is to have what was added, and no other store has applied the migration, rename its files to give it a date after 20260110_v, and try again. Otherwise, make a backup with"#,
            .act("mv m/chat/20260105_icon.up.sql m/chat/20260301_icon.up.sql"), .again(code: 65)),
        .init(
            #"a baseline of a migration after a pending one"#, pending,
            "migrate baseline --yes --to 20260301_icon --migrations-dir m --database chat=app.db", code: 78,
            hint:
                #"\#(up) applies the pending migrations that come before it, if the database lacks only what these make; then try again. Otherwise, make the migrations create what the database has; its schema as SQL: chatdb schema dump --database 'chat=app.db'"#,
            .run("chatdb schema dump --database 'chat=app.db'"), .run(up), .again()),
    ]
}
