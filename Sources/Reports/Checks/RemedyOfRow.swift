import ChatDBKit

extension Hint {
    /// The same text about one row: in its commands the numbers of the row stand for the words in capitals.
    func naming(_ row: FoundRow) -> Hint { replacing { row.value(of: $0) } }

    /// The same text about several rows. The numbers that all of them have stand for the words in capitals. If more than
    /// one word stays, a sentence has the numbers of the first rows, so that a reader sees which belong together.
    func naming(_ rows: [FoundRow]) -> Hint {
        let words = Set(commands.flatMap(\.arguments)).filter { word in rows.contains { $0.value(of: word) != nil } }
        let differing = words.filter { word in Set(rows.map { $0.value(of: word) }).count > 1 }.sorted()
        let named = replacing { differing.contains($0) ? nil : rows.first?.value(of: $0) }
        if differing.count < 2 { return named }
        let values = rows.prefix(Self.mostRows).map { row in
            differing.compactMap { word in row.value(of: word).map { "\(word) \($0)" } }.joined(separator: ", ")
        }.filter { !$0.isEmpty }
        let more = rows.count > Self.mostRows ? "; …" : ""
        return "\(named) Use these values together: \(values.joined(separator: "; "))\(more)."
    }

    /// The number of rows whose numbers a remedy has.
    private static let mostRows = 5

    /// The same text with other words in the arguments of its commands; nil keeps a word.
    private func replacing(_ value: (String) -> String?) -> Hint {
        Hint(
            parts.map { part in
                guard case .command(let command) = part else { return part }
                return .command(command.with(arguments: command.arguments.map { value($0) ?? $0 }))
            })
    }
}

extension FoundRow {
    /// The number that stands for a word in capitals in a command: `id:3`, or `row:3` for a row of a channel. It is nil
    /// for a word that the row does not tell.
    fileprivate func value(of word: String) -> String? {
        switch word {
        case "USER": userID.map { "id:\($0)" }
        case "GROUP": groupID.map { "id:\($0)" }
        case "RELAY": listedRelay.map { "id:\($0)" }
        case "ROW": rowOfChannel.map { "row:\($0)" }
        case "SERVER": table == "protocol_servers" ? "id:\(row)" : nil
        default: nil
        }
    }

    /// The relay in the list of the profile.
    private var listedRelay: Int64? {
        switch table {
        case "chat_relays": row
        case "group_relays", "groups": chatRelayID
        case "connections": ownRelay?.chatRelayID
        default: nil
        }
    }

    /// The row of the relay in its channel.
    private var rowOfChannel: Int64? { table == "group_relays" ? row : ownRelay?.row }
}

/// The advice about rows of hidden profiles, whose numbers no finding has.
enum HiddenRows {
    /// A remedy. If a command needs the profile of a row, and a row of the finding has no profile that the finding
    /// shows, a sentence says how a command names a hidden profile.
    static func named(in remedy: Hint, for finding: Finding) -> Hint {
        // The profile to activate is a visible one.
        let isUnnamed = remedy.commands.contains { $0.name != .userActivate && $0.arguments.contains("USER") }
        let hasUnnamed = finding.rows.contains { $0.userID == nil } || finding.rows.count < finding.count
        guard isUnnamed, hasUnnamed else { return remedy }
        let lines = remedy.lines
        let first: Hint = "\(lines[0]) \(advice(for: remedy))"
        return first.with(lines: Array(lines.dropFirst()))
    }

    private static func advice(for remedy: Hint) -> Hint {
        let isOption = remedy.commands.contains { $0.arguments.contains("--user") }
        let option = isOption ? "the commands with --user take --user id:N --show-hidden" : "USER is id:N --show-hidden"
        return """
            If a finding is about a hidden profile, \(.userList, "--show-hidden") shows its number N; \(option).
            """
    }
}
