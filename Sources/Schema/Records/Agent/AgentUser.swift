/// A profile as the agent database has it: a number. Rule: docs/domain.md, "Agent database", Profiles.
public struct AgentUser: Sendable, Hashable {
    /// Its number, never given twice.
    public let id: AgentUserID
    /// Whether its connections are being deleted at their servers.
    public let isDeleted: Bool

    package init(id: AgentUserID, isDeleted: Bool) {
        self.id = id
        self.isDeleted = isDeleted
    }
}
