import ChatDBKit

/// What a profile has of one operator, or of its own.
struct OwnedThings {
    /// Nil for the profile's own.
    let owner: ServerOperator?
    let relays: [RelayRow]
    let servers: [ProtocolServer]

    /// By operator, in their order, and the profile's own last; nothing of an operator is left out. Nil when servers or
    /// relays could not be read.
    static func all(of profile: InspectContents.Profile, among operators: [ServerOperator]) -> [OwnedThings]? {
        guard let relays = profile.relays, let servers = profile.servers else { return nil }
        let relaysByOwner = Dictionary(grouping: relays) { operators.owner(of: $0.relay)?.id }
        let serversByOwner = Dictionary(grouping: servers) { operators.owner(of: $0)?.id }
        return (operators.map(Optional.some) + [nil]).compactMap { owner in
            let things = OwnedThings(
                owner: owner, relays: relaysByOwner[owner?.id] ?? [], servers: serversByOwner[owner?.id] ?? [])
            return things.relays.isEmpty && things.servers.isEmpty ? nil : things
        }
    }

    func servers(_ kind: ServerProtocol) -> [ProtocolServer] { servers.filter { $0.serverProtocol == kind } }

    func json(of user: User) -> JSONValue {
        [
            "userId": .integer(user.id.rawValue), "operatorId": JSONValue(owner?.id.rawValue),
            "operator": JSONValue(owner?.tradeName), "operatorEnabled": JSONValue(owner?.isEnabled),
            "relays": InspectContents.Profile.counts(relays.map(\.relay.isEnabled)),
            "smpServers": InspectContents.Profile.counts(servers(.smp).map(\.isEnabled)),
            "xftpServers": InspectContents.Profile.counts(servers(.xftp).map(\.isEnabled)),
        ]
    }
}
