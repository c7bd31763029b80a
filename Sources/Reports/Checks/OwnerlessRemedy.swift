import ChatDBKit

/// The remedy for connections whose owner is missing too, such as the group member. Nobody can connect them again, and
/// there is no member whom an admin could remove. chatdb does not remove the rows: after a loss, they may be all that
/// is left of their owners.
struct OwnerlessRemedy {
    /// The connections without an owner.
    private let rows: [FoundRow]
    /// Whether they are all connections of the finding.
    let isAll: Bool

    /// Nil for another finding, and for one without such connections.
    init?(_ finding: Finding) {
        guard finding.id == "connectionWithoutAgent" else { return nil }
        rows = finding.rows.filter { $0.missing.contains(FoundRow.owner) }
        isAll = rows.count == finding.count
        if rows.isEmpty { return nil }
    }

    /// The whole remedy.
    ///
    /// - Parameter others: the remedy for the connections that have an owner.
    func remedy(besides others: Hint) -> Hint {
        let isOne = rows.count == 1
        let subject =
            isAll
            ? isOne ? "The owner of this connection" : "The owners of these connections"
            : isOne ? "The owner of \(names)" : "The owners of \(names)"
        let own: Hint = """
            \(subject) (a contact, a member, a link or a file) \(isOne ? "is" : "are") missing too. Nothing uses \
            \(isOne ? "this connection" : "these connections"): \(isOne ? "it does" : "they do") no harm, and no \
            action is needed. A backup from before the loss has the \(isOne ? "owner" : "owners").
            """
        return isAll ? own : "\(others) \(own)"
    }

    /// The remedy for references to missing rows that only such connections have. It is nil for any other finding.
    static func ofReferences(_ finding: Finding, among findings: [Finding]) -> Hint? {
        guard finding.id == "chatDanglingReference", finding.count == finding.sample.count,
            let ownerless = findings.lazy.compactMap({ OwnerlessRemedy($0) }).first
        else { return nil }
        let beginnings = Set(ownerless.rows.map { "connections \($0.row)" })
        let isOnlyOfThese = finding.sample.allSatisfy { sample in
            sample.description.split(separator: ":").first.map { beginnings.contains(String($0)) } == true
        }
        guard isOnlyOfThese else { return nil }
        return """
            Only connections of connectionWithoutAgent refer to these rows, and nothing uses the connections: see \
            there. A backup from before the loss has the rows. Without one, this finding stays.
            """
    }

    /// The connections by number, of many the first ten: `connection 5, connection 7`.
    private var names: String {
        rows.prefix(FoundRows.mostShown).map { "connection \($0.row)" }.joined(separator: ", ")
            + (rows.count > FoundRows.mostShown ? ", …" : "")
    }
}

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

/// The remedy for references to missing names (`display_names`). The entries still have the names, so chatdb can reserve
/// them again.
enum LostNamesRemedy {
    /// The remedy for `chatDanglingReference`; nil for another finding, and if the repair does not apply: it reserves no
    /// name, or chatdb does not write the store.
    static func remedy(for finding: Finding) -> Hint? {
        guard finding.id == "chatDanglingReference", finding.isFixable else { return nil }
        let isOfNames = finding.references.allSatisfy { $0.parent == "display_names" }
        guard isOfNames else {
            let general = Remedies.remedy(for: finding.id, in: .chatdb) ?? ""
            return
                "\(general) Without a backup, \(fix) reserves the lost names again, and leaves the other rows as they are."
        }
        return """
            Names are no longer reserved (display_names), and the entries still have them. \(fix) reserves the names \
            again. If other rows may be lost too, as after a salvage, \(.restore, "FOLDER") restores a backup from \
            before the loss instead.
            """
    }

    private static let fix = HintedCommand(.check, ["--fix"])
}

extension Remedies {
    /// What references to missing rows show, a sentence without its full stop.
    static let lostRows: Hint =
        "Rows that others refer to are missing, as after a salvage, or after another program deleted them"

    /// The remedy for references to missing rows in an adopted database.
    static let ofAdoptedReferences: Hint = """
        \(lostRows). \(.restore, "FOLDER") restores a backup from before the loss. Delete no row because of them: what is \
        left would be lost too. Without a backup, chatdb cannot bring the rows back, and this finding stays.
        """
}
