import ChatDBEngine
import ChatDBSchema

/// References between the two databases, which no foreign key can hold. Rule: docs/domain.md, "Between the two
/// databases".
extension StoreCheck {
    static let ofBothDatabases = [
        StoreCheck(
            "profileWithoutAgent", .error, "profiles whose agent user is missing, or marked as deleted",
            in: DatabaseName.allCases, isGeneral: true
        ) { checked, found in
            try checked.require("users", in: .agent)
            let agentUsers = try AgentUsers.all(in: checked.transaction(.agent))
            // The number of a hidden profile is not reported.
            let users: Query = "SELECT agent_user_id, user_id, view_pwd_hash IS NOT NULL AS hidden FROM users"
            try checked.forEach(users + " ORDER BY user_id", &found) { row, found in
                let agentUser: Int64 = try row.get("agent_user_id")
                switch agentUsers[agentUser] {
                case .used?: return
                case .unreadable?: return found.skip("agent: users \(agentUser) deleted")
                case .deleted?, nil: break
                }
                if try row.get("hidden") as Bool {
                    found.countOnly()
                } else {
                    found.add(try row.get("user_id") as Int64)
                }
            }
        },
        StoreCheck(
            "agentProfileWithoutProfile", .warning,
            "profiles of the agent database that no profile of the chat database refers to", in: DatabaseName.allCases,
            isGeneral: true,
            repair: AgentUsers.removingOrphans
        ) { checked, found in
            try checked.require("users", in: .chat)
            for id in try AgentUsers.orphans(chat: checked.transaction(.chat), agent: checked.transaction(.agent)) {
                found.add(id)
            }
        },
        StoreCheck(
            "connectionWithoutAgent", .error, "connections that the agent database does not have",
            in: DatabaseName.allCases, isGeneral: true
        ) { checked, found in
            // The agent removes a connection that was given up before the chat database does.
            try CrossReferences.connections.addMissingInAgent(
                checked, where: "conn_status NOT LIKE 'deleted%' AND conn_status NOT LIKE 'failed%'", &found)
        },
        StoreCheck(
            "agentConnectionWithoutConnection", .info,
            "connections of the agent database that the chat database does not have", in: DatabaseName.allCases,
            isGeneral: true
        ) { checked, found in
            try checked.require("connections", in: .chat)
            try CrossReferences.connections.addMissingInChat(checked, where: "coalesce(deleted, 0) = 0", &found)
        },
        StoreCheck(
            "connectionDeletedOnOneSide", .warning,
            "connections that one of the two databases uses, and the other has deleted", in: DatabaseName.allCases,
            isGeneral: true
        ) { checked, found in
            // A deletion that waits for the delivery of the last messages is not finished on either side.
            let columns = checked.structures[.agent]?.tables["connections"]?.columnNames ?? []
            let isWaiting: Query =
                columns.contains("deleted_at_wait_delivery") ? "deleted_at_wait_delivery IS NOT NULL" : "false"
            try CrossReferences.connections.addDisagreeing(
                checked,
                chat: """
                    CASE WHEN conn_status LIKE 'failed%' THEN NULL WHEN conn_status LIKE 'deleted%' THEN 1 ELSE 0 END
                    """,
                agent: "CASE WHEN deleted = 1 THEN 1 WHEN \(isWaiting) THEN NULL ELSE 0 END", &found)
        },
        StoreCheck(
            "transferWithoutAgentFile", .warning,
            "files being sent or received that the agent database does not have", in: DatabaseName.allCases,
            isGeneral: true
        ) { checked, found in
            for table in ["rcv_files", "snd_files"] { try checked.require(table, in: .agent) }
            try CrossReferences.receivedFiles.addMissingInAgent(
                checked, where: "agent_rcv_file_deleted = 0 AND cancelled = 0 AND ci_file_status LIKE 'rcv_transfer%'",
                &found)
            try CrossReferences.sentFiles.addMissingInAgent(
                checked, where: "agent_snd_file_deleted = 0 AND cancelled = 0 AND ci_file_status LIKE 'snd_transfer%'",
                &found)
        },
        StoreCheck(
            "agentFileWithoutFile", .info, "files of the agent database that no file of the chat database refers to",
            in: DatabaseName.allCases
        ) { checked, found in
            try CrossReferences.receivedFiles.addMissingInChat(checked, where: "deleted = 0", &found) {
                .text("received \($0)")
            }
            try CrossReferences.sentFiles.addMissingInChat(checked, where: "deleted = 0", &found) {
                .text("sent \($0)")
            }
        },
    ]
}
