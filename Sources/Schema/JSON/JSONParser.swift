/// How much a JSON text may ask of its reader.
package struct JSONLimits: Sendable, Hashable {
    package var bytes: Int
    package var depth: Int
    /// Of any kind, arrays and objects among them: each takes memory, however short its text.
    package var values: Int

    package init(bytes: Int = 16 * 1024 * 1024, depth: Int = 128, values: Int = 1_000_000) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
    }
}

extension JSONValue {
    /// Reads one JSON document from UTF-8. Strict: no comments, no byte order mark, no name twice in an object, and no
    /// number that would lose digits before its point. An integer without fraction and exponent is `.integer`.
    package init(parsing bytes: some Sequence<UInt8>, limits: JSONLimits = JSONLimits()) throws(JSONSyntaxError) {
        var parser = try JSONParser(Array(bytes), limits)
        self = try parser.document()
    }

    /// Reads one JSON document from a text.
    package init(parsing text: String, limits: JSONLimits = JSONLimits()) throws(JSONSyntaxError) {
        try self.init(parsing: text.utf8, limits: limits)
    }
}

/// A parser by recursive descent over bytes that are known to be UTF-8.
struct JSONParser {
    let bytes: [UInt8]
    let limits: JSONLimits
    var position = 0
    private var values = 0

    init(_ bytes: [UInt8], _ limits: JSONLimits) throws(JSONSyntaxError) {
        self.bytes = bytes
        self.limits = limits
        guard bytes.count <= limits.bytes else { throw error(.tooLarge(limit: limits.bytes), at: 0) }
        if String(validating: bytes, as: UTF8.self) == nil {
            // Repairing replaces what is not UTF-8, so the first difference is the place.
            let repaired = String(decoding: bytes, as: UTF8.self)
            throw error(.invalidUTF8, at: zip(repaired.utf8, bytes).prefix { $0 == $1 }.count)
        }
    }

    mutating func document() throws(JSONSyntaxError) -> JSONValue {
        let value = try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw error(.textAfterTheEnd) }
        return value
    }

    mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        skipSpace()
        values += 1
        guard values <= limits.values else { throw error(.tooMany(limit: limits.values)) }
        switch try peek() {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw error(.expected("a value"))
        }
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        guard depth <= limits.depth else { throw error(.tooDeep(limit: limits.depth)) }
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if take("]") { return .array(elements) }
        while true {
            elements.append(try value(depth: depth))
            skipSpace()
            if take("]") { return .array(elements) }
            try require(",", orSay: "\",\" or \"]\"")
        }
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        guard depth <= limits.depth else { throw error(.tooDeep(limit: limits.depth)) }
        position += 1
        var members: [JSONValue.Member] = []
        var names = MemberNames()
        skipSpace()
        if take("}") { return .object(members) }
        while true {
            skipSpace()
            let start = position
            guard try peek() == UInt8(ascii: "\"") else { throw error(.expected("a name in quotes")) }
            let name = try string()
            guard names.insert(name, among: members) else { throw error(.duplicateName, at: start) }
            skipSpace()
            try require(":", orSay: "\":\"")
            members.append(JSONValue.Member(name, try value(depth: depth)))
            skipSpace()
            if take("}") { return .object(members) }
            try require(",", orSay: "\",\" or \"}\"")
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        guard bytes[position...].starts(with: word.utf8) else { throw error(.expected("a value")) }
        position += word.utf8.count
        return value
    }

    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = position
        _ = take("-")
        let firstDigit = position
        let digits = skipDigits()
        guard digits > 0, digits == 1 || bytes[firstDigit] != UInt8(ascii: "0") else {
            throw error(.invalidNumber, at: start)
        }
        var isInteger = true
        if take(".") {
            isInteger = false
            guard skipDigits() > 0 else { throw error(.invalidNumber, at: start) }
        }
        if take("e") || take("E") {
            isInteger = false
            if !take("+") { _ = take("-") }
            guard skipDigits() > 0 else { throw error(.invalidNumber, at: start) }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let integer = Int64(text) { return .integer(integer) }
        guard !isInteger, let number = Double(text), number.isFinite else {
            throw error(.numberOutOfRange, at: start)
        }
        return .number(number)
    }
}

/// The names an object has so far. Of a few, looking at each is faster than hashing them all.
private struct MemberNames {
    private static let few = 8
    private var many: Set<String> = []

    /// Whether the name is new.
    mutating func insert(_ name: String, among members: [JSONValue.Member]) -> Bool {
        if members.count < Self.few { return !members.contains { $0.name == name } }
        if many.isEmpty { many = Set(members.map(\.name)) }
        return many.insert(name).inserted
    }
}

// MARK: - Single bytes and places

extension JSONParser {
    mutating func skipDigits() -> Int {
        let start = position
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            position += 1
        }
        return position - start
    }

    mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    func peek() throws(JSONSyntaxError) -> UInt8 {
        guard position < bytes.count else { throw error(.unexpectedEnd) }
        return bytes[position]
    }

    mutating func take(_ wanted: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: wanted) else { return false }
        position += 1
        return true
    }

    mutating func require(_ wanted: Unicode.Scalar, orSay expected: String) throws(JSONSyntaxError) {
        guard try peek() == UInt8(ascii: wanted) else { throw error(.expected(expected)) }
        position += 1
    }

    func error(_ problem: JSONSyntaxError.Problem, at place: Int? = nil) -> JSONSyntaxError {
        let before = bytes.prefix(place ?? position)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        // Every scalar has one byte that is no continuation.
        let column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
        return JSONSyntaxError(problem, line: line, column: column)
    }
}
