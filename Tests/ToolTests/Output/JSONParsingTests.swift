import ChatDBKit
import Testing

@Suite struct JSONParsingTests {
    @Test(
        "text that is not strict JSON is refused with its position",
        arguments: [
            ("", JSONSyntaxError(.unexpectedEnd, line: 1, column: 1)),
            ("[1,]", JSONSyntaxError(.expected("no comma before \"]\""), line: 1, column: 3)),
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

    @Test("a text with too many levels or bytes is refused before it is parsed")
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

    @Test("short values count too: a text of very many is refused before it fills the memory")
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

    @Test("a duplicate name is found among few and among many", arguments: [2, 8, 9, 10, 200])
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

    @Test("the length of a path depends on the number of its steps, not on the length of its names")
    func longNames() {
        let path = JSONPath.root["a"][String(repeating: "é", count: 100_000)][3][String(repeating: "b", count: 60)]
        #expect(path.description == "a.\(String(repeating: "é", count: 60))…[3].\(String(repeating: "b", count: 60))")
    }

    @Test("a damaged text is refused, or gives a value that can be written again", arguments: UInt64(1)...300)
    func mutated(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var bytes = Array(JSONValue.random(using: &random, depth: 3).text().utf8)
        for _ in 0..<3 where !bytes.isEmpty {
            bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        guard let value = try? JSONValue(parsing: bytes) else { return }
        #expect(try JSONValue(parsing: value.text()) == value)
    }
}
