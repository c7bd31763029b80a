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
