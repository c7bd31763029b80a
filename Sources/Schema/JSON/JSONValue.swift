/// A JSON document, or a part of one. Objects keep the order of their members, so that what is written is stable.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number with a fraction or an exponent. A number that is not finite is written as `null`.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// A name and its value in an object.
    package struct Member: Sendable, Hashable {
        package let name: String
        package let value: JSONValue

        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }
}

extension JSONValue {
    /// The text, or `null` for none.
    package init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }

    /// True or false, or `null` for none.
    package init(_ value: Bool?) { self = value.map(JSONValue.bool) ?? .null }

    /// The number, or `null` for none.
    package init(_ number: Int64?) { self = number.map(JSONValue.integer) ?? .null }

    /// The number, or `null` for none.
    package init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }

    /// The number, or `null` for none.
    package init(_ number: Double?) { self = number.map(JSONValue.number) ?? .null }

    /// An array of texts.
    package init(_ texts: [String]) { self = .array(texts.map(JSONValue.string)) }

    /// An object without members, or an array without elements.
    package var isEmpty: Bool {
        switch self {
        case .array(let elements): elements.isEmpty
        case .object(let members): members.isEmpty
        case .null, .bool, .integer, .number, .string: false
        }
    }

    /// The value of a member; nil when the object has no such name, or this is not an object.
    package subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The element at an index from 0; nil when the array is shorter, or this is not an array.
    package subscript(_ index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The text of a string; nil for anything else.
    package var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The value of an integer; nil for anything else.
    package var integerValue: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    /// The value of `true` or `false`; nil for anything else.
    package var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The elements of an array; nil for anything else.
    package var arrayValue: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members of an object in their order; nil for anything else.
    package var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// The members in the order they are written. A name that is written twice stays twice.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}
