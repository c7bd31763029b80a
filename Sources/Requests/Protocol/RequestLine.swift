import ChatDBKit

/// One line of a client: a request, a notification, or a batch of both.
struct RequestLine {
    /// A request of the line, or the reason why an entry is not a request.
    enum Entry {
        case request(Request)
        /// Has no id if it is a notification, which gets no answer.
        case invalid(RequestError, id: JSONValue?)
    }

    /// A request that has the form of JSON-RPC.
    struct Request {
        let method: String
        /// The parameters by name; empty without parameters.
        let parameters: [JSONValue.Member]
        /// Nil for a notification, which gets no answer.
        let id: JSONValue?
    }

    let entries: [Entry]
    /// Whether the answers are an array.
    let isBatch: Bool

    /// Reads a line. Throws if it is not JSON within the limits, and if it is an empty or too large batch.
    init(_ line: some Sequence<UInt8>, limits: JSONLimits, batch: Int) throws(RequestError) {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(parsing: line, limits: limits)
        } catch {
            throw RequestError(error)
        }
        guard case .array(let elements) = value else {
            (entries, isBatch) = ([Self.entry(value)], false)
            return
        }
        guard !elements.isEmpty else { throw Self.invalid("a batch has at least one request") }
        guard elements.count <= batch else {
            throw Self.invalid("a batch has at most \(batch) requests")
        }
        (entries, isBatch) = (elements.map(Self.entry), true)
    }

    private static func entry(_ value: JSONValue) -> Entry {
        guard let members = value.members else { return .invalid(invalid("a request must be an object"), id: .null) }
        let given = value["id"]
        var id = JSONValue.null
        switch given {
        case nil, .null?: break
        case .string?, .integer?, .number?: id = given ?? .null
        default: return .invalid(invalid("\"id\" must be a string, a number or null"), id: .null)
        }
        guard value["jsonrpc"]?.stringValue == "2.0" else {
            return .invalid(invalid("\"jsonrpc\" must be \"2.0\""), id: id)
        }
        guard let method = value["method"]?.stringValue else {
            return .invalid(invalid("\"method\" must be the name of a method"), id: id)
        }
        if let other = members.first(where: { !["jsonrpc", "method", "params", "id"].contains($0.name) }) {
            return .invalid(invalid("a request has no member \(Quoted.text(other.name))"), id: id)
        }
        var parameters: [JSONValue.Member] = []
        switch value["params"] {
        case nil: break
        case .object(let given)?: parameters = given
        default:
            let error = RequestError(
                code: .invalidParameters, message: "\"params\" must be an object: parameters are given by name")
            return .invalid(error, id: given)
        }
        return .request(Request(method: method, parameters: parameters, id: given))
    }

    private static func invalid(_ message: String) -> RequestError {
        RequestError(code: .invalidRequest, message: message)
    }
}

/// A name that a client gave, in a message.
enum Quoted {
    /// The text in quotes, shortened: a message is no place for a long one.
    static func text(_ text: String) -> String {
        let longest = 60
        let short = text.count > longest ? text.prefix(longest) + "…" : text[...]
        return "\"\(short)\""
    }
}
