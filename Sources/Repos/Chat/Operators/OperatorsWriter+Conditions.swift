import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

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

    /// Notes that the user was told of a version. Who was told already keeps the first time, from which the deadline
    /// counts. Throws `conditionsNotFound`.
    public func notify(of id: UsageConditionsID) throws(OperatorsError) {
        let changed = try run(
            """
            UPDATE usage_conditions SET notified_at = coalesce(notified_at, \(now)), updated_at = \(now)
            WHERE usage_conditions_id = \(id)
            """)
        if changed == 0 { throw .conditionsNotFound(id) }
    }

    /// Accepts a version of the conditions for an operator; `isAutomatic` when time ran out and nobody was asked. What
    /// was accepted stays as it is. Throws `conditionsNotFound` and `operatorNotFound`.
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
