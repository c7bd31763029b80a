import ChatDBKit
import ChatDBReports

/// A method: what is described in the OpenRPC document, and what a request runs.
struct RequestMethod: Sendable {
    /// Whether a method only reads, which a read-only session may do.
    enum Access: String, Sendable {
        case read
        case write
    }

    let name: String
    /// One sentence: begins with a verb.
    let summary: String
    let access: Access
    let parameters: [any ParameterDescription]
    let result: Shape
    let body: @Sendable (Call) throws -> JSONValue
}

extension RequestMethod {
    /// The profile of a method.
    static let user = Parameter<UserID>.id("userId", "The profile; the active one if it is missing.").optional

    /// A method that works on the service, not on an open store.
    static func service(
        _ name: String, _ access: Access, _ summary: String, _ parameters: [any ParameterDescription] = [],
        result: Shape, _ body: @escaping @Sendable (Call) throws -> JSONValue
    ) -> RequestMethod {
        RequestMethod(
            name: name, summary: summary, access: access, parameters: parameters, result: result, body: body)
    }

    /// A method that reads the chat database in one transaction. Like the command line, it leaves out rows that cannot
    /// be read, and names them in `unreadable`.
    static func reading(
        _ name: String, _ summary: String, _ parameters: [any ParameterDescription] = [], result: Shape,
        _ body: @escaping @Sendable (Call, any ReadTransaction) throws -> any Report
    ) -> RequestMethod {
        RequestMethod(
            name: name, summary: summary, access: .read, parameters: parameters,
            result: result.and(["unreadable?": .array(Shapes.unreadable)])
        ) { call in
            try call.store { store in
                try store.read { chat in
                    try call.service.readingTime.whileReading(store) {
                        try ListedReport(of: chat) { PlainAnswer(try body(call, $0).json) }.json
                    }
                }
            }
        }
    }

    /// The same, about a profile.
    static func ofProfile(
        _ name: String, _ summary: String, _ parameters: [any ParameterDescription] = [], result: Shape,
        _ body: @escaping @Sendable (Call, User, any ReadTransaction) throws -> any Report
    ) -> RequestMethod {
        reading(name, summary, parameters + [user], result: result) { call, chat in
            try body(call, try call.user(in: chat), chat)
        }
    }

    /// A method that changes the chat database in one transaction.
    static func writing(
        _ name: String, _ summary: String, _ parameters: [any ParameterDescription], result: Shape,
        _ body: @escaping @Sendable (Call, any WriteTransaction) throws -> JSONValue
    ) -> RequestMethod {
        RequestMethod(name: name, summary: summary, access: .write, parameters: parameters, result: result) { call in
            try call.store { store in try store.write { try body(call, $0) } }
        }
    }

    /// The same, for a profile.
    static func changing(
        _ name: String, _ summary: String, _ parameters: [any ParameterDescription], result: Shape,
        _ body: @escaping @Sendable (Call, User, any WriteTransaction) throws -> JSONValue
    ) -> RequestMethod {
        writing(name, summary, parameters + [user], result: result) { call, chat in
            try body(call, try call.user(in: chat), chat)
        }
    }
}
