import ChatDBKit
import Foundation

/// As much of JSON Schema as docs/preset.schema.json uses. A word it does not know is a problem, so that none is passed
/// over.
struct SchemaCheck {
    let root: JSONValue

    /// What is wrong with a value, with paths; empty for a valid one.
    func problems(_ value: JSONValue) -> [String] { problems(value, root, at: "$") }

    private func problems(_ value: JSONValue, _ schema: JSONValue, at path: String) -> [String] {
        (schema.members ?? []).flatMap { word -> [String] in
            switch (word.name, word.value) {
            case ("$schema", _), ("title", _), ("description", _), ("$defs", _): []
            case ("$ref", .string(let name)): problems(value, definition(name), at: path)
            case ("const", let wanted): value == wanted ? [] : ["\(path): not \(wanted.text(.compact))"]
            case ("type", .string(let type)): isA(type, value) ? [] : ["\(path): not of type \(type)"]
            case ("required", let names):
                (names.arrayValue ?? []).compactMap(\.stringValue).filter { value[$0] == nil }
                    .map { "\(path): no \($0)" }
            case ("properties", let properties):
                (properties.members ?? []).flatMap { property in
                    value[property.name].map { problems($0, property.value, at: "\(path).\(property.name)") } ?? []
                }
            case ("additionalProperties", false):
                (value.members ?? []).filter { schema["properties"]?[$0.name] == nil }
                    .map { "\(path): unknown \($0.name)" }
            case ("items", let items):
                (value.arrayValue ?? []).enumerated().flatMap { problems($1, items, at: "\(path)[\($0)]") }
            case ("minimum", .integer(let least)): (value.integerValue ?? least) >= least ? [] : ["\(path): too small"]
            case ("minLength", .integer(let least)):
                length(value).map { $0 >= least } ?? true ? [] : ["\(path): too short"]
            case ("maxLength", .integer(let most)):
                length(value).map { $0 <= most } ?? true ? [] : ["\(path): too long"]
            case ("pattern", .string(let pattern)): matches(value, pattern) ? [] : ["\(path): not as \(pattern)"]
            default: ["\(path): the check does not know \(word.name)"]
            }
        }
    }

    private func definition(_ name: String) -> JSONValue {
        name.split(separator: "/").dropFirst().reduce(root) { $0[String($1)] ?? ["missing definition": true] }
    }

    private func isA(_ type: String, _ value: JSONValue) -> Bool {
        switch (type, value) {
        case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool), ("integer", .integer):
            true
        default: false
        }
    }

    private func length(_ value: JSONValue) -> Int64? { value.stringValue.map { Int64($0.unicodeScalars.count) } }

    private func matches(_ value: JSONValue, _ pattern: String) -> Bool {
        value.stringValue.map { $0.range(of: pattern, options: .regularExpression) != nil } ?? true
    }
}
