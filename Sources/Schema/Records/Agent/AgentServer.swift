/// A message server (SMP) with queues or work of any of the profiles.
public struct AgentServer: Sendable, Hashable {
    /// Host and port.
    public let id: AgentServerID
    /// The hash of its certificate, base64url with padding.
    public let keyHash: String

    package init(id: AgentServerID, keyHash: String) {
        self.id = id
        self.keyHash = keyHash
    }
}
