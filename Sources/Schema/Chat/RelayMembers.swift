/// A relay of a channel as the store of a subscriber has it: a member, which serves the channel at a link, and the
/// connection to it. Rule: docs/domain.md, "Relays of a subscriber".
public struct RelayMember: Sendable, Hashable {
    /// How far the profile has come with the relay.
    public enum State: Sendable, Hashable {
        /// The profile is joining the channel through the relay.
        case connecting
        /// The profile is connected: the relay forwards the channel to it.
        case active
        /// Joining failed, or the relay or the connection is gone.
        case failed(reason: String)

        /// The word for programs: `connecting`, `active` or `failed`.
        public var text: String {
            switch self {
            case .connecting: "connecting"
            case .active: "active"
            case .failed: "failed"
            }
        }

        /// The reason of a failure, as the app or the connection gave it; nil in the other states.
        public var reason: String? { if case .failed(let reason) = self { reason } else { nil } }
    }

    /// The member.
    public let member: GroupMember
    /// The status of the newest connection to it; nil before there is one.
    public let connection: ConnectionStatus?
    /// The reason why joining through it failed, as the app gave it; nil if it did not.
    public let failure: String?

    package init(member: GroupMember, connection: ConnectionStatus?, failure: String?) {
        self.member = member
        self.connection = connection
        self.failure = failure
    }

    /// The link at which the relay serves the channel; nil if the store does not have it.
    public var link: String? { member.relayLink }

    /// The host of the link; nil without one.
    public var host: String? { link.map(linkHost) }

    /// The state, which follows from the reason of a failure, the membership and the connection, in this order.
    public var state: State {
        if let failure { return .failed(reason: failure) }
        if member.status.isHistory { return .failed(reason: member.status.text) }
        switch connection {
        case .failed(let reason): return .failed(reason: reason.isEmpty ? "failed" : reason)
        case .deleted: return .failed(reason: "deleted")
        default: return member.status.isConnected ? .active : .connecting
        }
    }
}
