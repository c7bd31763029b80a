import ChatDBKit

/// The shape of a parameter or a result. It becomes a JSON Schema in the OpenRPC document.
indirect enum Shape: Sendable {
    case any
    case integer
    case number
    case text
    case flag
    /// One of these words.
    case word([String])
    case array(Shape)
    /// An object with these members, all of them present unless marked otherwise.
    case object([Member])
    /// An object whose names are not known in advance, with values of one shape.
    case map(Shape)
    /// The shape, or null.
    case nullable(Shape)

    /// A member of an object.
    struct Member: Sendable {
        let name: String
        let shape: Shape
        var isRequired = true
    }

    /// The JSON Schema.
    var schema: JSONValue {
        switch self {
        case .any: [:]
        case .integer: ["type": "integer"]
        case .number: ["type": "number"]
        case .text: ["type": "string"]
        case .flag: ["type": "boolean"]
        case .word(let words): ["type": "string", "enum": JSONValue(words)]
        case .array(let element): ["type": "array", "items": element.schema]
        case .object(let members):
            [
                "type": "object", "properties": .object(members.map { .init($0.name, $0.shape.schema) }),
                "required": JSONValue(members.filter(\.isRequired).map(\.name)),
            ]
        case .map(let value): ["type": "object", "additionalProperties": value.schema]
        case .nullable(let shape): ["anyOf": [shape.schema, ["type": "null"]]]
        }
    }
}

extension Shape {
    /// An object by its members; a name that ends with `?` may be missing.
    static func members(_ members: KeyValuePairs<String, Shape>) -> Shape {
        .object(
            members.map { name, shape in
                name.hasSuffix("?")
                    ? Member(name: String(name.dropLast()), shape: shape, isRequired: false)
                    : Member(name: name, shape: shape)
            })
    }

    /// The object with more members at its end.
    func and(_ more: KeyValuePairs<String, Shape>) -> Shape {
        guard case .object(let own) = self, case .object(let others) = Self.members(more) else { return self }
        return .object(own + others)
    }
}
