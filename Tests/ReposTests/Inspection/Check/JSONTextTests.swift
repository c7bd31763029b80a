import ChatDBKit
import TestKit
import Testing

@testable import ChatDBInspection

/// The syntax of JSON for engines that cannot say whether a text is JSON.
@Suite struct JSONTextTests {
    @Test("a text is JSON exactly where SQLite says so")
    func same() throws {
        var texts = ["", " ", "{}", "[]", "0", "-0", "01", "-", "1.", ".1", "1e5", "1E+5", "1e", "1e999"]
        texts += ["true", "tru", "nulll", #""\u00e9""#, #""\ud800""#, #""\u00g0""#, #""\x""#, "\"\t\"", "\"é😀\""]
        texts += [#"{"a":1,"a":2}"#, #"{"a"}"#, "{a:1}", "[1,]", "[,1]", #"{"a":1,}"#, "[1]]", "\u{FEFF}{}"]
        texts.append(" [ 1 , { \"a\" : null } ] \n")
        texts += [900, 5_000].map { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        var random = SplitMix64(seed: 11)
        let seeds = [#"{"a": [1, -2.5e+3, "x\n\u00e9"], "b": {"c": null}}"#, #"[{"type":"text","text":"é"}, true]"#]
        let parts = Array("{}[]:,\"\\u0123456789eE+-.truefalsn é\n")
        while texts.count < 3_000 {
            var text = Array(seeds.randomElement(using: &random) ?? "")
            for _ in 0...Int.random(in: 0...2, using: &random) {
                let place = text.indices.randomElement(using: &random) ?? 0
                switch Int.random(in: 0...2, using: &random) {
                case 0: text.remove(at: place)
                case 1: text.insert(parts.randomElement(using: &random) ?? "0", at: place)
                default: text[place] = parts.randomElement(using: &random) ?? "0"
                }
            }
            texts.append(String(text))
        }
        let folder = try TemporaryFolder()
        let connection = try SQLiteEngine().open(folder.file("empty.db"), as: .create)
        defer { try? connection.close() }
        let expected = try connection.read { tx in
            try texts.map { try tx.count("SELECT json_valid(\($0))") == 1 }
        }
        let found = texts.map(JSONText.isValid)
        #expect(zip(texts, zip(expected, found)).filter { $0.1.0 != $0.1.1 }.map(\.0) == [])
        #expect(expected.contains(true) && expected.contains(false))
    }
}
