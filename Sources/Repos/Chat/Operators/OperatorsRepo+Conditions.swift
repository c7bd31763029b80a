import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

extension OperatorsRepo {
    /// The current conditions of use: the newest version the store knows. Nil when it knows none.
    public func currentConditions() throws(OperatorsError) -> UsageConditions? {
        try first(
            "SELECT \(UsageConditions.columns) FROM usage_conditions ORDER BY usage_conditions_id DESC LIMIT 1")
    }

    /// The version that was accepted last, for whichever operator; nil when none was, or when the store does not know
    /// it any more.
    public func latestAcceptedConditions() throws(OperatorsError) -> UsageConditions? {
        try first(
            """
            SELECT \(UsageConditions.columns) FROM usage_conditions
            WHERE conditions_commit = (
                SELECT conditions_commit FROM operator_usage_conditions
                ORDER BY accepted_at DESC, operator_usage_conditions_id DESC LIMIT 1)
            """)
    }

    /// A version of the conditions by its number. Throws `conditionsNotFound`.
    public func conditions(_ id: UsageConditionsID) throws(OperatorsError) -> UsageConditions {
        let found: UsageConditions? = try first(
            "SELECT \(UsageConditions.columns) FROM usage_conditions WHERE usage_conditions_id = \(id)")
        guard let found else { throw .conditionsNotFound(id) }
        return found
    }

    /// Where every operator stands with the conditions of use at a time, and what is due: accepted, required (with the
    /// deadline), or a review. Rule: docs/domain.md, "Conditions of use".
    public func conditions(at now: StoredTime = .now()) throws(OperatorsError) -> OperatorConditions {
        let acceptances: [OperatorConditions.LastAcceptance] = try all(
            """
            SELECT server_operator_id, conditions_commit, accepted_at, auto_accepted FROM operator_usage_conditions
            WHERE operator_usage_conditions_id IN (
                SELECT max(operator_usage_conditions_id) FROM operator_usage_conditions
                WHERE server_operator_id IS NOT NULL GROUP BY server_operator_id)
            """)
        return OperatorConditions(
            of: try all(), current: try currentConditions(), latestAccepted: try latestAcceptedConditions(),
            acceptances: acceptances, now: now)
    }
}

extension OperatorConditions.LastAcceptance: RowRecord {
    init(row: ResultRow) throws(StoreError) {
        try self.init(
            operatorID: row.get("server_operator_id"), commit: row.get("conditions_commit"),
            acceptedAt: row.optionalTime("accepted_at"), isAutomatic: row.get("auto_accepted"))
    }
}
