package import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// The state of the conditions of use, for each operator. Rule: docs/domain.md, "Conditions of use".
public struct OperatorConditions: Sendable, Hashable {
    /// An operator and whether the conditions are accepted for it.
    public struct Standing: Sendable, Hashable {
        /// The operator.
        public let `operator`: ServerOperator
        /// Whether the current conditions are accepted for it.
        public let acceptance: ConditionsAcceptance
    }

    /// The action that the app takes.
    public enum Action: Sendable, Hashable {
        /// The current conditions are accepted for all operators that are on. Has the operators, on or off, for which
        /// they are accepted.
        case accepted([ServerOperator])
        /// The current conditions are to be reviewed for these operators, which are on. After the deadline their
        /// servers are not to be used; nil means now. A notice is due until it is shown.
        case review([ServerOperator], deadline: StoredTime?, showNotice: Bool)
    }

    /// All operators, in their order.
    public let operators: [Standing]
    /// The current conditions; nil in a store without conditions.
    public let current: UsageConditions?
    /// The action due; nil when no operator is on, or the store has no conditions.
    public let action: Action?
}

extension OperatorConditions {
    /// The version that was accepted last for one operator.
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

    /// 31 days after the user was notified of new conditions, or 31 days from now while the user was not. Nil when the
    /// notification came, or would come now, more than 14 days after the conditions.
    func deadline(now: StoredTime) -> StoredTime? {
        let notified = notifiedAt ?? now
        guard notified.microseconds < createdAt.microseconds + 14 * Self.day else { return nil }
        return StoredTime(microseconds: notified.microseconds + 31 * Self.day)
    }
}

extension OperatorsRepo {
    /// The current conditions of use: the newest version in the store. Nil when the store has none.
    public func currentConditions() throws(OperatorsError) -> UsageConditions? { try first(Self.current) }

    private static let current: Query =
        "SELECT \(UsageConditions.columns) FROM usage_conditions ORDER BY usage_conditions_id DESC LIMIT 1"

    /// The version that was accepted last, for any operator; nil when none was, or when the store no longer has it.
    public func latestAcceptedConditions() throws(OperatorsError) -> UsageConditions? { try first(Self.latestAccepted) }

    private static let latestAccepted: Query = """
        SELECT \(UsageConditions.columns) FROM usage_conditions
        WHERE conditions_commit = (
            SELECT conditions_commit FROM operator_usage_conditions
            ORDER BY accepted_at DESC NULLS LAST, operator_usage_conditions_id DESC LIMIT 1)
        """

    /// A version of the conditions by its number. Throws `conditionsNotFound`.
    public func conditions(_ id: UsageConditionsID) throws(OperatorsError) -> UsageConditions {
        let found: UsageConditions? = try first(
            "SELECT \(UsageConditions.columns) FROM usage_conditions WHERE usage_conditions_id = \(id)")
        guard let found else { throw .conditionsNotFound(id) }
        return found
    }

    /// The state of the conditions of use at a time, for every operator, and the action due: accepted, required (with
    /// the deadline), or a review. Rule: docs/domain.md, "Conditions of use".
    public func conditions(at now: StoredTime = .now()) throws(OperatorsError) -> OperatorConditions {
        let acceptances: [OperatorConditions.LastAcceptance] = try all(
            """
            SELECT server_operator_id, conditions_commit, accepted_at, auto_accepted FROM operator_usage_conditions
            WHERE operator_usage_conditions_id IN (
                SELECT max(operator_usage_conditions_id) FROM operator_usage_conditions
                WHERE server_operator_id IS NOT NULL GROUP BY server_operator_id)
            """)
        // Lists show the operators also where the conditions cannot be read.
        let current: [UsageConditions] = try all(Self.current)
        let latestAccepted: [UsageConditions] = try all(Self.latestAccepted)
        return OperatorConditions(
            of: try all(), current: current.first, latestAccepted: latestAccepted.first, acceptances: acceptances,
            now: now)
    }
}

extension OperatorConditions.LastAcceptance: RowRecord {
    init(row: ResultRow) throws(StoreError) {
        try self.init(
            operatorID: row.get("server_operator_id"), commit: row.get("conditions_commit"),
            acceptedAt: row.optionalTime("accepted_at"), isAutomatic: row.get("auto_accepted"))
    }
}

/// Rule: docs/domain.md, "Conditions of use".
extension OperatorsWriter {
    /// Makes a version of the conditions the current one. Throws `invalidConditionsCommit` and `duplicateConditions`.
    @discardableResult
    public func addConditions(commit given: String) throws(OperatorsError) -> UsageConditions {
        let commit: String
        do throws(NameProblem) {
            commit = try NameRule.checked(given)
        } catch {
            throw .invalidConditionsCommit(error)
        }
        let known = try OperatorsRepo(tx).count(
            "SELECT count(*) FROM usage_conditions WHERE conditions_commit = \(commit)")
        if known > 0 { throw .duplicateConditions(commit) }
        let id = UsageConditionsID(
            try insert(
                """
                INSERT INTO usage_conditions (conditions_commit, created_at, updated_at)
                VALUES (\(commit), \(now), \(now))
                """, returning: "usage_conditions_id"))
        return try OperatorsRepo(tx).conditions(id)
    }

    /// Stores that the notice of a version was shown. A second notice keeps the first time, from which the deadline
    /// counts. Throws `conditionsNotFound`.
    public func notify(of id: UsageConditionsID) throws(OperatorsError) {
        let changed = try run(
            """
            UPDATE usage_conditions SET notified_at = coalesce(notified_at, \(now)), updated_at = \(now)
            WHERE usage_conditions_id = \(id)
            """)
        if changed == 0 { throw .conditionsNotFound(id) }
    }

    /// Accepts a version of the conditions for an operator; `isAutomatic` when the deadline passed without an answer.
    /// Earlier acceptances stay as they are. Throws `conditionsNotFound` and `operatorNotFound`.
    public func accept(
        _ id: UsageConditionsID, for operatorID: ServerOperatorID, isAutomatic: Bool = false
    ) throws(OperatorsError) {
        let operators = OperatorsRepo(tx)
        let conditions = try operators.conditions(id)
        let accepting = try operators.get(operatorID)
        try run(
            """
            INSERT INTO operator_usage_conditions (
                server_operator_id, server_operator_tag, conditions_commit, accepted_at, auto_accepted,
                created_at, updated_at)
            VALUES (
                \(accepting.id), \(accepting.tag), \(conditions.commit), \(now), \(isAutomatic), \(now), \(now))
            ON CONFLICT (server_operator_id, conditions_commit) DO UPDATE
            SET accepted_at = excluded.accepted_at, auto_accepted = excluded.auto_accepted,
                updated_at = excluded.updated_at
            WHERE operator_usage_conditions.accepted_at IS NULL
            """)
    }
}

extension UsageConditions: RowRecord {
    static let columns: Query = "usage_conditions_id, conditions_commit, notified_at, created_at"

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("usage_conditions_id"), commit: row.get("conditions_commit"),
            notifiedAt: row.optionalTime("notified_at"), createdAt: row.time("created_at"))
    }
}
