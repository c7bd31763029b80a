package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension UsageConditions: RowRecord {
    static let columns: Query = "usage_conditions_id, conditions_commit, notified_at, created_at"

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("usage_conditions_id"), commit: row.get("conditions_commit"),
            notifiedAt: row.optionalTime("notified_at"), createdAt: row.time("created_at"))
    }
}
