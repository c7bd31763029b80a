import Testing

@testable import ChatDBSchema

@Suite("Keys of links") struct LinkKeyTests {
    private static let queue = "smp%3A%2F%2F\(sampleKey)%3D%40smp12.simplex.im%2FTdP6yRcDOv_DDqvA6sXqvKcXdoDVOLTN"
    private static let rest = "%23%2F%3Fv%3D1-3%26dh%3DMCowBQYDK2Vu&data=%7B%22type%22%3A%22group%22%7D"

    @Test(
        "all spellings of a short link have one key: type, key and first host",
        arguments: [
            "https://h.example/c#\(sampleKey)", "https://H.EXAMPLE/c#\(sampleKey)?p=443",
            "HTTPS://h.example/c#\(sampleKey)?h=b.onion&c=\(sampleKey)", "simplex:/c#\(sampleKey)?h=h.example",
            "SIMPLEX:/c#\(sampleKey)?p=5223&h=H.example,b.onion", "simplex:/c#\(sampleKey)?h=h.example%2Cb.onion",
            "https://simplex.chat/c#\(sampleKey)?h=h.example,b.onion", " https://h.example/c#\(sampleKey)\r\n",
        ])
    func short(_ text: String) {
        #expect(LinkKey.of(text) == "c#\(sampleKey)@h.example")
    }

    @Test(
        "all spellings of a full link have one key: queue and first host of the first smp queue",
        arguments: [
            "simplex:/contact#/?v=2-7&smp=\(queue)\(rest)", "https://simplex.chat/contact#/?v=1&smp=\(queue)\(rest)",
            "https://www.simplex.chat/contact/#/?smp=\(queue)",
            "simplex:/contact#/?smp=smp://other@SMP12.simplex.im,b.onion:5223/TdP6yRcDOv_DDqvA6sXqvKcXdoDVOLTN%3D#/?v=1",
            "simplex:/contact#/?smp=\(queue)%23%2F%3Fv%3D1%3Bsmp%3A%2F%2Fk%40second.example%2Fabc",
        ])
    func full(_ text: String) {
        #expect(LinkKey.of(text) == "smp#TdP6yRcDOv_DDqvA6sXqvKcXdoDVOLTN@smp12.simplex.im")
    }

    @Test(
        "all spellings of an IPv6 address have one key",
        arguments: [
            ("[::1]", "[::1]"), ("[0:0:0:0:0:0:0:1]", "[::1]"), ("[0000::0001]", "[::1]"), ("[::0.0.0.1]", "[::1]"),
            ("[2001:DB8::A]", "[2001:db8::a]"), ("[2001:0db8:0:0:0:0:0:a]", "[2001:db8::a]"), ("[::]", "[::]"),
            ("[1:0:0:2:0:0:0:3]", "[1:0:0:2::3]"), ("[1:0:0:2:3:0:0:4]", "[1::2:3:0:0:4]"),
            ("[1:2:3:4:5:6:7:0]", "[1:2:3:4:5:6:7:0]"), ("[1::]", "[1::]"), ("[::ffff:1.2.3.4]", "[::ffff:102:304]"),
            ("[1::3:4:5:6:7:8]", "[1:0:3:4:5:6:7:8]"),
        ])
    func ipv6(_ host: String, _ shortest: String) {
        #expect(LinkKey.of("https://\(host)/c#\(sampleKey)") == "c#\(sampleKey)@\(shortest)")
        #expect(LinkKey.of("simplex:/c#\(sampleKey)?h=\(host)") == "c#\(sampleKey)@\(shortest)")
        #expect(
            LinkKey.of("simplex:/contact#/?smp=smp://k@\(host):5223/abc") == "smp#abc@\(shortest)", "of a queue")
    }

    @Test("the key of a short link has the link, without further hosts; any other text has none")
    func shortLink() {
        for host in ["h.example", "10.0.0.1", "[2001:db8::1]"] {
            let link = "https://\(host)/c#\(sampleKey)"
            #expect(LinkKey.shortLink(of: LinkKey.of(link + "?h=b.onion") ?? "") == link, "\(host)")
        }
        let texts = [
            "smp#TdP6yRcDOv_DDqvA6sXqvKcXdoDVOLTN@h.example", "c#\(sampleKey.dropLast())@h.example",
            "c#\(sampleKey)@H.example", "c#\(sampleKey)@simplex.chat", "x#\(sampleKey)@h.example",
            "c#\(sampleKey)@", "c#\(sampleKey)", "@", "",
        ]
        for text in texts { #expect(LinkKey.shortLink(of: text) == nil, "\(text)") }
    }

    @Test("type, key and host distinguish short links; host and queue distinguish full links")
    func different() {
        let other = "_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ"
        let texts = [
            "https://h.example/c#\(sampleKey)", "https://h.example/g#\(sampleKey)", "https://h.example/a#\(sampleKey)",
            "https://h.example/c#\(other)", "https://i.example/c#\(sampleKey)", "simplex:/contact#/?smp=\(Self.queue)",
            "simplex:/contact#/?smp=\(Self.queue)x", "simplex:/contact#/?smp=smp://k@h.example/abc",
            "simplex:/contact#/?smp=smp://k@i.example/abc", "https://10.0.0.1/c#\(sampleKey)",
            "https://[2001:db8::1]/c#\(sampleKey)",
        ]
        #expect(Set(texts.compactMap(LinkKey.of)).count == texts.count)
    }

    @Test(
        "a text without server, key or queue has no key",
        arguments: [
            "", "x", "https://h.example/c", "https://h.example/c#", "https://h.example/c#abc",
            "https://h.example/x#\(sampleKey)", "https://simplex.chat/c#\(sampleKey)", "simplex:/c#\(sampleKey)",
            "simplex:/c#\(sampleKey)?p=1", "simplex:/c#\(sampleKey)?h=%2", "simplex:/contact#/?v=2-7&smp=x",
            "simplex:/contact#/?v=2-7", "simplex:/contact#x", "simplex:/contact#/?smp=smp%3A%2F%2Fk%40h.example",
            "simplex:/contact#/?smp=smp%3A%2F%2Fk%40h.example%2F", "https://u@h.example/c#\(sampleKey)",
            "simplex:/contact#/?smp=smp%3A%2F%2Fk%40simplex%20chat%2Fabc", "https://-h.example/c#\(sampleKey)",
        ])
    func none(_ text: String) {
        #expect(LinkKey.of(text) == nil)
    }

    @Test("two links lead to the same group when they have a form in common, in any spelling")
    func sameGroup() throws {
        let short = "https://h.example/c#\(sampleKey)"
        let full = "simplex:/contact#/?v=2-7&smp=\(Self.queue)"
        let both = try GroupLink(short, full)
        #expect(try both.isSameGroup(as: GroupLink("simplex:/c#\(sampleKey)?h=H.example")))
        #expect(try both.isSameGroup(as: GroupLink("https://simplex.chat/contact#/?smp=\(Self.queue)\(Self.rest)")))
        #expect(try !GroupLink(short).isSameGroup(as: GroupLink(full)))
        #expect(try !both.isSameGroup(as: GroupLink("https://h.example/g#\(sampleKey)")))
        // Without keys, the texts decide.
        let unread = "simplex:/contact#/?v=2-7&smp=x"
        let stored = try #require(GroupLink(storedFull: unread, short: nil))
        #expect(stored.isSameGroup(as: stored))
        #expect(try !stored.isSameGroup(as: #require(GroupLink(storedFull: unread + "&data=1", short: nil))))
    }

    @Test("no text ends the process, and a key is that of each of its own spellings")
    func soup() {
        var random = SplitMix64(seed: 11)
        for _ in 0..<2_000 {
            let texts = ["https://h.example/c#\(random.key())?h=a.example", "simplex:/contact#/?v=1&smp=\(Self.queue)"]
            for text in texts {
                guard let key = LinkKey.of(random.damaged(text)) else { continue }
                #expect(key.contains("#") && key.contains("@") && !key.contains("%") && !key.contains(" "), "\(key)")
            }
        }
    }
}
