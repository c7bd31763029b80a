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
        let isForGood = findings.contains { $0.id == sign && LostRowsRemedy.isForGood($0, in: kind) }
        // The remedy of the loss of these members alone takes the same relays out.
        if kind == .chatdb, LostRelayAdvice.isOfSameMembers(finding, among: findings) {
            return "\(sign) is about the same relays: first follow its remedy, and then check again."
        }
        let backup: Hint =
            kind == .simplex
            ? "To have them again, \(Remedies.olderArchive)."
            : "\(.restore, "FOLDER") restores a backup from before the loss."
        let loss =
            sign == StoreCheck.schemaMissing(.chat) ? "lost tables or columns with their values" : "lost rows"
        let first: Hint = "The chat database \(loss) (\(sign)), and these findings may follow from that. \(backup)"
        if isForGood {
            return """
                \(first) Without one, the rows do not come back, and these findings may stay: see \(sign). Delete nothing \
                because of them: what is left would be lost too.
                """
        }
        return """
            \(first) Without one, first follow the remedy of \(sign), and then check again. Delete nothing because of \
            them before that: what is left would be lost too.
            """
    }

    /// The remedy instead of one whose commands refuse the store: its list of migrations is not one that this build
    /// knows, the store has only one database, or its two databases are not of one store. It is nil if all commands of
    /// the remedy accept the store.
    static func remedy(
        insteadOf remedy: Hint, for finding: Finding, among findings: [Finding], in kind: FoundDatabase.Kind
    ) -> Hint? {
        guard kind == .chatdb else { return nil }
        func isRefused(besides others: Set<CommandName>) -> Bool {
            remedy.commands.contains { command in
                !ofAnyStore.union(others).contains(command.name) || command.arguments.contains("--fix")
            }
        }
        func first(of ids: [String]) -> Finding? { findings.first { ids.contains($0.id) } }
        if let cause = first(of: [StoreCheck.missingDatabase, StoreCheck.unreadableDatabase]) {
            let hasChat = !cause.sample.contains { $0.description == DatabaseName.chat.rawValue }
            if isRefused(besides: hasChat ? ofOneDatabase.union(listsOfChat) : ofOneDatabase) {
                return """
                    chatdb changes only a store that has both databases: see \(cause.id) first. Until then, \
                    \(.query, "SQL") reads the rows.
                    """
            }
        }
        if let cause = first(of: mismatches)?.id, !mismatches.contains(finding.id),
            isRefused(besides: cause == StoreCheck.mismatchedPair ? [.restore] : [])
        {
            return """
                The commands for that accept only a store whose two databases belong together: see \(cause) first.
                """
        }
        guard let cause = first(of: [StoreCheck.lostMigrations, StoreCheck.otherHistory])?.id,
            isRefused(besides: [.restore, .migrateBaseline])
        else { return nil }
        return """
            chatdb changes nothing in a store whose list of migrations lacks rows or has unknown ones: see \(cause) \
            first. Until then, \(.query, "SQL") reads the rows.
            """
    }

    /// The findings that the two databases are not of one store.
    private static let mismatches = [
        StoreCheck.mismatchedPair, StoreCheck.exchangedFiles, StoreCheck.copiedDatabase, StoreCheck.foreignPair,
    ]

    /// Commands that accept a store of any version, with one database, and with two that do not belong together
    /// (*measured* for each of them).
    package static let ofAnyStore: Set<CommandName> = [
        .inspect, .check, .diagnose, .query, .find, .salvage, .schemaDump, .migrateStatus, .bundleWrite, .backupMake,
        .backupList, .backupVerify,
    ]

    /// The other commands that a store of one database accepts, whichever it is.
    package static let ofOneDatabase: Set<CommandName> = [.restore, .schemaDiff]

    /// The commands that a store without its agent database accepts too.
    package static let listsOfChat: Set<CommandName> = [
        .userList, .operatorList, .serverList, .relayList, .relayUsage, .groupList, .groupShow, .groupMembers,
        .groupRelays, .contactList, .contactShow, .settingsGet,
    ]
}
