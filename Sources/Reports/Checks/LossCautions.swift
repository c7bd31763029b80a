package import ChatDBKit

/// The remedies for findings that may only follow from lost rows. Their own remedies advise deletions, which would
/// remove what the loss has left, or give another cause.
package enum LossCautions {
    /// The findings whose remedies advise to delete chats, groups, channels or rows of relays, or give another cause.
    static let ids: Set<String> = [
        "groupWithoutOwnMember", "groupRelayWithoutMember", "groupRelayOfOtherProfile", "acceptedRelayWithoutLink",
        "groupRelayWithoutConnection", "strayOwnContact",
        "unknownRelayStatus", "unfinishedChannel", "duplicateGroup", "unreadInDeletedChat", "blockedDeletion",
    ]

    /// The id of the finding which shows that the chat database lost rows. It is nil if no finding shows that.
    static func sign(in findings: [Finding]) -> String? {
        findings.first { finding in
            switch finding.id {
            case "chatDanglingReference", StoreCheck.schemaMissing(.chat): true
            // One finding is about both databases.
            case StoreCheck.lostMigrations: finding.sample.contains { $0.description.hasPrefix("chat: ") }
            default: false
            }
        }?.id
    }

    /// The remedy for a finding of a store that lost rows. It is nil for a finding whose own remedy deletes nothing,
    /// and for a store without a sign of a loss.
    package static func remedy(
        for finding: Finding, among findings: [Finding], in kind: FoundDatabase.Kind
    ) -> Hint? {
        guard ids.contains(finding.id) || OwnRelayRemedy(finding)?.removesRelays == true,
            let sign = sign(in: findings)
        else { return nil }
        let backup: Hint =
            kind == .simplex
            ? "To have them again, \(Remedies.olderArchive)."
            : "\(.restore, "FOLDER") restores a backup from before the loss."
        return """
            The chat database lost rows (\(sign)), and these findings may follow from that. \(backup) Delete nothing \
            because of them: what is left would be lost too.
            """
    }

    /// The remedy instead of one whose commands refuse the store: its list of migrations is not one that this build
    /// knows, the store has only one database, or its two databases are not of one store. It is nil if all commands of the remedy accept the store.
    static func remedy(
        insteadOf remedy: Hint, among findings: [Finding], in kind: FoundDatabase.Kind
    ) -> Hint? {
        guard kind == .chatdb else { return nil }
        let refusing = remedy.commands.filter { !ofAnyVersion.contains($0.name) || $0.arguments.contains("--fix") }
        func first(of ids: [String]) -> String? { findings.first { ids.contains($0.id) }?.id }
        if let cause = first(of: [StoreCheck.missingDatabase, StoreCheck.unreadableDatabase]),
            refusing.contains(where: { !ofOneDatabase.contains($0.name) })
        {
            return """
                chatdb changes only a store that has both databases: see \(cause) first. Until then, \
                \(.query, "SQL") reads the rows.
                """
        }
        if let cause = first(of: mismatches), !refusing.isEmpty {
            return "chatdb changes only a store whose two databases belong together: see \(cause) first."
        }
        guard let cause = first(of: [StoreCheck.lostMigrations, StoreCheck.otherHistory]), !refusing.isEmpty else {
            return nil
        }
        return """
            chatdb changes nothing in a store whose list of migrations lacks rows or has unknown ones: see \(cause) \
            first. Until then, \(.query, "SQL") reads the rows.
            """
    }

    /// The findings that the two databases are not of one store.
    private static let mismatches = [
        StoreCheck.mismatchedPair, StoreCheck.exchangedFiles, StoreCheck.copiedDatabase, StoreCheck.foreignPair,
    ]

    /// Commands that accept a store of any version.
    private static let ofAnyVersion: Set<CommandName> = [
        .inspect, .check, .diagnose, .query, .find, .restore, .salvage, .schemaDump, .schemaDiff, .migrateStatus,
        .bundleWrite, .backupMake, .backupList, .backupVerify, .migrateBaseline,
    ]

    /// The other commands that a store of one database accepts.
    private static let ofOneDatabase: Set<CommandName> = [
        .userList, .operatorList, .serverList, .relayList, .relayUsage, .groupList, .groupShow, .groupMembers,
        .groupRelays, .contactList, .contactShow, .settingsGet,
    ]
}
