/// How many rows a page has. Rule: docs/repositories.md, "Pages".
public enum PageSize {
    /// As many as a page has at most, whatever was asked for: enough for every screen, and a bound of what is in memory.
    public static let largest = 10_000

    /// What was asked for, from 0.
    static func upTo(_ given: Int) -> Int { max(0, min(given, largest)) }

    /// What was asked for, from 1: a page of none would never lead to the next.
    static func atLeastOne(_ given: Int) -> Int { max(1, min(given, largest)) }
}
