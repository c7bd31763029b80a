import ChatDBEngine
import ChatDBSchema

/// References between the two databases, which no foreign key can hold. Rule: docs/domain.md, "Between the two
/// databases".
extension StoreCheck {
    static let ofBothDatabases = [
        StoreCheck(
            "profileWithoutAgent", .error, "profiles whose agent user is missing", in: DatabaseName.allCases,
            isGeneral: true
        ) { checked, found in
            try AgentUsers.forEachProfile(checked, &found) { profile, state, found in
                guard state == nil else { return }
                if let number = profile.shownNumber { found.add(number) } else { found.countOnly() }
            }
        },
        StoreCheck(
            "profileMarkedDeleted", .error, "profiles in use whose agent user is marked as deleted",
            in: DatabaseName.allCases, isGeneral: true
        ) { checked, found in
            let connections = try AgentUsers.connections(in: checked.transaction(.agent))
            try AgentUsers.forEachProfile(checked, &found) { profile, state, found in
                guard state == .deleted else { return }
                guard let number = profile.shownNumber else { return found.countOnly() }
                let count = connections[profile.agentUser] ?? 0
                let counted = count == 1 ? "1 connection" : "\(count) connections"
                found.add(
                    FoundRow("users", number, of: number),
                    with: ["agent: users \(profile.agentUser)", "with \(counted)"])
            }
        },
        StoreCheck(
            "agentProfileWithoutProfile", .warning,
            "profiles of the agent database that no profile of the chat database refers to", in: DatabaseName.allCases,
            isGeneral: true,
            repair: AgentUsers.removingOrphans
        ) { checked, found in
            try checked.require("users", in: .chat)
            let agent = try checked.transaction(.agent)
            let orphans = try AgentUsers.orphans(chat: checked.transaction(.chat), agent: agent)
            if orphans.isEmpty { return }
            for id in orphans { found.add(id) }
            try found.noteConnections(of: orphans, AgentUsers.connections(in: agent))
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
