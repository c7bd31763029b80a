import ChatDBKit

extension Hint {
    /// The same text about one row: in its commands the numbers of the row stand for the words in capitals.
    func naming(_ row: FoundRow) -> Hint {
        Hint(
            parts.map { part in
                guard case .command(let command) = part else { return part }
                return .command(
                    HintedCommand(command.name, command.arguments.map { row.value(of: $0, in: command.name) }))
            })
    }
}

extension Finding {
    /// What several relays or members of channels have in common: the profile and the channel. It is nil for other
    /// rows, and if not all rows are known.
    var commonRow: FoundRow? {
        guard let first = rows.first, rows.count == count,
            rows.allSatisfy({ ["group_relays", "group_members"].contains($0.table) })
        else { return nil }
        let (users, groups) = (Set(rows.map(\.userID)), Set(rows.map(\.groupID)))
        return FoundRow(
            "group_members", 0, of: users.count == 1 ? first.userID : nil,
            group: groups.count == 1 ? first.groupID : nil)
    }
}

extension FoundRow {
    /// The number that stands for a word in capitals in a command: `id:3`. A word that the row does not tell stays.
    fileprivate func value(of word: String, in command: CommandName) -> String {
        let number: Int64? =
            switch word {
            case "USER": userID
            case "GROUP": groupID
            case "RELAY": relay(in: command)
            case "SERVER": table == "protocol_servers" ? row : nil
            default: nil
            }
        return number.map { "id:\($0)" } ?? word
    }

    /// The number by which a command knows the relay. Only `group relay add` takes a relay of the profile's list; the
    /// other commands for a channel take the row of the channel.
    private func relay(in command: CommandName) -> Int64? {
        switch table {
        case "chat_relays": row
        case "group_relays": command == .groupRelayAdd ? chatRelayID : row
        case "connections": command == .groupRelayAdd ? ownRelay?.chatRelayID : ownRelay?.row
        default: nil
        }
    }
}
