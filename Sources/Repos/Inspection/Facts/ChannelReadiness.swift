public import ChatDBSchema

/// Whether a profile can create a channel now, and what keeps its relays from being chosen.
/// Rule: docs/domain.md, "Choosing relays".
public struct ChannelReadiness: Sendable, Hashable {
    /// Relays that a new channel may choose.
    public let choosable: Int
    /// Relays of these whose last test failed.
    public let failedTest: Int
    /// Relays that are switched off.
    public let disabled: Int
    /// Relays that are switched on, of operators that are not.
    public let operatorOff: Int
    /// The trade names of these operators, in their order.
    public let operatorsOff: [String]
    /// Soft-deleted relays, which their channels still use.
    public let deleted: Int

    /// Whether there is a relay to choose.
    public var isPossible: Bool { choosable > 0 }

    /// What keeps relays from being chosen, a clause each; empty when all can be.
    public var reasons: [String] {
        var reasons: [String] = []
        if choosable + disabled + operatorOff + deleted == 0 { reasons.append("the profile has no relays") }
        if disabled > 0 { reasons.append("\(disabled) disabled") }
        if operatorOff > 0 {
            reasons.append("\(operatorOff) of an operator that is off (\(operatorsOff.joined(separator: ", ")))")
        }
        if deleted > 0 { reasons.append("\(deleted) soft-deleted") }
        if failedTest > 0 { reasons.append("\(failedTest) to choose failed the last test") }
        return reasons
    }

    /// Looks at the relays of one profile, soft-deleted ones too.
    public init(relays: [ChatRelay], among operators: [ServerOperator]) {
        let kept = relays.filter { !$0.isDeleted }
        let enabled = kept.filter(\.isEnabled)
        let usable = enabled.filter { operators.owner(of: $0)?.isEnabled != false }
        choosable = usable.count
        failedTest = usable.count { $0.tested == false }
        disabled = kept.count - enabled.count
        operatorOff = enabled.count - usable.count
        let off = Set(
            enabled.compactMap { relay in operators.owner(of: relay).flatMap { $0.isEnabled ? nil : $0.id } })
        operatorsOff = operators.filter { off.contains($0.id) }.map(\.tradeName)
        deleted = relays.count - kept.count
    }
}
