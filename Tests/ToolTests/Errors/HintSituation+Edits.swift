/// Hints for databases with triggers, after the edit of an applied migration.
extension HintSituation {
    /// An adopted database, a migration that creates a trigger, and the migration after it was applied and edited.
    private static let trigger = """
        sqlite3 app.db 'CREATE TABLE t (a)'; mkdir -p m/chat
        echo 'CREATE TABLE t (a);' > m/chat/20250101_first.up.sql
        $CHATDB migrate baseline --yes --migrations-dir m --database chat=app.db --to 20250101_first
        echo 'CREATE TRIGGER tr AFTER INSERT ON t BEGIN SELECT 1; END;' > m/chat/20250201_tr.up.sql
        $CHATDB migrate up --migrations-dir m --database chat=app.db
        cp m/chat/20250201_tr.up.sql before.sql
        sed -i 's/SELECT 1/SELECT 2/' m/chat/20250201_tr.up.sql
        """

    static let edits: [HintSituation] = [
        .init(
            #"an applied migration whose trigger was edited"#, trigger,
            "migrate run --yes --accept-edited --migrations-dir m --database chat=app.db",
            hint:
                #"chatdb schema diff --database 'chat=app.db' --migrations-dir m shows the differences. The edit of 20250201_tr explains them if they are what it changed: the database has the schema of the text from before the edit. Restore that text, and put the change into another migration: chatdb migrate new WORDS --only chat --migrations-dir m. Otherwise another program changed the schema: drop nothing that a migration creates"#,
            .run("chatdb schema diff --database 'chat=app.db' --migrations-dir m"),
            .act("cp before.sql m/chat/20250201_tr.up.sql"),
            .run("chatdb migrate new WORDS --only chat --migrations-dir m", ["WORDS": "other"]),
            .act(
                """
                rm m/chat/*_other.down.sql
                echo 'DROP TRIGGER tr; CREATE TRIGGER tr AFTER INSERT ON t BEGIN SELECT 2; END;' > m/chat/*_other.up.sql
                """), .again())
    ]
}
