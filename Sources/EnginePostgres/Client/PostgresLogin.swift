import CChatDBPostgres
import ChatDBEngine
import ChatDBPOSIX

/// Connects to a server. libpq connects step by step, so that an error has its code, which the server's words do not
/// tell in every language, and so that no notice gets to standard error.
enum PostgresLogin {
    /// How long the server may take for each step when nothing else is set, in seconds.
    private static let usualLimit: CInt = 30

    /// A new connection, which the caller finishes. The parameters are those of libpq: `host`, `dbname`, `user` and so
    /// on; `dbname` may be a connection string.
    static func connect(_ parameters: [String: String], _ libpq: chatdb_libpq) throws(StoreError) -> OpaquePointer {
        try checkText(parameters["dbname"] ?? "", libpq)
        let own = ["client_encoding": "UTF8", "fallback_application_name": "chatdb"]
        let named = parameters.merging(own) { _, own in own }.sorted { $0.key < $1.key }
        let started = withCStrings(named.map(\.key)) { keywords in
            withCStrings(named.map(\.value)) { values in libpq.connectStartParams(keywords, values, 1) }
        }
        guard let connection = started else { throw StoreError(.outOfMemory, "there is no memory for a connection") }
        _ = libpq.setErrorVerbosity(connection, Verbosity.sqlState)
        // Notices quote names of the database, and values: libpq would write them to standard error.
        _ = libpq.setNoticeReceiver(connection, { _, _ in }, nil)
        do throws(StoreError) {
            try wait(for: connection, libpq)
            try check(connection, libpq)
        } catch {
            let needsPassword = libpq.connectionNeedsPassword(connection) != 0
            libpq.finish(connection)
            guard needsPassword else { throw error }
            throw StoreError(
                .accessDenied, "the server asks for a password, and neither PGPASSWORD nor ~/.pgpass has one for it")
        }
        return connection
    }

    /// Throws for a connection string that libpq does not read. libpq's own error quotes it, with the password.
    private static func checkText(_ text: String, _ libpq: chatdb_libpq) throws(StoreError) {
        guard text.contains("=") || text.contains("://") else { return }
        guard let options = libpq.conninfoParse(text, nil) else {
            throw StoreError(.unreachable, "the connection string is not one that libpq reads")
        }
        libpq.conninfoFree(options)
    }

    private static func wait(for connection: OpaquePointer, _ libpq: chatdb_libpq) throws(StoreError) {
        var events = Int16(POLLOUT)
        let seconds = timeLimit(of: connection, libpq)
        while libpq.status(connection) != Status.bad {
            var socket = pollfd(fd: libpq.socket(connection), events: events, revents: 0)
            let ready = poll(&socket, 1, seconds * 1_000)
            if ready == 0 {
                throw StoreError(.unreachable, "the server did not answer within \(seconds) seconds")
            }
            if ready < 0, errno == EINTR { continue }
            switch libpq.connectPoll(connection) {
            case Polling.ok: return
            case Polling.reading: events = Int16(POLLIN)
            case Polling.writing: events = Int16(POLLOUT)
            default: throw error(String(cString: libpq.errorMessage(connection)))
            }
        }
        throw error(String(cString: libpq.errorMessage(connection)))
    }

    /// The parameter `connect_timeout`, which libpq leaves to callers that connect step by step.
    private static func timeLimit(of connection: OpaquePointer, _ libpq: chatdb_libpq) -> CInt {
        guard let options = libpq.conninfo(connection) else { return usualLimit }
        defer { libpq.conninfoFree(options) }
        let text = chatdb_libpq_option(options, "connect_timeout").map { String(cString: $0) } ?? ""
        guard let seconds = CInt(text), seconds > 0 else { return usualLimit }
        return min(seconds, longestLimit)
    }

    /// A day.
    private static let longestLimit: CInt = 86_400

    private static func check(_ connection: OpaquePointer, _ libpq: chatdb_libpq) throws(StoreError) {
        let version = Int(libpq.serverVersion(connection))
        guard version >= oldestServer else {
            throw StoreError(
                .engineTooOld,
                "PostgreSQL \(version / 10_000) is too old: chatdb needs \(oldestServer / 10_000) or newer")
        }
        let encoding = libpq.parameterStatus(connection, "server_encoding").map { String(cString: $0) } ?? "unknown"
        guard encoding == "UTF8" else {
            throw StoreError(
                .otherEncoding, "the database has the encoding \(encoding), and chatdb needs one in UTF8")
        }
    }

    private static let oldestServer = 130_000

    /// The error for libpq's text, which has a line for each server that was tried. A line of a server ends with the
    /// code of its error; others have the reason of the system.
    static func error(_ text: String) -> StoreError {
        guard let state = states(in: text).last else {
            let line = text.split(separator: "\n").first.map(String.init) ?? "libpq says no reason"
            return StoreError(.unreachable, "chatdb cannot connect to the server: \(line)")
        }
        // The database, or the server, is kept from accepting connections.
        if state == "55000" {
            return StoreError(.unreachable, "the database accepts no connections now (SQLSTATE \(state))")
        }
        let found = PostgresErrors.error(of: state)
        return StoreError(found.kind, "chatdb cannot connect to the server: \(found.message)")
    }

    /// The codes of the errors in libpq's text, in their order.
    static func states(in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line -> String? in
            guard let last = line.split(separator: " ").last.map(String.init), last.utf8.count == 5,
                line.contains(":  "), last.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
            else { return nil }
            return last
        }
    }

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

    /// `ConnStatusType` of libpq.
    private enum Status { static let bad: CInt = 1 }

    /// `PGVerbosity` of libpq.
    private enum Verbosity { static let sqlState: CInt = 3 }

    /// `PostgresPollingStatusType` of libpq.
    private enum Polling {
        static let reading: CInt = 1
        static let writing: CInt = 2
        static let ok: CInt = 3
    }
}
