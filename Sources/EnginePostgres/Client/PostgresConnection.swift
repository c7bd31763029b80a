import CChatDBPostgres
import ChatDBEngine
import ChatDBPOSIX

/// One connection to a server. It is used by one thread at a time.
///
/// Statements are prepared once and found again by their text, the types of their values and the schema in which names
/// are found: the server decides about types and tables when it prepares a statement.
final class PostgresConnection {
    private let libpq: chatdb_libpq
    private let pointer: OpaquePointer
    private let cancel: PostgresCancel
    private var statements: [StatementKey: String] = [:]

    private struct StatementKey: Hashable {
        let sql: String
        let types: [UInt32]
        let schema: String
    }

    /// Connects. The parameters are those of libpq: `host`, `dbname`, `user` and so on; `dbname` may be a connection
    /// string.
    init(_ parameters: [String: String]) throws(StoreError) {
        let libpq = try LibPQ.functions()
        let named = parameters.merging(["client_encoding": "UTF8", "fallback_application_name": "chatdb"]) { _, own in
            own
        }
        let keywords = named.keys.sorted()
        let connected = Self.withCStrings(keywords) { keywords in
            Self.withCStrings(named.sorted { $0.key < $1.key }.map(\.value)) { values in
                libpq.connectdbParams(keywords, values, 1)
            }
        }
        guard let connected else { throw StoreError(.outOfMemory, "there is no memory for a connection") }
        (self.libpq, pointer) = (libpq, connected)
        cancel = PostgresCancel(connected, libpq)
        // From here on, deinit finishes the connection, also when this throws.
        guard libpq.status(pointer) == 0 else { throw Self.connectionError(connected, libpq) }
        let encoding = libpq.parameterStatus(pointer, "server_encoding").map { String(cString: $0) } ?? "unknown"
        guard encoding == "UTF8" else {
            throw StoreError(
                .otherEncoding, "the database has the encoding \(encoding), and chatdb needs one in UTF8")
        }
        // Notices quote names of the database, and values.
        _ = libpq.setNoticeReceiver(pointer, { _, _ in }, nil)
        let version = Int(libpq.serverVersion(pointer))
        guard version >= Self.oldestServer else {
            throw StoreError(
                .engineTooOld,
                "PostgreSQL \(version / 10_000) is too old: chatdb needs \(Self.oldestServer / 10_000) or newer")
        }
    }

    deinit { libpq.finish(pointer) }

    private static let oldestServer = 130_000

    /// The most statements that stay prepared. They take memory of the server.
    private static let mostStatements = 1_000

    /// Runs one statement and returns its result. Throws the error of the statement.
    ///
    /// - Parameter schema: where the search path leads now.
    func execute(_ sql: String, _ values: [SQLValue], in schema: String) throws(StoreError) -> PostgresResult {
        let name = try prepared(StatementKey(sql: sql, types: values.map(PostgresValues.type), schema: schema))
        return try checked(
            Self.withParameters(values) { [libpq, pointer] places, lengths, formats in
                libpq.execPrepared(pointer, name, CInt(values.count), places, lengths, formats, binary)
            })
    }

    /// Runs one statement without preparing it: for those that a server refuses to prepare, and for texts that come
    /// once.
    func executeOnce(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> PostgresResult {
        try checked(
            Self.withParameters(values) { [libpq, pointer] places, lengths, formats in
                libpq.execParams(
                    pointer, sql, CInt(values.count), values.map(PostgresValues.type), places, lengths, formats, binary)
            })
    }

    /// Runs a text of several statements without values, in the server's simple protocol: in one transaction, unless
    /// the text has its own.
    @discardableResult
    func executeScript(_ sql: String) throws(StoreError) -> PostgresResult {
        try checked(libpq.exec(pointer, sql))
    }

    /// The name of the prepared statement.
    private func prepared(_ key: StatementKey) throws(StoreError) -> String {
        if let name = statements[key] { return name }
        if statements.count >= Self.mostStatements {
            try executeScript("DEALLOCATE ALL")
            statements = [:]
        }
        let name = "chatdb_\(statements.count)"
        _ = try checked(libpq.prepare(pointer, name, key.sql, CInt(key.types.count), key.types))
        statements[key] = name
        return name
    }

    /// Whether the server no longer answers on this connection.
    var isLost: Bool { libpq.status(pointer) != 0 }

    /// Stops the statement that is running, which throws `interrupted`. Any thread may call it, also later than the
    /// connection lives.
    var interrupt: @Sendable () -> Void { { [cancel] in cancel.send() } }

    private func checked(_ result: OpaquePointer?) throws(StoreError) -> PostgresResult {
        guard let result else { throw Self.connectionError(pointer, libpq) }
        let answer = PostgresResult(result, libpq)
        guard answer.isSuccess else {
            // libpq makes an error of its own, without a state, when the connection is lost.
            if isLost { throw Self.lost }
            throw PostgresErrors.storeError(of: answer)
        }
        return answer
    }

    private static let lost = StoreError(.unreachable, "the connection to the server was lost")

    /// The error of a failed connection. libpq gives it as a text only, without a state. It names the server, the
    /// database and the role, and no value of a row.
    private static func connectionError(_ pointer: OpaquePointer, _ libpq: chatdb_libpq) -> StoreError {
        let text = String(cString: libpq.errorMessage(pointer))
        let line = text.split(separator: "\n").first.map(String.init) ?? "unknown reason"
        let isOfRole =
            libpq.connectionNeedsPassword(pointer) != 0 || libpq.connectionUsedPassword(pointer) != 0
            || line.contains("authentication failed") || line.contains("FATAL:  role ")
        let isOfDatabase = line.contains("FATAL:  database ")
        let kind: StoreError.Kind = isOfRole ? .accessDenied : isOfDatabase ? .missing : .unreachable
        return StoreError(kind, "chatdb cannot connect to the server: \(line)")
    }

    /// The binary format of values.
    private let binary: CInt = 1
}

/// What stops the statement of a connection, from any thread. It opens a connection of its own to the server.
private final class PostgresCancel: Sendable {
    nonisolated(unsafe) private let pointer: OpaquePointer?
    private let libpq: chatdb_libpq

    init(_ connection: OpaquePointer, _ libpq: chatdb_libpq) {
        self.libpq = libpq
        pointer = libpq.getCancel(connection)
    }

    deinit { libpq.freeCancel(pointer) }

    func send() {
        guard let pointer else { return }
        // The server says nothing about it. A reason why it could not be asked helps nobody here.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { reason in
            _ = reason.baseAddress.map { libpq.cancel(pointer, $0, 256) }
        }
    }
}

extension PostgresConnection {
    /// Calls `body` with an array of C strings that ends with a null pointer.
    private static func withCStrings<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { pointers in
            body(pointers.baseAddress.unsafelyUnwrapped)
        }
    }

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
