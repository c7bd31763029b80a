extension AgentReceivedFileStatus {
    /// Whether a file may go from this status to another: forward. A complete file does not fail, and one that failed
    /// goes nowhere. Rule: docs/domain.md, "Agent database", Files.
    public func mayBecome(_ next: AgentReceivedFileStatus) -> Bool {
        self != .complete && isForward(from: self, to: next, in: Self.known)
    }
}

extension AgentSentFileStatus {
    /// Whether a file may go from this status to another: forward. A complete file does not fail, and one that failed
    /// goes nowhere. Rule: docs/domain.md, "Agent database", Files.
    public func mayBecome(_ next: AgentSentFileStatus) -> Bool {
        self != .complete && isForward(from: self, to: next, in: Self.known)
    }
}

private func isForward<Status: Equatable>(from: Status, to: Status, in order: [Status]) -> Bool {
    guard let from = order.firstIndex(of: from), let to = order.firstIndex(of: to) else { return false }
    return from < to
}
