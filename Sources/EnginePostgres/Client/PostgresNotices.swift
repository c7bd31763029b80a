import CChatDBPostgres

/// What the server says while no statement runs. libpq passes on as a notice the error with which the server ends an
/// idle connection, if it arrives together with the end of a result. Then no later error has its code.
final class PostgresNotices {
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
