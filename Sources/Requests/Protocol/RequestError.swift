package import ChatDBKit
import ChatDBReports

/// The `error` of an answer, as JSON-RPC 2.0 has it. Rule: docs/requests.md, "Errors".
package struct RequestError: Error, Sendable, Hashable {
    /// The codes of JSON-RPC, and the one of chatdb's own errors.
    enum Code: Int64, Sendable, CaseIterable {
        case parse = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParameters = -32602
        case internalError = -32603
        /// An error of chatdb: `data.code` says which.
        case chatdb = -32000
    }

    let code: Code
    let message: String
    /// The members of `data`; empty for an error without data.
    var data: [JSONValue.Member] = []

    /// chatdb's own code; nil for an error of JSON-RPC.
    var chatdbCode: String? { data.first { $0.name == "code" }?.value.stringValue }

    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("code", .integer(code.rawValue)), .init("message", .string(message)),
        ]
        if !data.isEmpty { members.append(.init("data", .object(data))) }
        return .object(members)
    }
}

extension RequestError {
    /// The error for an error of a method. An error without a description is a defect: its answer names the type, and
    /// omits its contents, which may hold values of rows.
    ///
    /// - Parameters:
    ///   - hint: the next step after the error; nil leaves it out.
    ///   - more: members that `data` has beside those of the error.
    package init(
        _ error: any Error, hint: (any Error) -> String? = { _ in nil }, adding more: [JSONValue.Member] = []
    ) {
        if let known = error as? RequestError {
            self = known
        } else if let known = error as? any ChatDBError {
            let info = known.info
            var data: [JSONValue.Member] = [.init("code", .string(info.code))]
            if let state = (error as? MigrationFailure)?.state.sentence ?? info.state {
                data.append(.init("state", .string(state)))
            }
            if let hint = hint(error) { data.append(.init("hint", .string(hint))) }
            if !info.details.isEmpty { data.append(.init("details", info.details)) }
            self.init(code: .chatdb, message: info.message, data: data + more)
        } else {
            self.init(code: .internalError, message: "unexpected error (\(type(of: error)))")
        }
    }

    /// The text is not JSON, or exceeds a limit.
    init(_ error: JSONSyntaxError) {
        self.init(code: .parse, message: "the request cannot be read: \(error)")
    }
}

/// An answer.
package enum RequestAnswer {
    /// The answer with a result.
    static func result(_ result: JSONValue, to id: JSONValue) -> JSONValue {
        ["jsonrpc": "2.0", "id": id, "result": result]
    }

    /// The answer with an error. The id of a request that could not be read is null.
    package static func error(_ error: RequestError, to id: JSONValue) -> JSONValue {
        ["jsonrpc": "2.0", "id": id, "error": error.json]
    }
}
