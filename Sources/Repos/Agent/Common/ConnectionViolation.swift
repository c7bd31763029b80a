import ChatDBEngine
package import ChatDBReposKit
package import ChatDBSchema

/// The error of a subject whose rows belong to a connection.
package protocol ConnectionViolation: RuleViolation {
    static func connectionNotFound(_ id: AgentConnectionID) -> Self
}

extension Writer where Failure: ConnectionViolation {
    /// Throws `connectionNotFound` for a connection that does not exist or is being deleted.
    func requireConnection(_ id: AgentConnectionID) throws(Failure) {
        let found = try row("SELECT conn_id FROM connections WHERE conn_id = \(id) AND deleted = 0")
        if found == nil { throw .connectionNotFound(id) }
    }
}

extension Writer {
    /// The first row of an answer, also that of a statement that writes and has `RETURNING`; or nil.
    func row(_ query: Query) throws(Failure) -> ResultRow? {
        do throws(StoreError) {
            return try tx.first(query)
        } catch {
            throw .store(error)
        }
    }

    /// The single number of a result.
    func number(_ query: Query) throws(Failure) -> Int {
        do throws(StoreError) {
            return try tx.count(query)
        } catch {
            throw .store(error)
        }
    }

    /// Reads a row, with the subject's own error.
    func reading<T>(_ body: () throws(StoreError) -> T) throws(Failure) -> T {
        do throws(StoreError) {
            return try body()
        } catch {
            throw .store(error)
        }
    }
}
