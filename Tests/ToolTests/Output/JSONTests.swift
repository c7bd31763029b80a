import Schema
import Testing

@Suite struct JSONTests {
    @Test("the pretty layout has a line for every value and two spaces for every level")
    func pretty() {
        let value: JSONValue = [
            "name": "Ann", "ids": [1, -2], "none": nil, "yes": true, "half": 0.5, "empty": [:], "list": [],
        ]
        #expect(
            value.text() == """
                {
                  "name": "Ann",
                  "ids": [
                    1,
                    -2
                  ],
                  "none": null,
                  "yes": true,
                  "half": 0.5,
                  "empty": {},
                  "list": []
                }
                """)
    }

    @Test("the compact layout has no space and no line")
    func compact() {
        let value: JSONValue = ["a": [1, 2, ["b": nil]], "c": "d e"]
        #expect(value.text(.compact) == #"{"a":[1,2,{"b":null}],"c":"d e"}"#)
    }

    @Test("every control, separator and bidi character leaves as an escape, and comes back")
    func escapes() throws {
        let unsafe = (0...0x2100).compactMap(Unicode.Scalar.init).filter(UnsafeScalars.contains)
        #expect(unsafe.count == 32 + 33 + 1 + 2 + 7 + 4)
        for scalar in unsafe {
            let text = JSONValue.string("a\(scalar)b").text()
            #expect(!text.unicodeScalars.contains(where: UnsafeScalars.contains), "\(scalar.value)")
            #expect(try JSONValue(parsing: text) == .string("a\(scalar)b"))
        }
        #expect(JSONValue.string("\u{1b}\u{9b}\u{7f}\u{202e}\t\n\r").text() == #""\u001b\u009b\u007f\u202e\t\n\r""#)
        #expect(JSONValue.string(#"é😀 "q" \ /"#).text() == #""é😀 \"q\" \\ /""#)
    }

    @Test("a number that is not finite is null")
    func notFinite() {
        #expect(JSONValue.array([.number(.nan), .number(.infinity)]).text(.compact) == "[null,null]")
    }

    @Test("what is written is read back equal, in both layouts", arguments: UInt64(1)...200)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let value = JSONValue.random(using: &random, depth: 4)
        #expect(try JSONValue(parsing: value.text(.pretty)) == value)
        #expect(try JSONValue(parsing: value.text(.compact)) == value)
    }

    @Test("the writer gives piece by piece what the value gives as a whole", arguments: [JSONLayout.pretty, .compact])
    func pieces(layout: JSONLayout) throws {
        var random = SeededGenerator(seed: 7)
        let elements = (0..<3000).map { _ in JSONValue.random(using: &random, depth: 2) }
        var chunks: [[UInt8]] = []
        var writer = JSONWriter(layout) { chunks.append($0) }
        writer.beginObject()
        try writer.member("first", 1)
        writer.name("elements")
        writer.beginArray()
        for element in elements { try writer.value(element) }
        writer.endArray()
        writer.name("nothing")
        writer.beginArray()
        writer.endArray()
        writer.endObject()
        try writer.finish()

        let whole: JSONValue = ["first": 1, "elements": .array(elements), "nothing": []]
        #expect(String(decoding: chunks.joined(), as: UTF8.self) == whole.text(layout) + "\n")
        #expect(chunks.count > 1)
        #expect(chunks.allSatisfy { $0.count < 128 * 1024 })
    }

    @Test("an error of the sink reaches the caller")
    func sinkFails() {
        struct Full: Error {}
        var writer = JSONWriter { _ in throw Full() }
        #expect(throws: Full.self) {
            try writer.value(1)
            try writer.finish()
        }
    }

    @Test(
        "what is not strict JSON is refused with its place",
        arguments: [
            ("", JSONSyntaxError(.unexpectedEnd, line: 1, column: 1)),
            ("[1,]", JSONSyntaxError(.expected("a value"), line: 1, column: 4)),
            ("[1 2]", JSONSyntaxError(.expected("\",\" or \"]\""), line: 1, column: 4)),
            ("{\n  \"é\": 1,\n  \"é\": 2}", JSONSyntaxError(.duplicateName, line: 3, column: 3)),
            ("{\"é\": x}", JSONSyntaxError(.expected("a value"), line: 1, column: 7)),
            ("{a: 1}", JSONSyntaxError(.expected("a name in quotes"), line: 1, column: 2)),
            ("{\"a\" 1}", JSONSyntaxError(.expected("\":\""), line: 1, column: 6)),
            ("tru", JSONSyntaxError(.expected("a value"), line: 1, column: 1)),
            ("01", JSONSyntaxError(.invalidNumber, line: 1, column: 1)),
            ("-", JSONSyntaxError(.invalidNumber, line: 1, column: 1)),
            ("1.", JSONSyntaxError(.invalidNumber, line: 1, column: 1)),
            ("1e", JSONSyntaxError(.invalidNumber, line: 1, column: 1)),
            ("+1", JSONSyntaxError(.expected("a value"), line: 1, column: 1)),
            ("9223372036854775808", JSONSyntaxError(.numberOutOfRange, line: 1, column: 1)),
            ("1e999", JSONSyntaxError(.numberOutOfRange, line: 1, column: 1)),
            ("\"a\nb\"", JSONSyntaxError(.controlCharacterInString, line: 1, column: 3)),
            ("\"\\x\"", JSONSyntaxError(.invalidEscape, line: 1, column: 2)),
            ("\"\\ud800\"", JSONSyntaxError(.invalidEscape, line: 1, column: 2)),
            ("\"\\ud800\\u0041\"", JSONSyntaxError(.invalidEscape, line: 1, column: 2)),
            ("\"\\udc00\"", JSONSyntaxError(.invalidEscape, line: 1, column: 2)),
            ("\"\\u+123\"", JSONSyntaxError(.invalidEscape, line: 1, column: 2)),
            ("\"\\u12", JSONSyntaxError(.unexpectedEnd, line: 1, column: 6)),
            ("\"abc", JSONSyntaxError(.unexpectedEnd, line: 1, column: 5)),
            ("1 1", JSONSyntaxError(.textAfterTheEnd, line: 1, column: 3)),
            ("\u{feff}1", JSONSyntaxError(.expected("a value"), line: 1, column: 1)),
            ("// no\n1", JSONSyntaxError(.expected("a value"), line: 1, column: 1)),
        ])
    func refused(text: String, error: JSONSyntaxError) {
        #expect(throws: error) { try JSONValue(parsing: text) }
    }

    @Test("bytes that are not UTF-8 are refused at the first of them")
    func invalidUTF8() {
        let bytes: [UInt8] = Array("[\n\"é".utf8) + [0xFF, 0x22, 0x5D]
        #expect(throws: JSONSyntaxError(.invalidUTF8, line: 2, column: 3)) { try JSONValue(parsing: bytes) }
    }

    @Test("a text that is too deep or too long is refused before it is followed")
    func limits() throws {
        let limits = JSONLimits(bytes: 100, depth: 3)
        #expect(try JSONValue(parsing: "[[[1]]]", limits: limits) == [[[1]]])
        #expect(throws: JSONSyntaxError(.tooDeep(limit: 3), line: 1, column: 4)) {
            try JSONValue(parsing: "[[[[1]]]]", limits: limits)
        }
        #expect(throws: JSONSyntaxError(.tooLarge(limit: 100), line: 1, column: 1)) {
            try JSONValue(parsing: String(repeating: " ", count: 101), limits: limits)
        }
        #expect(throws: JSONSyntaxError(.tooDeep(limit: 128), line: 1, column: 129)) {
            try JSONValue(parsing: String(repeating: "[", count: 1_000_000))
        }
    }

    @Test("short values count as long ones do: a text of very many is refused before they fill the memory")
    func mostValues() throws {
        let few = JSONLimits(values: 4)
        #expect(try JSONValue(parsing: #"[1, {"a": []}]"#, limits: few) == [1, ["a": []]])
        #expect(throws: JSONSyntaxError(.tooMany(limit: 4), line: 1, column: 13)) {
            try JSONValue(parsing: #"[1, {"a": [2]}]"#.replacing("2", with: " 2"), limits: few)
        }
        #expect(throws: JSONSyntaxError(.tooMany(limit: 1_000_000), line: 1, column: 2_999_999)) {
            try JSONValue(parsing: "[" + String(repeating: "[],", count: 2_000_000) + "0]")
        }
    }

    @Test("a name that is there twice is found among few and among many", arguments: [2, 8, 9, 10, 200])
    func duplicateNames(count: Int) throws {
        let names = (1...count).map { "n\($0)" }
        let text = { (names: [String]) in "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}" }
        #expect(try JSONValue(parsing: text(names)).members?.map(\.name) == names)
        for name in [names[0], names[count - 1]] {
            #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text(names + [name])) }
        }
    }

    @Test(
        "escapes at any place of a string are read",
        arguments: [
            (#""""#, ""), (#""\n""#, "\n"), (#""a\n""#, "a\n"), (#""\na""#, "\na"), (#""a\nb\\""#, "a\nb\\"),
            (#""é\u00e9é""#, "ééé"), (#""\"\"""#, "\"\""),
        ])
    func escapes(text: String, value: String) throws {
        #expect(try JSONValue(parsing: text) == .string(value))
    }

    @Test("a path is as long as its steps are many, not as its names are long")
    func longNames() {
        let path = JSONPath.root["a"][String(repeating: "é", count: 100_000)][3][String(repeating: "b", count: 60)]
        #expect(path.description == "a.\(String(repeating: "é", count: 60))…[3].\(String(repeating: "b", count: 60))")
    }

    @Test("a damaged text is refused, or read as what can be written again", arguments: UInt64(1)...300)
    func mutated(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var bytes = Array(JSONValue.random(using: &random, depth: 3).text().utf8)
        for _ in 0..<3 where !bytes.isEmpty {
            bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        guard let value = try? JSONValue(parsing: bytes) else { return }
        #expect(try JSONValue(parsing: value.text()) == value)
    }

    @Test("members and elements are found by name and place, and nothing is found elsewhere")
    func lookUp() throws {
        let value = try JSONValue(parsing: #"{"a": [1, "x", true], "b": "\ud83d\ude00\/"}"#)
        #expect(value["a"]?[0]?.integerValue == 1)
        #expect(value["a"]?[1]?.stringValue == "x")
        #expect(value["a"]?[2]?.boolValue == true)
        #expect(value["a"]?[3] == nil)
        #expect(value["b"]?.stringValue == "😀/")
        #expect(value["c"] == nil)
        #expect(value["a"]?["a"] == nil)
        #expect(value.members?.map(\.name) == ["a", "b"])
    }
}

extension JSONValue {
    static func random(using random: inout SeededGenerator, depth: Int) -> JSONValue {
        switch Int.random(in: 0...(depth > 0 ? 7 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .integer(Int64.random(in: .min ... .max, using: &random))
        case 3: return .number(Double.random(in: -1e300...1e300, using: &random))
        case 4: return .number(Double.random(in: -10...10, using: &random))
        case 5: return .string(randomText(using: &random))
        case 6:
            let count = Int.random(in: 0...4, using: &random)
            return .array((0..<count).map { _ in JSONValue.random(using: &random, depth: depth - 1) })
        default:
            let count = Int.random(in: 0...4, using: &random)
            return .object(
                (0..<count).map {
                    let name = "\($0)" + randomText(using: &random)
                    return Member(name, JSONValue.random(using: &random, depth: depth - 1))
                })
        }
    }

    static func randomText(using random: inout SeededGenerator) -> String {
        let planes: [ClosedRange<UInt32>] = [0...0x7F, 0x80...0x2FF, 0x2000...0x20FF, 0x1F600...0x1F64F]
        var text = ""
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            let plane = planes[Int.random(in: planes.indices, using: &random)]
            guard let scalar = Unicode.Scalar(UInt32.random(in: plane, using: &random)) else { continue }
            text.unicodeScalars.append(scalar)
        }
        return text
    }
}

/// SplitMix64: the same seed gives the same numbers on every machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
