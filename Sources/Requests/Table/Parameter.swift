import ChatDBKit

/// A parameter of a method, without the type of its value: for the table of methods.
protocol ParameterDescription: Sendable {
    var name: String { get }
    /// One sentence about its meaning.
    var words: String { get }
    var shape: Shape { get }
    var isRequired: Bool { get }

    /// Throws if a given value is not of the parameter's type.
    func check(_ value: JSONValue) throws(RequestError)
}

/// A parameter of a method, and how its value is read.
struct Parameter<Value: Sendable>: ParameterDescription {
    let name: String
    let words: String
    let shape: Shape
    let isRequired: Bool
    /// What a value is, for the error about one that is not: `an integer`.
    fileprivate let expected: String
    /// Nil for a value of another type.
    fileprivate let read: @Sendable (JSONValue) -> Value?
    /// The value when the parameter is not given; nil if it is required.
    fileprivate let missing: Value?

    func check(_ value: JSONValue) throws(RequestError) { _ = try self.value(of: value) }

    fileprivate func value(of given: JSONValue?) throws(RequestError) -> Value {
        if let given {
            if let value = read(given) { return value }
            throw RequestError(
                code: .invalidParameters, message: "the parameter \"\(name)\" must be \(expected)",
                data: [.init("parameter", .string(name)), .init("expected", shape.schema)])
        }
        if let missing { return missing }
        throw RequestError(
            code: .invalidParameters, message: "the parameter \"\(name)\" is missing: it must be \(expected)",
            data: [.init("parameter", .string(name)), .init("expected", shape.schema)])
    }
}

extension Parameter {
    private init(
        _ name: String, _ words: String, _ shape: Shape, _ expected: String,
        _ read: @escaping @Sendable (JSONValue) -> Value?
    ) {
        self.init(
            name: name, words: words, shape: shape, isRequired: true, expected: expected, read: read, missing: nil)
    }

    /// The same parameter, which may be missing or null.
    var optional: Parameter<Value?> {
        Parameter<Value?>(
            name: name, words: words, shape: .nullable(shape), isRequired: false, expected: "\(expected) or null",
            read: { [read] value in
                if value == .null { return .some(nil) }
                return read(value).map { .some($0) }
            }, missing: .some(nil))
    }

    /// The same parameter, with a value when it is missing or null.
    func or(_ value: Value) -> Parameter {
        Parameter(
            name: name, words: words, shape: .nullable(shape), isRequired: false, expected: "\(expected) or null",
            read: { [read] given in given == .null ? value : read(given) }, missing: value)
    }
}

extension Parameter where Value == String {
    static func text(_ name: String, _ words: String) -> Self {
        Parameter(name, words, .text, "a string") { $0.stringValue }
    }
}

extension Parameter where Value == Bool {
    static func flag(_ name: String, _ words: String) -> Parameter {
        Parameter(name, words, .flag, "true or false") { $0.boolValue }
    }
}

extension Parameter where Value == Int {
    static func count(_ name: String, _ words: String) -> Self {
        Parameter(name, words, .integer, "an integer") { $0.integerValue.map { Int(clamping: $0) } }
    }
}

extension Parameter where Value == Int64 {
    static func integer(_ name: String, _ words: String) -> Self {
        Parameter(name, words, .integer, "an integer") { $0.integerValue }
    }
}

extension Parameter where Value == [String] {
    static func texts(_ name: String, _ words: String) -> Self {
        Parameter(name, words, .array(.text), "an array of strings") { value in
            guard let elements = value.arrayValue else { return nil }
            let texts = elements.compactMap(\.stringValue)
            return texts.count == elements.count ? texts : nil
        }
    }
}

extension Parameter where Value == JSONValue {
    static func any(_ name: String, _ words: String) -> Self {
        Parameter(name, words, .any, "any value") { $0 }
    }
}

extension Parameter {
    /// The number of a row.
    static func id<Row>(_ name: String, _ words: String) -> Self where Value == RowID<Row> {
        Parameter(name, words, .integer, "an integer") { value in value.integerValue.map { RowID<Row>($0) } }
    }

    /// The numbers of rows.
    static func ids<Row>(_ name: String, _ words: String) -> Self where Value == [RowID<Row>] {
        Parameter(name, words, .array(.integer), "an array of integers") { value in
            guard let elements = value.arrayValue else { return nil }
            let numbers = elements.compactMap(\.integerValue)
            return numbers.count == elements.count ? numbers.map { RowID<Row>($0) } : nil
        }
    }

    /// One of the cases of an enumeration, by its text.
    static func word(_ name: String, _ words: String) -> Self
    where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
        let texts = Value.allCases.map(\.rawValue)
        return Parameter(name, words, .word(texts), "one of \(texts.joined(separator: ", "))") { value in
            value.stringValue.flatMap { Value(rawValue: $0) }
        }
    }
}

/// The parameters that a request gave, which have the types that its method declares.
struct Arguments: Sendable {
    private let given: [JSONValue.Member]

    /// Throws for a parameter that the method does not have, and for one that is missing or has another type.
    init(_ given: [JSONValue.Member], for parameters: [any ParameterDescription]) throws(RequestError) {
        self.given = given
        for member in given {
            guard let parameter = parameters.first(where: { $0.name == member.name }) else {
                let known = parameters.map(\.name)
                let list = known.isEmpty ? "none" : known.joined(separator: ", ")
                throw RequestError(
                    code: .invalidParameters,
                    message: "the method has no parameter \(Quoted.text(member.name)); it has \(list)",
                    data: [.init("parameters", JSONValue(known))])
            }
            try parameter.check(member.value)
        }
        for parameter in parameters where parameter.isRequired && !given.contains(where: { $0.name == parameter.name })
        {
            throw RequestError(
                code: .invalidParameters, message: "the parameter \"\(parameter.name)\" is missing",
                data: [.init("parameter", .string(parameter.name)), .init("expected", parameter.shape.schema)])
        }
    }

    /// The value of a parameter that the method declares.
    subscript<Value>(_ parameter: Parameter<Value>) -> Value {
        get throws(RequestError) {
            try parameter.value(of: given.first { $0.name == parameter.name }?.value)
        }
    }

    /// Whether the request gives the parameter, as null or as a value.
    func has<Value>(_ parameter: Parameter<Value>) -> Bool { given.contains { $0.name == parameter.name } }
}
