import ChatDBEngine

/// Translates errors of PostgreSQL into `StoreError`. The server's message and detail may quote a value of a row, so a
/// message has the table, the column and the constraint, and PostgreSQL's name for the kind of error.
enum PostgresErrors {
    /// The error of a failed statement.
    static func storeError(of result: PostgresResult) -> StoreError {
        let state = result.errorField(.sqlState) ?? ""
        let found = error(of: state)
        // The message of this code has the name of the object, and no value.
        if state == "42501", let message = result.errorField(.message) {
            return StoreError(found.kind, "\(message) (SQLSTATE \(state))")
        }
        // The message of this code has sizes and the name of the index.
        if state == "54000", let sizes = result.errorField(.message).flatMap(indexLimit) {
            return StoreError(found.kind, sizes)
        }
        let subject =
            switch (result.errorField(.table), result.errorField(.column)) {
            case (let table?, let column?): "column \(column) of table \(table): "
            case (let table?, nil): "table \(table): "
            default: ""
            }
        let constraint = result.errorField(.constraint).map { ", constraint \($0)" } ?? ""
        return StoreError(found.kind, subject + found.message + constraint)
    }

    /// What is too long for an index, by the server's message: "index row size 5616 exceeds btree version 4 maximum 2704
    /// for index …", or "index row requires 8552 bytes, maximum size is 8191". Nil for another message.
    static func indexLimit(_ message: String) -> String? {
        guard message.hasPrefix("index row "),
            let size = message.firstMatch(of: #/(?:size|requires) ([0-9]+)/#)?.1,
            let most = message.firstMatch(of: #/maximum (?:size is )?([0-9]+)/#)?.1
        else { return nil }
        return "a value is too long for the index: \(size) bytes, and the most is \(most) (SQLSTATE 54000)"
    }

    /// The error of a connection that was lost, by libpq's text: the server may have said why.
    ///
    /// - Parameter notice: the code with which the server ended the connection while no statement ran.
    static func lost(_ text: String, notice: String? = nil) -> StoreError {
        guard let state = PostgresLogin.states(in: text).last(where: isEnd) ?? notice else {
            return StoreError(.unreachable, "the connection to the server was lost")
        }
        return error(of: state)
    }

    /// Whether the code is one with which a server ends a connection.
    static func isEnd(_ state: String) -> Bool { ["25P", "57P"].contains(state.prefix(3)) }

    /// The error of a code alone.
    static func error(of state: String) -> StoreError {
        let kind = kind(of: state)
        return StoreError(kind, words(of: state, kind) + " (SQLSTATE \(state))")
    }

    /// The kind of an error, by its SQLSTATE: "PostgreSQL Error Codes" in PostgreSQL's manual.
    static func kind(of state: String) -> StoreError.Kind {
        switch state {
        case "23505": return .uniqueViolation
        case "23503": return .foreignKeyViolation
        case "25006": return .readOnly
        case "28000", "28P01", "42501": return .accessDenied
        case "3D000", "3F000", "57P04": return .missing
        case "40001", "40P01", "55P03", "25P03", "25P04": return .busy
        case "53100": return .diskFull
        case "53200": return .outOfMemory
        case "54000", "54001", "54011", "54023": return .beyondLimits
        case "57014": return .interrupted
        case "57P01", "57P02", "57P03", "57P05", "53300": return .unreachable
        case "58030": return .inputOutput
        case "XX001", "XX002": return .damaged
        default: break
        }
        switch state.prefix(2) {
        case "08": return .unreachable
        case "22", "23": return .constraintViolation
        case "42": return .sql
        case "53": return .beyondLimits
        case "58": return .inputOutput
        default: return .other
        }
    }

    private static func words(of state: String, _ kind: StoreError.Kind) -> String {
        switch kind {
        case .uniqueViolation: "another row has the same values"
        case .foreignKeyViolation: "a reference to a missing row"
        case .readOnly: "the server allows only reading here"
        case .accessDenied:
            state.hasPrefix("28") ? "the server does not accept the role or its password" : "the role may not do this"
        case .missing: "the server has no such database or schema"
        case .busy:
            switch state {
            case "40P01": "two transactions waited for each other"
            case "25P03", "25P04": "the transaction took longer than the server allows"
            default: "another connection holds a lock"
            }
        case .diskFull: "the disk of the server is full"
        case .outOfMemory: "the server has no memory left"
        case .beyondLimits: "a limit of the server was reached"
        case .interrupted: "the statement was stopped"
        case .unreachable:
            switch state {
            case "53300": "the server has no free connection"
            case "57P03": "the server starts or stops"
            default: "the server ended the connection"
            }
        case .inputOutput: "the server failed to read or write"
        case .damaged: "the server found damage in its files"
        case .constraintViolation: "a value does not fit its column"
        case .sql: "the statement does not fit the tables"
        default: "the statement failed"
        }
    }
}
