import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension Writer where Failure == QueuesError {
    func requireServer(_ id: AgentServerID) throws(QueuesError) {
        let found = try row("SELECT host FROM servers WHERE host = \(id.host) AND port = \(id.port)")
        if found == nil { throw .serverNotFound(id) }
    }

    /// The number after all given ones.
    func numberAfter(_ questions: [Query], of connection: AgentConnectionID) throws(QueuesError) -> QueueNumber {
        var last: Int64 = 0
        for question in questions {
            let row = try row(question)
            let number: Int64? = try reading { () throws(StoreError) in try row?.get("last") }
            last = max(last, number ?? 0)
        }
        let (next, isOver) = last.addingReportingOverflow(1)
        if isOver { throw .numbersUsedUp(connection) }
        return QueueNumber(next)
    }
}

extension ReceiveQueuesWriter {
    func change(_ address: QueueAddress, _ assignments: Query) throws(QueuesError) {
        try run("UPDATE rcv_queues SET \(assignments), updated_at = \(now) WHERE \(ReceiveQueuesRepo.isAt(address))")
    }

    func clearPrimary(of connection: AgentConnectionID) throws(QueuesError) {
        try run(
            """
            UPDATE rcv_queues SET rcv_primary = 0, updated_at = \(now)
            WHERE conn_id = \(connection) AND rcv_primary = 1
            """)
    }

    /// Received messages keep the number of a removed queue, so the number is not used again while they exist.
    func nextNumber(of connection: AgentConnectionID) throws(QueuesError) -> QueueNumber {
        try numberAfter(
            [
                "SELECT max(rcv_queue_id) AS last FROM rcv_queues WHERE conn_id = \(connection)",
                "SELECT max(rcv_queue_id) AS last FROM rcv_messages WHERE conn_id = \(connection)",
            ], of: connection)
    }
}

extension SendQueuesWriter {
    func change(_ address: QueueAddress, _ assignments: Query) throws(QueuesError) {
        try run("UPDATE snd_queues SET \(assignments), updated_at = \(now) WHERE \(SendQueuesRepo.isAt(address))")
    }

    func clearPrimary(of connection: AgentConnectionID) throws(QueuesError) {
        try run(
            """
            UPDATE snd_queues SET snd_primary = 0, updated_at = \(now)
            WHERE conn_id = \(connection) AND snd_primary = 1
            """)
    }
}
