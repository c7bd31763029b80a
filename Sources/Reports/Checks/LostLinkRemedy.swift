import ChatDBKit

/// The remedies for links that are lost, and whose keys are left.
enum LostLinkRemedy {
    /// The remedy for keys that `--fix` keeps.
    static let general: Hint = """
        A key from which no link can be made stays: it may be all that is left of the link. \(.restore, "FOLDER") \
        restores a backup from before the loss. If a group that the profile owns publishes the link, \
        \(.groupSetLink, "GROUP", "LINK", "--user", "USER") stores it, and \
        \(.groupSetLink, "GROUP", "--no-link", "--user", "USER") removes its key.
        """

    /// The remedy for a finding of which `--fix` repairs some rows, or all. It is nil for another one.
    static func remedy(for finding: Finding) -> Hint? {
        guard finding.id == id, finding.isFixable else { return nil }
        return """
            \(HintedCommand(.check, ["--fix"])) writes each link that can be made from its key, with one host and without \
            a port, and removes a key if another group has the link. Then run check again: it says what to do about the \
            keys that stay.
            """
    }

    /// The remedy for `channelWithoutLink` if `--fix` may write the link of a channel. It is nil for another finding.
    static func ofChannels(_ finding: Finding, among findings: [Finding]) -> Hint? {
        guard finding.id == "channelWithoutLink",
            let lost = findings.first(where: { $0.id == id && $0.isFixable })
        else { return nil }
        let groups = Set(lost.rows.compactMap(\.groupID))
        let isAbout = finding.rows.contains { row in row.groupID.map(groups.contains) == true }
        if !isAbout { return nil }
        return "\(id) is about the links of such channels: first follow its remedy, and then check again."
    }

    private static let id = "lostLink"
}
