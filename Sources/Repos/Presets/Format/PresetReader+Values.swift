import ChatDBReposKit
import ChatDBSchema

extension PresetReader {
    /// The object, one without members in the place of another value, which is reported, as are members that are not
    /// allowed.
    mutating func object(_ value: JSONValue, at path: @autoclosure () -> JSONPath, allowed: [String]) -> JSONValue {
        guard let members = value.members else {
            report(path(), "it is \(value.typeName); expected an object")
            return [:]
        }
        for member in members where !allowed.contains(member.name) {
            let message = "\(PresetProblem.unknownField); expected one of \(allowed.joined(separator: ", "))"
            if isLenient { warn(path()[member.name], message) } else { report(path()[member.name], message) }
        }
        return value
    }

    // Paths are made only when there is something to tell of their place: a preset has very many places.

    /// The elements of an array, each with its path; none when it is not there.
    mutating func list(_ value: JSONValue?, at path: @autoclosure () -> JSONPath) -> [(
        value: JSONValue, path: JSONPath
    )] {
        guard let value else { return [] }
        guard let elements = value.arrayValue else {
            report(path(), "it is \(value.typeName); expected an array")
            return []
        }
        let path = path()
        return elements.enumerated().map { ($1, path[$0]) }
    }

    mutating func text(_ value: JSONValue?, at path: @autoclosure () -> JSONPath) -> String? {
        guard let value else { return nil }
        if let text = value.stringValue { return text }
        report(path(), "it is \(value.typeName); expected a string")
        return nil
    }

    mutating func flag(_ value: JSONValue?, at path: @autoclosure () -> JSONPath) -> Bool? {
        guard let value else { return nil }
        if let flag = value.boolValue { return flag }
        report(path(), "it is \(value.typeName); expected true or false")
        return nil
    }

    mutating func number(_ value: JSONValue?, at path: @autoclosure () -> JSONPath) -> Int {
        if let number = value?.integerValue, let count = Int(exactly: number), count >= 0 { return count }
        report(path(), value == nil ? "it is missing; expected a number from 0" : "expected a whole number from 0")
        return 0
    }

    /// A name by the rule for names; nil when there is none or it breaks the rule.
    mutating func name(_ value: JSONValue?, at path: @autoclosure () -> JSONPath) -> String? {
        guard let given = text(value, at: path()) else { return nil }
        do throws(NameProblem) {
            return try NameRule.checked(given)
        } catch {
            report(path(), "it \(error.message)")
            return nil
        }
    }

    /// Domains as they are stored: in lower case, each once.
    mutating func domains(_ value: JSONValue?, at path: @autoclosure () -> JSONPath) -> [String] {
        guard let value else { return [] }
        var domains: [String] = []
        var seen: Set<String> = []
        for element in list(value, at: path()) {
            guard let given = text(element.value, at: element.path) else { continue }
            guard let domain = DomainRule.checked(given) else {
                report(element.path, "expected a domain of letters, digits, hyphens and dots")
                continue
            }
            if seen.insert(domain).inserted { domains.append(domain) }
        }
        return domains
    }
}

extension ServerAddress {
    /// What is wrong with it in a list of servers of another protocol.
    func otherProtocol(than expected: ServerProtocol) -> String {
        "it is the address of an \(serverProtocol.shownName) server; expected one that begins with \(expected.text)://"
    }
}

extension JSONValue {
    /// What kind of value it is, with its article.
    var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
