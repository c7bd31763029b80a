import ChatDBKit

/// The remedies for a store of chatdb in files that has lost one of its databases: the file is missing, or has no page
/// that a salvage could read. They say what is lost, and what is left.
/// Rule: docs/support.md, "A lost database".
enum LostDatabaseRemedy {
    /// The remedy for the findings `missingDatabase` and `unreadableDatabase`; nil for other findings, for files of
    /// which a salvage reads a part, and for stores with other tables than chatdb's own.
    static func remedy(for finding: Finding, _ status: StoreStatus, at location: StoreLocation) -> Hint? {
        guard status.kind == .chatdb, location.server == nil, !location.hasNamedFiles,
            !status.readable.values.contains(where: \.isOfOtherMigrations)
        else { return nil }
        switch finding.id {
        case StoreCheck.missingDatabase:
            guard let database = location.databases.first(where: { status.parts[$0] == nil }) else { return nil }
            let file: Hint = "An app needs both databases. Ask for the other file from the same time"
            return database == .agent ? ofAgent(file, isThere: false) : ofChat(file)
        case StoreCheck.unreadableDatabase:
            let dead = status.unreadable.first { database in
                if case .failure(let problem) = status.parts[database] { problem.isDead } else { false }
            }
            guard let database = dead else {
                // A file of which other pages can be read is no reason to leave it out.
                return status.problems.allSatisfy(\.isOfDamage) ? DamageRemedies.general : nil
            }
            let file: Hint = "No page of the file of the \(database) database can be read. Look for another copy of it"
            return database == .agent ? ofAgent(file, isThere: true) : ofChat(file)
        default: return nil
        }
    }

    /// - Parameter isThere: whether there is a file in the place of the database, which commands try to read.
    private static func ofAgent(_ file: Hint, isThere: Bool) -> Hint {
        let rest: Hint =
            isThere
            ? """
            \(.salvage, "--output", "NEW", "--only", "chat") writes it into a new store, from which \
            \(.presetExport, "-d", "NEW") exports relays and servers.
            """
            : "\(.presetExport) exports its relays and servers."
        return """
            \(file), or restore both from a backup with \(.restore, "FOLDER"). Without either, the keys and queues of all \
            connections are lost, and messages that were not delivered yet. The chat database still has profiles, \
            contacts, groups and messages: commands that list rows, and \(.query, "SQL"), read it. \(rest) \
            docs/support.md, "A lost database", has the commands that add a new agent database to it. After that, \
            commands can change the store, and contacts and members have to connect again.
            """
    }

    private static func ofChat(_ file: Hint) -> Hint {
        """
        \(file), or restore both from a backup with \(.restore, "FOLDER"). Without either, all profiles, contacts, groups \
        and messages are lost: the agent database has keys and queues, and nothing makes chats of them. Keep its \
        file: the other one may be found. \(.migrateRun, "-d", "NEW") creates a new, empty store.
        """
    }
}
