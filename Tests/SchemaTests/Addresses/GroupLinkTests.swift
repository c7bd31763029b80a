import ChatDBSchema
import Testing

@Suite struct GroupLinkTests {
    @Test(
        "short links of channels and groups, in either scheme",
        arguments: [
            "https://h.example/c#\(sampleKey)", "https://h.example/g#\(sampleKey)?p=443",
            "simplex:/c#\(sampleKey)?h=h.example", "SIMPLEX:/g#\(sampleKey)?p=1&h=a.example,b.onion",
        ])
    func short(_ text: String) throws {
        let link = try GroupLink(" \(text)\r\n")
        #expect(link.short == text && link.full == nil && link.text == text && link.texts == [text])
    }

    @Test(
        "full links, in either scheme",
        arguments: [
            "https://simplex.chat/contact#/?v=2-7&smp=smp%3A%2F%2Fk%40h.example%2Fa",
            "simplex:/contact#/?v=2-7&smp=smp://k@h.example/x",
            "https://simplex.chat/contact/#/?v=1&smp=smp://k@h.example,b.onion:5223/x%3D%23%2F",
        ])
    func full(_ text: String) throws {
        let link = try GroupLink(text)
        #expect(link.full == text && link.short == nil && link.text == text)
    }

    @Test("a short and a full link in either order are the two forms of one; two of one form are refused")
    func both() throws {
        let (short, full) = ("https://h.example/g#\(sampleKey)", "simplex:/contact#/?v=2-7&smp=smp://k@h.example/x")
        #expect(try GroupLink(short, full) == GroupLink(full, short))
        let link = try GroupLink(short, full)
        #expect(link.text == short && link.texts == [full, short])
        #expect(try #require(problem { try GroupLink(short, short) }) == .sameForm)
        #expect(try #require(problem { try GroupLink(full, full) }) == .sameForm)
    }

    @Test(
        "a text that is not the link of a group is refused with the reason",
        arguments: [
            ("", GroupLinkError.Problem.empty), (" \n", .empty), ("hello", .scheme), ("http://h.example/c#x", .scheme),
            ("https://h.example", .noKey), ("https://h.example/c", .noKey), ("simplex:/contact#", .noKey),
            ("simplex:/contact#/?", .noKey), ("https://h.example/c#", .key(.missing)),
            ("https://h.example/c#abc", .key(.length(3))), ("simplex:/c#\(sampleKey)", .noHost),
            ("https://simplex.chat/c#\(sampleKey)", .noHost),
            ("https://www.Simplex.chat/c#\(sampleKey)?p=443", .noHost),
            ("https://simplex.chat/g#\(sampleKey)?c=x", .noHost), ("simplex:/c#\(sampleKey)?h=-x", .noHost),
            ("https://simplex.chat/contact#/?v=2-7", .noQueue), ("simplex:/contact#/?v=2-7&smp=junk", .noQueue),
            ("https://h.example/contact#/?smp=smp%3A%2F%2Fk%40h.example", .noQueue), ("simplex:/contact#x", .noQueue),
            ("https://h.example/x#\(sampleKey)", .linkType("x")),
            ("https://h.example/r#\(sampleKey)", .otherLink("the address of a relay")),
            ("https://h.example/a#\(sampleKey)", .otherLink("a contact address")),
            ("https://h.example/i#\(sampleKey)", .otherLink("a one-time invitation link")),
            ("simplex:/invitation#/?v=2", .otherLink("a one-time invitation link in its long form")),
            ("https://h.example/c#\(sampleKey)\u{202e}", .character("U+202E")),
            ("https://u:p@h.example/c#\(sampleKey)", .host("…", .character("\"@\""))),
            ("https://h.example/" + String(repeating: "a", count: 2100), .tooLong(2118)),
        ])
    func refused(_ text: String, _ expected: GroupLinkError.Problem) throws {
        #expect(try #require(problem { try GroupLink(text) }) == expected)
    }

    @Test("an error shows neither the key nor a password, and names the expected form")
    func secrets() throws {
        for text in ["https://h.example/i#\(sampleKey)", "https://u:\(sampleKey)@h.example/c#x"] {
            let error = try #require(throws: GroupLinkError.self) { try GroupLink(text) }
            #expect(!error.message.contains(sampleKey), "\(error)")
            #expect(error.message.contains("expected"))
        }
    }

    @Test("a parsed link has the given text, and no text ends the process")
    func soup() throws {
        var random = SplitMix64(seed: 7)
        for _ in 0..<2_000 {
            let text = random.damaged("https://h.example/c#" + random.key() + "?h=a.example&p=1")
            if let link = try? GroupLink(text) { #expect(text.contains(link.text)) }
        }
    }

    private func problem(_ body: () throws -> GroupLink) -> GroupLinkError.Problem? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? GroupLinkError)?.problem
        }
    }
}
