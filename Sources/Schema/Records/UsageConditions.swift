/// A version of the conditions of use, which hold for all operators. Rule: docs/domain.md, "Conditions of use".
public struct UsageConditions: Sendable, Hashable {
    /// Its number; the highest is the current version.
    public let id: UsageConditionsID
    /// The commit by which the text of this version is known.
    public let commit: String
    /// When the user was told of it; nil when not yet.
    public let notifiedAt: StoredTime?
    /// When the store came to know it.
    public let createdAt: StoredTime

    package init(id: UsageConditionsID, commit: String, notifiedAt: StoredTime?, createdAt: StoredTime) {
        self.id = id
        self.commit = commit
        self.notifiedAt = notifiedAt
        self.createdAt = createdAt
    }
}

/// Whether the conditions of use are accepted for one operator. Rule: docs/domain.md, "Conditions of use".
public enum ConditionsAcceptance: Sendable, Hashable {
    /// The current conditions are.
    case accepted(at: StoredTime?, isAutomatic: Bool)
    /// They are not: from the deadline on its servers are not to be used; nil is now.
    case required(deadline: StoredTime?)

    /// Whether the current conditions are accepted.
    public var isAccepted: Bool {
        if case .accepted = self { true } else { false }
    }
}
