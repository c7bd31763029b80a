/// The limits of a JSON text.
package struct JSONLimits: Sendable, Hashable {
    package var bytes: Int
    package var depth: Int
    /// The number of values of any kind, arrays and objects among them: each takes memory, however short its text.
    package var values: Int

    package init(bytes: Int = 16 * 1024 * 1024, depth: Int = 128, values: Int = 1_000_000) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
    }
}

extension JSONValue {
    /// Parses one JSON document from UTF-8. Strict: no comments, no byte order mark, no name twice in an object, and no
    /// number that would lose digits before its point. An integer without fraction and exponent is `.integer`.
    package init(parsing bytes: some Sequence<UInt8>, limits: JSONLimits = JSONLimits()) throws(JSONSyntaxError) {
        var parser = try JSONParser(Array(bytes), limits)
        self = try parser.document()
    }

    /// Parses one JSON document from a text.
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
            let comma = position
            try require(",", orSay: "\",\" or \"]\"")
            try refuseEnd("]", after: comma)
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
            let comma = position
            try require(",", orSay: "\",\" or \"}\"")
            try refuseEnd("}", after: comma)
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

/// The names of an object so far. Comparing a few names is faster than hashing them.
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

    /// Refuses an end behind a comma. The comma is what to remove, and the end may be lines below it.
    private mutating func refuseEnd(_ end: Unicode.Scalar, after comma: Int) throws(JSONSyntaxError) {
        skipSpace()
        if position < bytes.count, bytes[position] == UInt8(ascii: end) {
            throw error(.expected("no comma before \"\(end)\""), at: comma)
        }
    }

    func error(_ problem: JSONSyntaxError.Problem, at place: Int? = nil) -> JSONSyntaxError {
        let before = bytes.prefix(place ?? position)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        // Every scalar has exactly one byte that is not a continuation byte.
        let column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
        return JSONSyntaxError(problem, line: line, column: column)
    }
}

extension JSONParser {
    /// Reads a string; the position is at its opening quote.
    mutating func string() throws(JSONSyntaxError) -> String {
        position += 1
        let plain = try plainBytes()
        if bytes[position] == UInt8(ascii: "\"") {
            position += 1
            return String(decoding: plain, as: UTF8.self)
        }
        var text = Array(plain)
        while bytes[position] != UInt8(ascii: "\"") {
            text += try escape()
            text += try plainBytes()
        }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes up to a quote or a backslash, at which the position is then.
    private mutating func plainBytes() throws(JSONSyntaxError) -> ArraySlice<UInt8> {
        let start = position
        while true {
            switch try peek() {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): return bytes[start..<position]
            case 0..<0x20: throw error(.controlCharacterInString)
            default: position += 1
            }
        }
    }

    private mutating func escape() throws(JSONSyntaxError) -> [UInt8] {
        let start = position
        position += 1
        let letter = try peek()
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(try unicodeEscape(from: start)).utf8)
        default: throw error(.invalidEscape, at: start)
        }
    }

    /// Reads a code point, or the surrogate pair of one outside the first plane. Refuses a single surrogate.
    private mutating func unicodeEscape(from start: Int) throws(JSONSyntaxError) -> Character {
        var value = try fourDigits(from: start)
        if (0xD800...0xDBFF).contains(value), take("\\"), take("u") {
            let low = try fourDigits(from: start)
            guard (0xDC00...0xDFFF).contains(low) else { throw error(.invalidEscape, at: start) }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw error(.invalidEscape, at: start) }
        return Character(scalar)
    }

    private mutating func fourDigits(from start: Int) throws(JSONSyntaxError) -> UInt32 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4 else { throw error(.unexpectedEnd, at: bytes.count) }
        // `UInt32.init` accepts a sign, JSON does not.
        guard digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw error(.invalidEscape, at: start) }
        position += 4
        return value
    }
}

/// The reason why a text is not JSON within the limits, and the place. It holds nothing of the text itself.
package struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Problem: Sendable, Hashable {
        case tooLarge(limit: Int)
        case tooDeep(limit: Int)
        case tooMany(limit: Int)
        case invalidUTF8
        case unexpectedEnd
        case expected(String)
        case controlCharacterInString
        case invalidEscape
        case invalidNumber
        case numberOutOfRange
        case duplicateName
        case textAfterTheEnd
    }

    package let problem: Problem
    /// From 1.
    package let line: Int
    /// From 1, in Unicode scalars.
    package let column: Int

    package init(_ problem: Problem, line: Int, column: Int) {
        self.problem = problem
        self.line = line
        self.column = column
    }

    /// Whether the text may be JSON, but exceeds a limit.
    package var isLimit: Bool {
        switch problem {
        case .tooLarge, .tooDeep, .tooMany, .numberOutOfRange: true
        default: false
        }
    }

    /// The place and the sentence: `line 2, column 7: expected a value`.
    package var description: String { "line \(line), column \(column): \(sentence)" }

    /// The sentence without the place.
    package var sentence: String {
        switch problem {
        case .tooLarge(let limit): "more than \(limit) bytes"
        case .tooDeep(let limit): "more than \(limit) levels deep"
        case .tooMany(let limit): "more than \(limit) values"
        case .invalidUTF8: "not valid UTF-8"
        case .unexpectedEnd: "the text ends too early"
        case .expected(let what): "expected \(what)"
        case .controlCharacterInString: "a control character in a string must be written as an escape"
        case .invalidEscape: "no such escape in JSON"
        case .invalidNumber: "no such number in JSON"
        case .numberOutOfRange: "the number is out of range"
        case .duplicateName: "the object has this name already"
        case .textAfterTheEnd: "text after the end of the document"
        }
    }
}
