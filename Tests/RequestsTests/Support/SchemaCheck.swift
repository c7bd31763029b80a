import ChatDBKit

/// Compares a value with the JSON Schemas that the OpenRPC document has.
enum SchemaCheck {
    /// The places that do not match, with the reason; empty if the value matches. A member that the schema does not
    /// name is a mistake of the document.
    static func problems(_ value: JSONValue, _ schema: JSONValue, at path: String = "result") -> [String] {
        if let choices = schema["anyOf"]?.arrayValue {
            let found = choices.map { problems(value, $0, at: path) }
            return found.contains { $0.isEmpty } ? [] : found.min { $0.count < $1.count } ?? []
        }
        if let words = schema["enum"]?.arrayValue, !words.contains(value) { return ["\(path) is not one of the words"] }
        switch schema["type"]?.stringValue {
        case nil: return []
        case "integer": return value.integerValue == nil ? ["\(path) is no integer"] : []
        case "number":
            if case .number = value { return [] }
            return value.integerValue == nil ? ["\(path) is no number"] : []
        case "string": return value.stringValue == nil ? ["\(path) is no string"] : []
        case "boolean": return value.boolValue == nil ? ["\(path) is neither true nor false"] : []
        case "null": return value == .null ? [] : ["\(path) is not null"]
        case "array":
            guard let elements = value.arrayValue else { return ["\(path) is no array"] }
            return elements.enumerated().flatMap { index, element in
                problems(element, schema["items"] ?? [:], at: "\(path)[\(index)]")
            }
        case "object": return objectProblems(value, schema, at: path)
        case let other?: return ["\(path): unknown type \(other)"]
        }
    }

    private static func objectProblems(_ value: JSONValue, _ schema: JSONValue, at path: String) -> [String] {
        guard let members = value.members else { return ["\(path) is no object"] }
        if let any = schema["additionalProperties"] {
            return members.flatMap { problems($0.value, any, at: "\(path).\($0.name)") }
        }
        let known = schema["properties"] ?? [:]
        let required = schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let missing = required.filter { value[$0] == nil }.map { "\(path) lacks \($0)" }
        return missing
            + members.flatMap { member in
                known[member.name].map { problems(member.value, $0, at: "\(path).\(member.name)") }
                    ?? ["\(path).\(member.name) is not described"]
            }
    }
}
