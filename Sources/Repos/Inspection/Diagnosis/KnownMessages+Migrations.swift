/// The app's screens about the versions of its databases.
extension KnownMessage {
    static let ofMigrations: [KnownMessage] = [
        KnownMessage(
            "differentMigration", ["different migration in the app/database", "different migration"],
            """
            The names of the migrations in the file differ from those of the app, at the place that the message names. \
            The app compares both lists in order and does not open the file.
            """,
            findings: ["otherHistory", "exchangedFiles", "foreignPair", "unknownStore"],
            elsewhere: ["the file was used by an app that was built from another branch: open it with that app"]),
        KnownMessage(
            "noDownMigration", ["no down migration for"],
            "The file was used by a newer app, and this app cannot take back one of its migrations.",
            findings: ["newerVersion", "otherHistory"], elsewhere: ["install the newer app again"]),
        KnownMessage(
            "downgrade",
            [
                "Database downgrade", "Downgrade and open chat", "database version is newer than the app",
                "Incompatible database version",
            ],
            """
            The file was used by a newer app. Going back takes back its migrations, and what only they store is lost.
            """,
            findings: ["newerVersion", "otherHistory"],
            elsewhere: ["an older app was installed: install the newer one again, and nothing is lost"]),
        KnownMessage(
            "upgrade",
            ["Database upgrade", "Upgrade and open chat", "app has a newer version than the database"],
            "The file was used by an older app. Upgrading it is the usual way.",
            findings: ["olderVersion", "interruptedMigration"],
            elsewhere: ["the app was updated: keep a copy of both files, and confirm"]),
    ]
}
