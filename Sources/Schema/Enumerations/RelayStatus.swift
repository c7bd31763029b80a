/// How far a relay of a channel is. Rule: docs/domain.md, "Group relays".
public enum RelayStatus: StoredText {
    /// Chosen, not asked yet.
    case new
    /// Asked to relay the channel.
    case invited
    /// It agreed and gave its link.
    case accepted
    /// It agreed and has the list of members.
    case acknowledgedRoster
    /// It relays the channel.
    case active
    /// It has left or been removed.
    case inactive
    /// It refused.
    case rejected
    /// A text from a newer app, kept.
    case unknown(String)

    /// In the order a relay goes through them; the two ends last.
    public static let known: [RelayStatus] = [
        .new, .invited, .accepted, .acknowledgedRoster, .active, .inactive, .rejected,
    ]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .new: "new"
        case .invited: "invited"
        case .accepted: "accepted"
        case .acknowledgedRoster: "acknowledged_roster"
        case .active: "active"
        case .inactive: "inactive"
        case .rejected: "rejected"
        case .unknown(let text): text
        }
    }

    /// What people read; a text from a newer app as it is.
    public var shownName: String {
        switch self {
        case .new: "New"
        case .invited: "Connecting"
        case .accepted, .acknowledgedRoster: "Accepted"
        case .active: "Active"
        case .inactive: "Inactive"
        case .rejected: "Rejected"
        case .unknown(let text): text
        }
    }

    /// Whether a channel may publish the relay, as far as the status goes; its member must be connected too.
    public var isPublishable: Bool {
        switch self {
        case .accepted, .acknowledgedRoster, .active: true
        case .new, .invited, .inactive, .rejected, .unknown: false
        }
    }

    /// Whether the step is allowed. Steps go forward only; staying where one is, is no step.
    ///
    /// A relay whose status is from a newer app can still become inactive, which is the one step that any
    /// status but `rejected` allows. Rule: docs/domain.md, "Group relays".
    public func canBecome(_ next: RelayStatus) -> Bool {
        switch (self, next) {
        case (.new, .invited),
            (.invited, .accepted), (.invited, .rejected),
            (.accepted, .acknowledgedRoster), (.accepted, .active),
            (.acknowledgedRoster, .active):
            true
        case (.inactive, .inactive), (.rejected, .inactive): false
        case (_, .inactive): true
        default: false
        }
    }
}
