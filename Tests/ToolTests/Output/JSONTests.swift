import ChatDBKit
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

    @Test("every control, separator and bidi character is written as an escape, and read back")
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

    @Test("a written value is read back equal, in both layouts", arguments: UInt64(1)...200)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let value = JSONValue.random(using: &random, depth: 4)
        #expect(try JSONValue(parsing: value.text(.pretty)) == value)
        #expect(try JSONValue(parsing: value.text(.compact)) == value)
    }

    @Test("written piece by piece, a value gives the same text", arguments: [JSONLayout.pretty, .compact])
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

    @Test("lookups find members by name and elements by index, and nothing else")
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
