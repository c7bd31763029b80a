import ChatDBKit

/// The advice about rows of hidden profiles, whose numbers no finding has.
enum HiddenRows {
    /// A remedy. If a command needs the profile of a row, and a row of the finding has no profile that the finding
    /// shows, a sentence says how a command names a hidden profile.
    static func named(in remedy: Hint, for finding: Finding) -> Hint {
        let isUnnamed = remedy.commands.contains { command in
            zip(command.arguments, command.arguments.dropFirst()).contains { $0 == "--user" && $1 == "USER" }
        }
        let hasUnnamed = finding.rows.contains { $0.userID == nil } || finding.rows.count < finding.count
        guard isUnnamed, hasUnnamed else { return remedy }
        let lines = remedy.lines
        let first: Hint = "\(lines[0]) \(advice)"
        return first.with(lines: Array(lines.dropFirst()))
    }

    private static let advice: Hint = """
        If a finding is about a hidden profile, \(.userList, "--show-hidden") shows its number N; the commands with --user \
        take --user id:N --show-hidden.
        """
}
