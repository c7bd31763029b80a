import Testing

@testable import ChatDBSchema

/// The short way for the usual link has the answers of the parser.
@Suite struct PlainRelayLinkTests {
    private static let key = String(repeating: "A", count: 43)

    @Test(
        "the usual link is read in one pass",
        arguments: [
            "https://relay.example.org/r#\(key)", "https://a/a#\(key)", "https://1.2.x-3/r#\(key)",
            "https://" + String(repeating: "a", count: 63) + "/r#\(key)",
        ])
    func plain(_ text: String) throws {
        #expect(PlainRelayLink.parts(of: text) != nil)
        try compare(text)
    }

    @Test(
        "everything else is left to the parser, right or wrong",
        arguments: [
            "", "https://", "https:///r#\(key)", "https://A/r#\(key)", "https://a_b/r#\(key)", "https://a:1/r#\(key)",
            "https://-a/r#\(key)", "https://a-/r#\(key)", "https://a-.b/r#\(key)", "https://a..b/r#\(key)",
            "https://.a/r#\(key)", "https://a./r#\(key)", "https://1.2.3.4/r#\(key)", "https://a.4/r#\(key)",
            "https://" + String(repeating: "a", count: 64) + "/r#\(key)", "https://a/x#\(key)", "https://a/r/\(key)",
            "https://a/r#\(key)?p=1", "https://a/r#\(key)A", "https://a/r#\(key.dropLast())B", "HTTPS://a/r#\(key)",
            "https://a/r#\(key.dropLast())=", "https://a@b/r#\(key)", "https://[::1]/r#\(key)", "https://ä/r#\(key)",
            "https://" + String(repeating: "a.", count: 127) + "a/r#\(key)", "simplex:/r#\(key)?h=a",
        ])
    func other(_ text: String) {
        #expect(PlainRelayLink.parts(of: text) == nil)
    }

    @Test("of 200,000 links with a byte or two changed, those that are read in one pass have the parser's parts")
    func changed() throws {
        var random = SplitMix64(seed: 7)
        let letters = Array("abz-.019AZ_/#r?@:=[]% \u{7F}\"\\".utf8)
        var plain = 0
        for _ in 0..<200_000 {
            let host = random.text(of: "ab1-.", count: 1...12)
            var bytes = Array("https://\(host)/\(random.bool() ? "r" : "a")#\(Self.key)".utf8)
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let letter = letters[Int.random(in: 0..<letters.count, using: &random)]
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = letter
            }
            if try compare(String(decoding: bytes, as: UTF8.self)) { plain += 1 }
        }
        #expect(plain > 10_000)
    }

    /// Whether the text is read in one pass.
    @discardableResult
    private func compare(_ text: String) throws -> Bool {
        guard let quick = PlainRelayLink.parts(of: text) else { return false }
        let parsed = try RelayAddressParser.parts(of: text)
        #expect(quick.text == parsed.text && quick.scheme == parsed.scheme && quick.linkType == parsed.linkType)
        #expect(PlainRelayLink.addressKey(of: quick.text) == parsed.addressKey, "\(text)")
        #expect(quick.listedHosts == parsed.listedHosts, "\(text)")
        #expect(quick.port == parsed.port && quick.keyHash == parsed.keyHash)
        return true
    }
}
