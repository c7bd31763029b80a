public import ChatDBSchema

/// Where the operators stand with the conditions of use. Rule: docs/domain.md, "Conditions of use".
public struct OperatorConditions: Sendable, Hashable {
    /// An operator and whether the conditions are accepted for it.
    public struct Standing: Sendable, Hashable {
        /// The operator.
        public let `operator`: ServerOperator
        /// Whether the current conditions are accepted for it.
        public let acceptance: ConditionsAcceptance
    }

    /// What the user is to be asked, or told.
    public enum Action: Sendable, Hashable {
        /// Nothing is to be asked: the current conditions are accepted for all operators that are on. Those for which
        /// they are, be they on or off.
        case accepted([ServerOperator])
        /// The current conditions are to be reviewed for these operators, which are on. After the deadline their
        /// servers are not to be used; nil is now. A notice is due until the user has been told.
        case review([ServerOperator], deadline: StoredTime?, showNotice: Bool)
    }

    /// All operators, in their order.
    public let operators: [Standing]
    /// The current conditions; nil in a store that knows none.
    public let current: UsageConditions?
    /// What is due; nil when no operator is on, or the store knows no conditions.
    public let action: Action?
}

extension OperatorConditions {
    /// What was last accepted for one operator.
    struct LastAcceptance {
        let operatorID: ServerOperatorID
        let commit: String
        let acceptedAt: StoredTime?
        let isAutomatic: Bool
    }

    /// A pure function of what is stored and the time.
    init(
        of operators: [ServerOperator], current: UsageConditions?, latestAccepted: UsageConditions?,
        acceptances: [LastAcceptance], now: StoredTime
    ) {
        let byOperator = Dictionary(acceptances.map { ($0.operatorID, $0) }, uniquingKeysWith: { _, last in last })
        let deadline = current?.deadline(now: now)
        let standings = operators.map { owner in
            Standing(
                operator: owner,
                acceptance: Self.acceptance(
                    byOperator[owner.id], current: current, latestAccepted: latestAccepted, deadline: deadline))
        }
        let pending = standings.filter { $0.operator.isEnabled && !$0.acceptance.isAccepted }.map(\.operator)
        self.operators = standings
        self.current = current
        if let current, operators.contains(where: \.isEnabled) {
            action =
                pending.isEmpty
                ? .accepted(standings.filter(\.acceptance.isAccepted).map(\.operator))
                : .review(pending, deadline: deadline, showNotice: current.notifiedAt == nil)
        } else {
            action = nil
        }
    }

    private static func acceptance(
        _ last: LastAcceptance?, current: UsageConditions?, latestAccepted: UsageConditions?, deadline: StoredTime?
    ) -> ConditionsAcceptance {
        guard let last, let current, let latestAccepted, last.commit == latestAccepted.commit else {
            return .required(deadline: nil)
        }
        return current.commit == latestAccepted.commit
            ? .accepted(at: last.acceptedAt, isAutomatic: last.isAutomatic) : .required(deadline: deadline)
    }
}

extension UsageConditions {
    private static let day: Int64 = 86_400_000_000

    /// 31 days after the user was told of new conditions, or from now while not told; nil when that was, or is, more
    /// than 14 days after they came: then there has been time enough.
    func deadline(now: StoredTime) -> StoredTime? {
        let told = notifiedAt ?? now
        guard told.microseconds < createdAt.microseconds + 14 * Self.day else { return nil }
        return StoredTime(microseconds: told.microseconds + 31 * Self.day)
    }
}
