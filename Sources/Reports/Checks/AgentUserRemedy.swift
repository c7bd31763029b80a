import ChatDBKit

/// The remedy for agent users without a profile that have connections in use. A crash after the deletion of a profile
/// leaves such users. An older chat database beside a newer agent database has them too, and there the agent database
/// has the keys of a profile that somebody uses.
enum AgentUserRemedy {
    /// Nil for another finding, and for agent users without such connections.
    static func remedy(for finding: Finding, in kind: FoundDatabase.Kind) -> Hint? {
        guard finding.id == "agentProfileWithoutProfile", finding.detail != nil else { return nil }
        let backup: Hint =
            kind == .simplex
            ? "Without it, \(Remedies.olderArchive)."
            : "Without it, \(.backupList) lists the backups, and \(.restore, "FOLDER") restores both files from one."
        return """
            The file of the chat database is older than the agent's, or it lost the rows of a profile with its chats. \
            Do not start an app with these files, and copy both to another place now: the agent database has the keys \
            of the connections. Look for the chat's file of the same time first. \(backup) chatdb does not mark \
            connections in use as deleted. Only if the profile was meant to be deleted, and a crash interrupted that, \
            no action is needed.
            """
    }
}
