/// What one profile has of one operator, or of none: SimpleX Chat's `UserOperatorServers`.
/// Rule: docs/domain.md, "Operators and servers", Whose is it?
public struct UserOperatorServers: Sendable, Hashable {
    /// The operator; nil for what is the user's own.
    public let `operator`: ServerOperator?
    /// Its SMP servers, in the order given.
    public let smpServers: [ProtocolServer]
    /// Its XFTP servers, in the order given.
    public let xftpServers: [ProtocolServer]
    /// Its relays, in the order given.
    public let chatRelays: [ChatRelay]

    package init(
        operator: ServerOperator?, smpServers: [ProtocolServer], xftpServers: [ProtocolServer],
        chatRelays: [ChatRelay]
    ) {
        self.operator = `operator`
        self.smpServers = smpServers
        self.xftpServers = xftpServers
        self.chatRelays = chatRelays
    }

    /// Its servers of one protocol.
    public func servers(_ serverProtocol: ServerProtocol) -> [ProtocolServer] {
        switch serverProtocol {
        case .smp: smpServers
        case .xftp: xftpServers
        }
    }

    /// Whether what is in the group may be used: an operator that is off is off for every profile; the user's own is on.
    public var isOn: Bool { `operator`?.isEnabled ?? true }

    /// Groups what a profile has: one group for each operator, in their order, also for one with nothing, then always
    /// one for what is the user's own. Each server and relay is in exactly one.
    public static func grouped(
        _ operators: [ServerOperator], servers: [ProtocolServer], relays: [ChatRelay]
    ) -> [UserOperatorServers] {
        let serversByOwner = Dictionary(grouping: servers) { operators.owner(of: $0)?.id }
        let relaysByOwner = Dictionary(grouping: relays) { operators.owner(of: $0)?.id }
        return (operators.map(Optional.some) + [nil]).map { owner in
            let own = serversByOwner[owner?.id] ?? []
            return UserOperatorServers(
                operator: owner, smpServers: own.filter { $0.serverProtocol == .smp },
                xftpServers: own.filter { $0.serverProtocol == .xftp },
                chatRelays: relaysByOwner[owner?.id] ?? [])
        }
    }
}
