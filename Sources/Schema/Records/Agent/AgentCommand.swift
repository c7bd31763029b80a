/// An act on a connection that a server has not completed yet.
/// Rule: docs/domain.md, "Agent database", Commands.
public struct AgentCommand: Sendable, Hashable {
    /// Its number, which is its place in the work of its server.
    public let id: AgentCommandID
    /// The connection it is for.
    public let connectionID: AgentConnectionID
    /// Where it is done; nil when it needs no server.
    public let server: AgentServerID?
    /// Under which the app waits for the outcome.
    public let correlationID: CorrelationID
    /// What kind of command it is.
    public let tag: String
    /// The command, encoded, with its keys.
    public let command: SecretBytes
    /// Whether it will not be tried again.
    public let isFailed: Bool

    package init(
        id: AgentCommandID, connectionID: AgentConnectionID, server: AgentServerID?, correlationID: CorrelationID,
        tag: String, command: SecretBytes, isFailed: Bool
    ) {
        self.id = id
        self.connectionID = connectionID
        self.server = server
        self.correlationID = correlationID
        self.tag = tag
        self.command = command
        self.isFailed = isFailed
    }
}
