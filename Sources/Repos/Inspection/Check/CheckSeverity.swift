/// The severity of a finding, the most severe first.
public enum CheckSeverity: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// Something does not work, or will not: the store is not in order.
    case error
    /// Something is not as it should be, and nothing fails by it yet.
    case warning
    /// A leftover, of which it is enough to know.
    case info

    /// The worst first.
    public static func < (left: Self, right: Self) -> Bool {
        let order = allCases
        return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
    }
}
