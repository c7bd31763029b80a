import ChatDBKit

/// The steps for relays that are only members of their channels, because their rows are lost. Each step gives such a
/// relay a row again, or ends its old membership. Rule: docs/domain.md, "Group relays", Lost rows.
enum LostMemberSteps {
    /// The number of channels whose steps a remedy has.
    private static let mostChannels = 5

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
            The channel no longer knows the status of such a relay: \(backup(in: location, finding.rows))
            """
        return first.with(lines: lines(finding.rows, needsRelay: false))
    }

    /// The way to the lost rows in a backup, and the beginning of the way without them: a clause and a sentence.
    static func backup(in location: StoreLocation, _ rows: [FoundRow]) -> Hint {
        let names: Hint = "\(.groupList, "--user", "USER")"
        let steps: Hint = "follow the steps of each channel; \(names.naming(rows)) shows the names of the channels."
        if !location.backupsPath.isEmpty, !location.hasBackups {
            return "there is no backup in \(ShownPaths.text(location.backupsPath)). Without another backup, \(steps)"
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
        let channels = Dictionary(grouping: rows, by: \.groupID).values
            .sorted { ($0[0].groupID ?? 0) < ($1[0].groupID ?? 0) }
        let rest = channels.count - mostChannels
        let word = rest == 1 ? "channel" : "channels"
        let more: [Hint] = rest > 0 ? ["For \(rest) more \(word): check again after these steps."] : []
        return channels.prefix(mostChannels).flatMap { steps(of: $0, needsRelay: needsRelay) } + more
    }

    /// A line with the channel, and then the steps for it.
    private static func steps(of rows: [FoundRow], needsRelay: Bool) -> [Hint] {
        let row = rows[0]
        let members = rows.flatMap(\.lostMembers)
        let known = members.filter { $0.relay != nil }
        var steps: [Hint] = []
        var added: Set<Int64> = []
        for member in known {
            guard let relay = member.relay, added.insert(relay).inserted else { continue }
            if !member.isEnabled {
                steps.append(
                    "Enable the relay of member \(member.member): \(.relayEnable, "id:\(relay)", "--user", "USER").")
            }
            steps.append(
                """
                Add the relay of member \(member.member) again, which ends its old membership: \
                \(.groupRelayAdd, "GROUP", "id:\(relay)", "--user", "USER"). If the channel no longer needs this relay, \
                end the membership instead: \(remove(member)).
                """)
        }
        let unknown = members.filter { $0.relay == nil }
        let addsOther = needsRelay && known.isEmpty
        if addsOther { steps.append("Add a relay to the channel: \(add). \(RelayChoice.clause).") }
        let unless = addsOther ? ", unless the step before has ended it" : ""
        for member in unknown {
            steps.append(
                """
                End the membership of member \(member.member)\(unless): \(remove(member)). The profile has no relay of \
                its name that the channel can get.
                """)
        }
        if !unknown.isEmpty, !addsOther {
            steps.append(
                "If such a relay has another name now and the channel is to keep it, add it by this name: \(add).")
        }
        let profile = row.userID.map { " (profile \($0))" } ?? ""
        let channel = row.groupID.map { "Channel id:\($0)" } ?? "A channel"
        let heading: Hint = "\(channel)\(profile):"
        return [heading] + steps.enumerated().map { "\($0 + 1). \($1.naming(row))" }
    }

    private static func remove(_ member: LostMember) -> Hint {
        "\(.groupRelayRemove, "GROUP", "member:\(member.member)", "--user", "USER")"
    }

    private static let add: Hint = "\(.groupRelayAdd, "GROUP", "RELAY", "--user", "USER")"
}
