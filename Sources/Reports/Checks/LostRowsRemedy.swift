import ChatDBKit

/// The end of the remedy for references to missing rows: what the loss means without a backup, if nothing brings some of
/// the rows back. Rule: docs/checks.md, "Rows that stay lost".
enum LostRowsRemedy {
    /// A remedy with this end. It is the same remedy for another finding, and if each loss has another way out.
    static func completed(_ remedy: Hint, for finding: Finding, in kind: FoundDatabase.Kind) -> Hint {
        let lost = forGood(finding, in: kind)
        if lost.isEmpty { return remedy }
        let rows = lost.count == finding.references.count ? "the rows" : "the other rows"
        let copy = kind == .simplex ? "an earlier archive" : "a backup"
        return """
            \(remedy) Without \(copy), chatdb cannot bring \(rows) back, and this finding stays. \
            \(effects(of: lost, finding, in: kind).joined(separator: " ")) Other chats and profiles work as before, and \
            \(.query, "SQL") reads what is left.
            """
    }

    /// Whether nothing but a backup changes a finding of references to missing rows: it has neither steps nor a repair.
    static func isForGood(_ finding: Finding, in kind: FoundDatabase.Kind) -> Bool {
        !forGood(finding, in: kind).isEmpty && !finding.isFixable && !LostRelayAdvice.hasSteps(finding, in: kind)
    }

    /// The references whose missing rows have no other way out than a backup; empty for another finding. Names of
    /// chatdb's own stores are reserved again by a repair, which this version of the store may not allow yet.
    private static func forGood(_ finding: Finding, in kind: FoundDatabase.Kind) -> [DanglingReference] {
        guard Remedies.danglingReferences.contains(finding.id) else { return [] }
        return finding.references.filter { reference in
            if kind == .chatdb, reference.parent == "display_names" { return false }
            let isOfRelay = reference.table == "group_relays"
            return !(isOfRelay && LostRelayAdvice.hasSteps(finding, for: reference.parent, in: kind))
        }
    }

    /// What does not work, a sentence for each kind of loss.
    private static func effects(
        of lost: [DanglingReference], _ finding: Finding, in kind: FoundDatabase.Kind
    ) -> [String] {
        var parents = Set(lost.map(\.parent))
        var sentences: [String] = []
        if finding.id == "chatDanglingReference" {
            if parents.remove("groups") != nil {
                sentences.append(
                    """
                    No list has a lost group or channel, and commands refuse it: only a new one can take its place.
                    """)
            }
            if parents.remove("group_profiles") != nil {
                sentences.append("Lists leave out a group without its profile row, and commands refuse it.")
            }
            if parents.remove("users") != nil {
                let new = kind == .chatdb ? ", and chatdb adds no new profile to the store" : ""
                sentences.append("No command finds a lost profile or its chats\(new).")
            }
        }
        if !parents.isEmpty {
            sentences.append("What lacks one of these rows may be incomplete, or may fail, here and in the app.")
        }
        return sentences
    }
}
