public import ChatDBSchema

/// How somebody named a row that was looked for.
public enum Named<ID: Identifier>: Sendable, Hashable, CustomStringConvertible {
    /// By its number.
    case id(ID)
    /// By its name.
    case name(String)

    /// The number, or the name in quotes.
    public var description: String {
        switch self {
        case .id(let id): "\(id)"
        case .name(let name): "\"\(name)\""
        }
    }

    package var json: JSONValue {
        switch self {
        case .id(let id): .integer(id.rawValue)
        case .name(let name): .string(name)
        }
    }
}
