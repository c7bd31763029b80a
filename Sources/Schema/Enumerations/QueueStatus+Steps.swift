extension QueueStatus {
    /// Whether a queue may go from this status to another: forward, also over some between, or nowhere. Of a status
    /// this build does not know it knows no way. Rule: docs/domain.md, "Agent database", Queues.
    public func mayBecome(_ next: QueueStatus) -> Bool {
        if self == next { return true }
        guard let from = Self.known.firstIndex(of: self), let to = Self.known.firstIndex(of: next) else { return false }
        return from < to
    }
}
