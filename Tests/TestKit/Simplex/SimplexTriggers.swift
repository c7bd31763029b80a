import ChatDBKit

/// The triggers of the app's databases. They have the names of the app's, and count the same rows. The app's triggers in
/// the agent database also keep a hash, with a function that only the app has.
enum SimplexTriggers {
    /// Statements that create the triggers of a version.
    static func statements(of database: DatabaseName, at version: SimplexStore.Version) -> [String] {
        switch database {
        case .chat:
            guard version.chat >= "20250919" else { return [] }
            return [
                members("insert", when: isMember("NEW"), "NEW", adds: "1"),
                members("delete", when: isMember("OLD"), "OLD", adds: "-1"),
                members(
                    "update", when: "\(isMember("OLD")) <> \(isMember("NEW"))", "NEW",
                    adds: "iif(\(isMember("NEW")), 1, -1)"),
            ]
        case .agent:
            guard version.agent >= "20260411" else { return [] }
            return [
                queues("insert", on: "INSERT", when: isCounted("NEW"), "NEW", adds: 1),
                queues("delete", on: "DELETE", when: isCounted("OLD"), "OLD", adds: -1),
                queues("update_add", on: "UPDATE", when: "\(isCounted("NEW")) > \(isCounted("OLD"))", "NEW", adds: 1),
                queues(
                    "update_remove", on: "UPDATE", when: "\(isCounted("NEW")) < \(isCounted("OLD"))", "OLD", adds: -1),
            ]
        }
    }

    private static func isMember(_ row: String) -> String {
        "(\(row).member_status IN (SELECT member_status FROM group_member_status_predicates WHERE current_member = 1))"
    }

    private static func members(_ event: String, when: String, _ row: String, adds: String) -> String {
        """
        CREATE TRIGGER on_group_members_\(event)_update_summary AFTER \(event.uppercased()) ON group_members
        FOR EACH ROW WHEN \(when) BEGIN
          UPDATE groups SET summary_current_members_count = summary_current_members_count + \(adds)
          WHERE group_id = \(row).group_id;
        END
        """
    }

    private static func isCounted(_ row: String) -> String { "(\(row).rcv_service_assoc <> 0 AND \(row).deleted = 0)" }

    private static func queues(_ name: String, on event: String, when: String, _ row: String, adds: Int) -> String {
        """
        CREATE TRIGGER tr_rcv_queue_\(name) AFTER \(event) ON rcv_queues FOR EACH ROW WHEN \(when) BEGIN
          UPDATE client_services SET service_queue_count = service_queue_count + \(adds)
          WHERE host = \(row).host AND port = \(row).port;
        END
        """
    }
}
