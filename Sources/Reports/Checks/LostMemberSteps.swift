import ChatDBKit

/// The steps for relays that are only members of their channels, because their rows are lost. Each step gives such a
/// relay a row again, or ends its old membership. Rule: docs/domain.md, "Group relays", Lost rows.
enum LostMemberSteps {
    /// The remedy for members without a row, without the numbers of channels.
    static let general: Hint = """
        The channel no longer knows the status of such a relay. \(.restore, "FOLDER") restores a backup from before the \
        loss. Without one, \(.groupMembers, "GROUP", "--user", "USER") shows the relay with the name of its member. \
        \(add) adds it again, and ends the old membership. If the profile has lost the relay too, or the channel no \
        longer needs it, \(.groupRelayRemove, "GROUP", "member:N", "--user", "USER") ends the membership of the member N.
        """

    /// The remedy for members without a row in channels that have rows of other relays. It is nil for another finding,
    /// and for one that does not name all members.
    static func remedy(for finding: Finding, in location: StoreLocation) -> Hint? {
        guard finding.id == "relayMemberWithoutRow", finding.rows.count == finding.count,
            finding.rows.allSatisfy({ !$0.lostMembers.isEmpty })
        else { return nil }
        let first: Hint = """
            The channel no longer knows the status of such a relay. \(backup(in: location, finding.rows))
            """
        return first.with(lines: lines(finding.rows, needsRelay: false))
    }

    /// The way to the lost rows in a backup, and the beginning of the way without them: sentences.
    static func backup(in location: StoreLocation, _ rows: [FoundRow]) -> Hint {
        let names: Hint = "\(.groupList, "--user", "USER")"
        let steps: Hint = "follow the steps of each channel; \(names.naming(rows)) shows the names of the channels."
        if !location.backupsPath.isEmpty, !location.hasBackups {
            return "There is no backup in \(ShownPaths.text(location.backupsPath)). Without another backup, \(steps)"
        }
        return """
            \(.backupList) lists the backups. Only one that was made before the loss has these rows, and \
            \(.restore, "FOLDER") restores it. If all are younger, restore none, and \(steps)
            """
    }

    /// The lines of the steps: for each channel its number, and then its steps.
    ///
    /// - Parameter needsRelay: whether the channels have no row of any relay, so that they need at least one.
    static func lines(_ rows: [FoundRow], needsRelay: Bool) -> [Hint] {
        ChannelSteps.lines(
            rows,
            steps: { ofChannel in
                steps(for: ofChannel.flatMap(\.lostMembers), needsRelay: needsRelay).map { $0.naming(ofChannel[0]) }
            })
    }

    /// The steps for the members of one channel.
    private static func steps(for members: [LostMember], needsRelay: Bool) -> [Hint] {
        var steps: [Hint] = []
        var added: Set<Int64> = []
        for member in members {
            guard let relay = member.relay, added.insert(relay).inserted else { continue }
            // Adding the relay ends the memberships of all of them.
            let same = members.filter { $0.relay == relay }
            let isOne = same.count == 1
            let names = Self.names(of: same)
            if !member.isEnabled {
                steps.append("Enable the relay of \(names): \(.relayEnable, "id:\(relay)", "--user", "USER").")
            }
            steps.append(
                """
                Add the relay of \(names) again, which ends \(isOne ? "its old membership" : "their old memberships"): \
                \(.groupRelayAdd, "GROUP", "id:\(relay)", "--user", "USER"). If the channel no longer needs this relay, \
                end \(isOne ? "the membership" : "the memberships") instead: \(removals(same)).
                """)
        }
        let unknown = members.filter { $0.relay == nil }
        if unknown.isEmpty { return steps }
        let names = Self.names(of: unknown)
        let lead: Hint =
            needsRelay && added.isEmpty
            ? "Add a relay to the channel: \(add)."
            : "If the channel is to keep the relay of \(names), or needs another one, add that: \(add)."
        steps.append(
            """
            \(lead) The relay of \(names) may have another name now, or its operator is off \
            (\(.operatorEnable, "OPERATOR")). \(RelayChoice.sentences)
            """)
        let unless = unknown.count == 1 ? "the step before has ended it" : "that step has ended it"
        let ends = unknown.map { member -> Hint in
            "End the membership of member \(member.member), unless \(unless): \(removals([member]))."
        }
        return steps + ends
    }

    private static func names(of members: [LostMember]) -> String {
        "member\(members.count == 1 ? "" : "s") " + members.map { "\($0.member)" }.joined(separator: " and ")
    }

    /// The commands that end memberships, one for each.
    private static func removals(_ members: [LostMember]) -> Hint {
        let commands = members.map { member -> Hint in
            "\(.groupRelayRemove, "GROUP", "member:\(member.member)", "--user", "USER")"
        }
        return commands.dropFirst().reduce(commands.first ?? "") { "\($0), then \($1)" }
    }

    private static let add: Hint = "\(.groupRelayAdd, "GROUP", "RELAY", "--user", "USER")"
}
