import CChatDBPostgres
import ChatDBEngine

/// One connection to a server. It is used by one thread at a time.
///
/// Statements are prepared once and found again by their text, the types of their values and the schema in which names
/// are found: the server decides about types and tables when it prepares a statement. Through a pooler none stays
/// prepared: the next transaction may run on another connection of the server.
final class PostgresConnection {
    let libpq: chatdb_libpq
    let pointer: OpaquePointer
    /// Stops the statement that is running, which throws `interrupted`. Any thread may use it, also later than the
    /// connection lives.
    let cancel: PostgresCancel
    /// The history of the server at the first question for it. A crash of the server ends all connections.
    private var knownHistory: ServerHistory?
    /// Whether a pooler such as PgBouncer is between this program and the server.
    private var isPooled = false
    private var statements: [StatementKey: String] = [:]
    /// How many statements were prepared, for their names.
    private var prepared = 0
    private let notices: PostgresNotices

    private struct StatementKey: Hashable {
        let sql: String
        let types: [UInt32]
        let schema: String
    }

    /// Connects with parameters of libpq; see ``PostgresLogin``.
    init(_ parameters: [String: String]) throws(StoreError) {
        let libpq = try LibPQ.functions()
        pointer = try PostgresLogin.connect(parameters, libpq)
        self.libpq = libpq
        notices = PostgresNotices(of: pointer, libpq)
        cancel = PostgresCancel(pointer, libpq)
        isPooled = try hasPooler()
    }

    /// A pooler does not give its clients the process of the server that works for them, because it changes.
    private func hasPooler() throws(StoreError) -> Bool {
        let process: Int64? = try executeOnce("SELECT pg_catalog.pg_backend_pid() AS process", []).rows().first?
            .get("process")
        return process != Int64(libpq.backendPID(pointer))
    }

    /// The history of the server to which the numbers of this connection's transactions belong.
    func history() throws(StoreError) -> ServerHistory {
        if let knownHistory { return knownHistory }
        guard let row = try executeOnce(ServerHistory.question, []).rows().first else {
            throw StoreError(.other, "the server does not tell since when it counts what it does")
        }
        let history = ServerHistory(statistics: try row.get("history"), start: try row.get("start"))
        knownHistory = history
        return history
    }

    deinit { libpq.finish(pointer) }

    /// The most statements that stay prepared. They take memory of the server.
    private static let mostStatements = 1_000

    /// Runs one statement and returns its result. Throws the error of the statement.
    ///
    /// - Parameter schema: where the search path leads now.
    func execute(_ sql: String, _ values: [SQLValue], in schema: String) throws(StoreError) -> PostgresResult {
        if isPooled { return try executeOnce(sql, values) }
        try Self.checkSizes(values)
        let name = try name(of: StatementKey(sql: sql, types: values.map(PostgresValues.type), schema: schema))
        return try checked(
            Self.withParameters(values) { [libpq, pointer] places, lengths, formats in
                libpq.execPrepared(pointer, name, CInt(values.count), places, lengths, formats, binary)
            })
    }

    /// Runs one statement without preparing it: for those that a server refuses to prepare, and for texts that come
    /// once.
    func executeOnce(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> PostgresResult {
        try Self.checkSizes(values)
        return try checked(
            Self.withParameters(values) { [libpq, pointer] places, lengths, formats in
                libpq.execParams(
                    pointer, sql, CInt(values.count), values.map(PostgresValues.type), places, lengths, formats, binary)
            })
    }

    /// PostgreSQL has no larger values, and libpq counts their bytes in 32 bits.
    private static let largestValue = 1 << 30

    private static func checkSizes(_ values: [SQLValue]) throws(StoreError) {
        let isTooLarge = values.contains { value in
            switch value {
            case .text(let text): text.utf8.count > largestValue
            case .blob(let bytes): bytes.count > largestValue
            case .null, .integer, .real: false
            }
        }
        if isTooLarge { throw StoreError(.beyondLimits, "a value is larger than 1 GiB, PostgreSQL's limit") }
    }

    /// Runs a text of several statements without values, in the server's simple protocol: in one transaction, unless
    /// the text has its own.
    @discardableResult
    func executeScript(_ sql: String) throws(StoreError) -> PostgresResult {
        try checked(libpq.exec(pointer, sql))
    }

    /// The name of the prepared statement.
    private func name(of key: StatementKey) throws(StoreError) -> String {
        if let name = statements[key] { return name }
        if statements.count >= Self.mostStatements {
            try executeScript("DEALLOCATE ALL")
            statements = [:]
        }
        prepared += 1
        let name = "chatdb_\(prepared)"
        _ = try checked(libpq.prepare(pointer, name, key.sql, CInt(key.types.count), key.types))
        statements[key] = name
        return name
    }

    /// Whether the server no longer answers on this connection.
    var isLost: Bool { isBroken || libpq.status(pointer) != 0 }

    /// Whether libpq has failed to send or receive, which it may notice before it knows that the connection is lost.
    private var isBroken = false

    /// Whether no transaction is open.
    var isIdle: Bool { libpq.transactionStatus(pointer) == 0 }

    /// The result of a statement. Throws its error.
    func checked(_ result: OpaquePointer?) throws(StoreError) -> PostgresResult {
        try checked(result.map { PostgresResult($0, libpq) })
    }

    func checked(_ answer: PostgresResult?) throws(StoreError) -> PostgresResult {
        // libpq makes an error of its own, without a code, when the connection is lost. What the server said before it
        // ended the connection is only in the text.
        if let answer, !answer.isSuccess, answer.errorField(.sqlState) ?? "" == "" { isBroken = true }
        if isLost {
            throw PostgresErrors.lost(String(cString: libpq.errorMessage(pointer)), notice: notices.endState)
        }
        guard let answer else { throw StoreError(.outOfMemory, "there is no memory for a result") }
        guard !answer.isSuccess else { return answer }
        let error = PostgresErrors.storeError(of: answer)
        // A plan for a table that was changed since fails; the next transaction prepares the statement again.
        if answer.errorField(.sqlState) == "0A000" { statements = [:] }
        guard error.kind == .interrupted, !cancel.takeSent() else { throw error }
        throw StoreError(.busy, "the statement took longer than the server allows")
    }

    /// The binary format of values.
    private let binary: CInt = 1
}

extension PostgresConnection {
    private typealias Parameters<Result> = (
        UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<CInt>?, UnsafePointer<CInt>?
    ) -> Result

    /// Calls `body` with the places, lengths and formats of values.
    private static func withParameters<Result>(_ values: [SQLValue], _ body: Parameters<Result>) -> Result {
        if values.isEmpty { return body(nil, nil, nil) }
        let parts = values.map(PostgresValues.bytes)
        var bytes: [UInt8] = []
        let offsets = parts.map { part -> Int? in
            guard let part else { return nil }
            defer {
                // One byte follows each value: an empty one needs an address, because none is NULL.
                bytes += part + [0]
            }
            return bytes.count
        }
        return bytes.withUnsafeBytes { buffer in
            let places = offsets.map { offset in
                offset.map { buffer.baseAddress.unsafelyUnwrapped.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
            }
            return body(
                places, parts.map { CInt($0?.count ?? 0) }, [CInt](repeating: 1, count: values.count))
        }
    }
}

/// What the server says while no statement runs. libpq passes on as a notice the error with which the server ends an
/// idle connection, if it arrives together with the end of a result. Then no later error has its code.
private final class PostgresNotices {
    /// The code with which the server ended the connection; nil if it said none.
    private(set) var endState: String?
    private let libpq: chatdb_libpq

    /// Receives the notices of a connection. The object lives as long as the connection.
    init(of connection: OpaquePointer, _ libpq: chatdb_libpq) {
        self.libpq = libpq
        _ = libpq.setNoticeReceiver(
            connection,
            { context, result in
                guard let context else { return }
                Unmanaged<PostgresNotices>.fromOpaque(context).takeUnretainedValue().receive(result)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Keeps the code alone: a notice quotes names of the database, and values.
    private func receive(_ result: OpaquePointer) {
        guard let state = libpq.resultErrorField(result, ErrorField.sqlState.rawValue).map({ String(cString: $0) }),
            PostgresErrors.isEnd(state)
        else { return }
        endState = state
    }
}
