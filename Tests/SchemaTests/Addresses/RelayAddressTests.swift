import ChatDBSchema
import Testing

private let web = "https://a.example/r#\(sampleKey)"
private let badRelayAddresses: [(String, RelayAddressError.Problem)] = [
    ("", .empty), (" \r\n\t ", .empty),
    (String(repeating: "a", count: 2_049), .tooLong(2_049)),
    ("https://a.example/r#\(sampleKey)\u{0}", .character("U+0000")),
    ("https://a.example/ r#\(sampleKey)", .character("U+0020")),
    ("https://\u{1b}[2Ja.example/r#\(sampleKey)", .character("U+001B")),
    ("https://ex\u{E4}mple.org/r#\(sampleKey)", .character("U+00E4")),
    ("https://a.example/r#\(sampleKey)\u{202E}", .character("U+202E")),
    ("\u{FEFF}https://a.example/r#\(sampleKey)", .character("U+FEFF")),
    ("http://a.example/r#\(sampleKey)", .scheme), ("a.example/r#\(sampleKey)", .scheme),
    ("simplex:r#\(sampleKey)?h=a.example", .scheme), ("file:x?mode=rwc", .scheme),
    ("smp://\(sampleKey)=@a.example", .serverAddress(.smp)), ("XFTP://x", .serverAddress(.xftp)),
    ("https://a.example/x#\(sampleKey)", .linkType("x")), ("https://a.example/R#\(sampleKey)", .linkType("R")),
    ("https://a.example/#\(sampleKey)", .linkType("")), ("https://a.example/r/#\(sampleKey)", .linkType("r/")),
    ("https://a.example/%72#\(sampleKey)", .linkType("%72")),
    ("simplex://r#\(sampleKey)?h=a.example", .linkType("/r")),
    ("https://a.example/r", .noKey), ("https://a.example", .noKey), ("https://a.example#\(sampleKey)", .noKey),
    ("https://a.example/r#", .key(.missing)), ("https://a.example/r#?h=b.example", .key(.missing)),
    ("https://a.example/r#\(sampleKey.dropLast())", .key(.length(42))),
    ("https://a.example/r#\(sampleKey)A", .key(.length(44))),
    ("https://a.example/r#\(sampleKey)=", .key(.character(position: 44))),
    ("https://a.example/r#\(sampleKey.dropLast())x", .key(.ending)),
    ("https://a.example/r#+\(sampleKey.dropFirst())", .key(.character(position: 1))),
    ("https://a.example/r#%46\(sampleKey.dropFirst())", .key(.character(position: 1))),
    ("simplex:/r#\(sampleKey)", .noHost), ("simplex:/r#\(sampleKey)?p=1", .noHost),
    (web + "?p=0", .port("0")), (web + "?p=65536", .port("65536")), (web + "?p=-1", .port("-1")),
    (web + "?p=+1", .port("+1")), (web + "?p=05", .port("05")), (web + "?p=1e3", .port("1e3")),
    (web + "?p=99999999999999999999999", .port("99999999999999999999…")),
    (web + "?c=abc", .keyHash(.length(3))), (web + "?c=\(sampleKey)%3D%3D", .keyHash(.length(45))),
    (web + "?q=1", .unknownParameter("q")), (web + "?H=b.example", .unknownParameter("H")),
    (web + "?", .unknownParameter("")), (web + "?p=1&", .unknownParameter("")),
    (web + "?p=1?h=b", .port("1?h")), (web + "?p=1&p=1", .repeatedParameter("p")),
    (web + "?p", .emptyParameter("p")), (web + "?h=", .emptyParameter("h")),
    (web + "?h=%zz", .percentEncoding("h")), (web + "?h=b%2", .percentEncoding("h")),
    (web + "?p=%", .percentEncoding("p")),
    (web + "?h=b%00.example", .host("b\\u{0}.example", .character("U+0000"))),
    (web + "?h=b,,c", .host("b,,c", .missing)), ("https:///r#\(sampleKey)", .host("", .missing)),
    ("https://a.example:443/r#\(sampleKey)", .portBesideHost),
    ("https://[::1]:443/r#\(sampleKey)", .portBesideHost),
    ("https://u:secret@a.example/r#\(sampleKey)", .host("…", .character("\"@\""))),
]

@Suite struct RelayAddressTests {
    @Test("both forms of a link are read into their parts")
    func parts() throws {
        let web = try RelayAddress("https://smp5.simplex.im/r#\(sampleKey)")
        #expect(web.scheme == .https && web.linkType == .relay && web.key == sampleKey)
        #expect(web.hosts == ["smp5.simplex.im"] && web.port == nil && web.keyHash == nil)

        let app = try RelayAddress("simplex:/a#\(sampleKey)?h=a.example,b.onion&p=5223&c=\(otherKey)")
        #expect(app.scheme == .simplex && app.linkType == .contact && app.key == sampleKey)
        #expect(app.hosts == ["a.example", "b.onion"] && app.primaryHost == "a.example")
        #expect(app.port == 5223 && app.keyHash == otherKey)

        let more = try RelayAddress("https://a.example/r#\(sampleKey)?c=\(otherKey)&p=65535&h=b.onion,%5B::1%5D")
        #expect(more.hosts == ["a.example", "b.onion", "[::1]"] && more.port == 65535 && more.keyHash == otherKey)
    }

    @Test("the text is the given one, without white space around it")
    func text() throws {
        let given = " \t\r\n\u{A0}HTTPS://SMP5.simplex.im/r#\(sampleKey)?p=1\r\n"
        let address = try RelayAddress(given)
        #expect(address.text == "HTTPS://SMP5.simplex.im/r#\(sampleKey)?p=1")
        #expect("\(address)" == address.text)
        #expect(address.rendered == "https://smp5.simplex.im/r#\(sampleKey)?p=1")
    }

    @Test(
        "a key hash is accepted with and without its padding, and written without it", arguments: ["=", "%3D", "%3d"])
    func padding(_ end: String) throws {
        for scheme in ["https://a.example/r#\(sampleKey)?", "simplex:/r#\(sampleKey)?h=a.example&"] {
            let address = try RelayAddress(" \(scheme)c=\(otherKey)\(end)&p=1 ")
            #expect(address.keyHash == otherKey && address.port == 1)
            #expect(address.text == "\(scheme)c=\(otherKey)&p=1")
            #expect(try address == RelayAddress("\(scheme)c=\(otherKey)&p=1"))
            #expect(try RelayAddress(address.rendered).keyHash == otherKey)
        }
    }

    @Test("addresses with the same type, key and primary host are the same relay")
    func sameRelay() throws {
        let relay = try RelayAddress("https://smp5.simplex.im/r#\(sampleKey)")
        #expect(relay.addressKey == "r#\(sampleKey)@smp5.simplex.im")
        for same in [
            "simplex:/r#\(sampleKey)?h=smp5.simplex.im", "https://SMP5.SimpleX.im/r#\(sampleKey)",
            "simplex:/r#\(sampleKey)?h=smp5.simplex.im,b.onion&p=5223&c=\(otherKey)",
        ] {
            #expect(relay.isSameRelay(as: try RelayAddress(same)))
            #expect(try RelayAddress(same).addressKey == relay.addressKey)
        }
        for other in [
            "https://smp5.simplex.im/a#\(sampleKey)", "https://smp5.simplex.im/r#\(otherKey)",
            "https://smp6.simplex.im/r#\(sampleKey)", "simplex:/r#\(sampleKey)?h=b.onion,smp5.simplex.im",
        ] {
            #expect(!relay.isSameRelay(as: try RelayAddress(other)))
        }
    }

    @Test("a canonical text gives the same parts and itself", arguments: 0..<20)
    func roundTrip(_ seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        for _ in 0..<100 {
            let text = random.relayAddress()
            let address = try RelayAddress(text)
            let again = try RelayAddress(address.rendered)
            #expect(address.text == text)
            #expect(again.rendered == address.rendered && again.text == address.rendered)
            #expect(again.isSameRelay(as: address))
            #expect(again.scheme == address.scheme && again.port == address.port && again.keyHash == address.keyHash)
            #expect(again.hosts == address.hosts.map { $0.lowercased() })
        }
    }

    @Test(
        "other links of the app are refused by the name of their kind",
        arguments: [
            ("https://smp5.simplex.im/c#\(sampleKey)", "a channel link"),
            ("https://smp5.simplex.im/g#\(sampleKey)", "a group link"),
            ("https://smp5.simplex.im/i#\(sampleKey)/\(otherKey)", "a one-time invitation link"),
            ("simplex:/c#\(sampleKey)?h=a.example", "a channel link"),
            ("simplex:/contact#/?v=2-7&smp=smp%3A%2F%2Fx", "a contact address in its long form"),
            ("https://simplex.chat/invitation/#/?v=1", "a one-time invitation link in its long form"),
        ])
    func otherLinks(_ text: String, _ kind: String) throws {
        let error = try #require(throws: RelayAddressError.self) { try RelayAddress(text) }
        #expect(error.message.contains("it is \(kind); expected https://<host>/r#<key>"))
        #expect(!error.message.contains(sampleKey.prefix(6)), "the secret of a link stays out of the error")
    }

    @Test("an error names the fault", arguments: badRelayAddresses)
    func refusals(_ text: String, _ problem: RelayAddressError.Problem) throws {
        let error = try #require(throws: RelayAddressError.self) { try RelayAddress(text) }
        // `p=1?h=b` ends at the equals sign: the value is everything after the first one.
        let expected: RelayAddressError.Problem = problem == .port("1?h") ? .port("1?h=b") : problem
        #expect(error.problem == expected)
        #expect(error.message.contains("expected"))
        #expect(!error.message.contains("secret"))
        #expect(error.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    }

    @Test(
        "a host is a DNS or onion name, an IPv4 address or an IPv6 address in brackets",
        arguments: [
            "a", "localhost", "A-b.c_d.example", "xn--exmple-cua.org", "127.0.0.1", "255.255.255.255",
            "1.2.3.4.example",
            "[::]", "[::1]", "[1::]", "[1:2:3:4:5:6:7:8]", "[::ffff:1.2.3.4]", "[1:2:3:4:5:6:1.2.3.4]", "[FE80::a]",
            String(repeating: "a", count: 63) + ".example",
            "o5vmywmrnaxalvz6wi3zicyftgio6psuvyniis6gco6bp6ekl4cqj4id.onion",
        ])
    func goodHosts(_ host: String) throws {
        #expect(try RelayAddress("https://\(host)/r#\(sampleKey)").primaryHost == host)
    }

    @Test(
        "a text that cannot be a host is refused",
        arguments: [
            ".", "a.", ".a", "a..b", "-a.example", "a-.example", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "42",
            "[]", "[1]", "[::1", "::1", "[:::]", "[1::2::3]", "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]", "[12345::]",
            "[1:2:3:4:5:6:7::8]", "[1.2.3.4]", "[::1%25eth0]", "[:1]", "[1:]", "[g::]", "a,b", "a%2Cb", "a;b", "*",
            String(repeating: "a", count: 64) + ".example", String(repeating: "a.", count: 126) + "aa",
        ])
    func badHosts(_ host: String) {
        #expect(throws: RelayAddressError.self) { try RelayAddress("https://\(host)/r#\(sampleKey)") }
    }

    @Test("the lists of hosts have a limit")
    func manyHosts() throws {
        let hosts = { (count: Int) in (0..<count).map { "h\($0)" }.joined(separator: ",") }
        #expect(try RelayAddress("simplex:/r#\(sampleKey)?h=\(hosts(16))").hosts.count == 16)
        let error = try #require(throws: RelayAddressError.self) {
            try RelayAddress("simplex:/r#\(sampleKey)?h=\(hosts(17))")
        }
        #expect(error.message.contains("one of 17, at most 16"))
    }

    @Test("hostile text is refused or parsed without a crash; a parsed address can be written again", arguments: 0..<8)
    func hostile(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        for _ in 0..<2_000 {
            let text =
                random.bool()
                ? String(decoding: random.bytes(0...80), as: UTF8.self) : random.damaged(random.relayAddress())
            do {
                let address = try RelayAddress(text)
                #expect(throws: Never.self) { try RelayAddress(address.rendered) }
            } catch {
                #expect(error.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
            }
        }
    }
}
