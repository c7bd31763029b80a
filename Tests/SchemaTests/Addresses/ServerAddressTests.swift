import ChatDBSchema
import Testing

private let hash = sampleKey + "="

private let badServerAddresses: [(String, ServerAddressError.Problem)] = [
    ("", .empty), ("  ", .empty), ("smp://" + String(repeating: "a", count: 2_043), .tooLong(2_049)),
    ("https://a.example", .scheme), ("smp:/\(hash)@a", .scheme), ("ntf://\(hash)@a", .scheme),
    ("smp://a.example", .noKeyHash), ("smp://", .noKeyHash),
    ("smp://@a.example", .keyHash(.missing)), ("smp://=@a.example", .keyHash(.length(1))),
    ("smp://\(sampleKey)==@a.example", .keyHash(.length(45))), ("smp://abc=@a.example", .keyHash(.length(4))),
    ("smp://\(sampleKey.dropLast())x=@a.example", .keyHash(.ending)),
    ("smp://\(sampleKey.dropLast())/=@a.example", .keyHash(.character(position: 43))),
    ("smp://\(hash):@a.example", .emptyPassword), ("smp://\(hash):a b@a.example", .passwordCharacter),
    ("smp://\(hash):a:b@a.example", .passwordCharacter), ("smp://\(hash):a@b@a.example", .passwordCharacter),
    ("smp://\(hash):a/b@a.example", .passwordCharacter), ("smp://\(hash):\u{E4}@a.example", .passwordCharacter),
    ("smp://\(hash):\u{1b}@a.example", .passwordCharacter),
    ("smp://\(hash)@", .host("", .missing)), ("smp://\(hash)@a,", .host("a,", .missing)),
    ("smp://\(hash)@a b", .host("a b", .character("U+0020"))),
    ("smp://\(hash)@a.example/queue#x", .host("a.example/queue#x", .character("\"/\""))),
    ("smp://\(hash)@ex\u{E4}mple", .host("ex\\u{e4}mple", .character("U+00E4"))),
    ("smp://\(hash)@a:5223,b", .host("a:5223,b", .character("\":\""))),
    ("smp://\(hash)@a:", .port("")), ("smp://\(hash)@a:0", .port("0")), ("smp://\(hash)@a:65536", .port("65536")),
    ("smp://\(hash)@::1", .host(":", .character("\":\""))),
    ("smp://\(hash):pw@a b", .host("…", .character("U+0020"))), ("smp://\(hash):pw@a:x", .port("…")),
]

@Suite struct ServerAddressTests {
    @Test("a server's protocol is closed, and shown in capitals")
    func serverProtocol() {
        #expect(ServerProtocol.allCases.map(\.text) == ["smp", "xftp"])
        #expect(ServerProtocol.allCases.map(\.shownName) == ["SMP", "XFTP"])
        #expect(ServerProtocol(rawValue: "SMP") == nil)
    }

    @Test("an address is read into its parts")
    func parts() throws {
        let plain = try ServerAddress("smp://\(hash)@smp8.simplex.im,abc.onion")
        #expect(plain.serverProtocol == .smp && plain.keyHash == hash && plain.password == nil)
        #expect(plain.hosts == ["smp8.simplex.im", "abc.onion"] && plain.primaryHost == "smp8.simplex.im")
        #expect(plain.port == nil)

        let full = try ServerAddress("\n XFTP://\(hash):p!#?&=%w@[::1],10.0.0.1:443 ")
        #expect(full.serverProtocol == .xftp && full.password == "p!#?&=%w")
        #expect(full.hosts == ["[::1]", "10.0.0.1"] && full.port == 443)
        #expect(try ServerAddress("smp://\(hash)@[::1]").port == nil)
        #expect(try ServerAddress("smp://\(hash)@[::1]:1").port == 1)
    }

    @Test("a key hash without its padding is the same key hash, and is written with it")
    func padding() throws {
        let bare = try ServerAddress("smp://\(sampleKey):pw@a.example:5223")
        #expect(try bare == ServerAddress("smp://\(hash):pw@a.example:5223"))
        #expect(bare.keyHash == hash && bare.description == "smp://\(hash)@a.example:5223")
        #expect(try ServerAddress(.xftp, keyHash: sampleKey, hosts: ["a"]).keyHash == hash)
    }

    @Test("neither description, nor reflection, nor a dump shows the password")
    func secrecy() throws {
        let address = try ServerAddress("smp://\(hash):swordfish@a.example:5223")
        var dumped = ""
        dump(["address": address], to: &dumped)
        #expect("\(address)" == "smp://\(hash)@a.example:5223")
        for text in ["\(address)", String(reflecting: address), "\([address])", "\(Optional(address) as Any)", dumped] {
            #expect(!text.contains("swordfish"))
        }
        #expect(address.text(withPassword: true) == "smp://\(hash):swordfish@a.example:5223")
    }

    @Test("the text with the password gives the same address", arguments: 0..<20)
    func roundTrip(_ seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        for _ in 0..<100 {
            let password = random.bool() ? random.text(of: "abcXYZ019!#$%&*()[]{}?=+~^|\\\"'<>;.,", count: 1...20) : nil
            let address = try ServerAddress(
                random.bool() ? .smp : .xftp, keyHash: random.key() + "=", password: password, hosts: random.hosts(),
                port: random.port())
            #expect(try ServerAddress(address.text(withPassword: true)) == address)
            let without = try ServerAddress(address.text(withPassword: false))
            #expect(without.password == nil && without.hosts == address.hosts && without.port == address.port)
            #expect(without.description == address.description)
        }
    }

    @Test("an error names the fault", arguments: badServerAddresses)
    func refusals(_ text: String, _ problem: ServerAddressError.Problem) throws {
        let error = try #require(throws: ServerAddressError.self) { try ServerAddress(text) }
        #expect(error.problem == problem)
        #expect(error.message.contains("expected"))
    }

    @Test("parts that no text can have are refused")
    func badParts() {
        #expect(throws: ServerAddressError.self) { try ServerAddress(.smp, keyHash: hash + "=", hosts: ["a"]) }
        #expect(throws: ServerAddressError.self) { try ServerAddress(.smp, keyHash: hash, hosts: []) }
        #expect(throws: ServerAddressError.self) { try ServerAddress(.smp, keyHash: hash, hosts: ["a,b"]) }
        #expect(throws: ServerAddressError.self) { try ServerAddress(.smp, keyHash: hash, hosts: ["a"], port: 0) }
        #expect(throws: ServerAddressError.self) {
            try ServerAddress(.smp, keyHash: hash, password: "", hosts: ["a"])
        }
    }

    @Test("no error shows a password, however the address is damaged", arguments: 0..<8)
    func errorsAreSecret(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        for _ in 0..<1_000 {
            let password = random.text(of: "QZ!#$%+@:/ \u{E4}", count: 1...4) + "swordfish"
            let text = "smp://\(random.key())=:\(password)@\(random.hosts().joined(separator: ","))"
            for given in [
                random.damaged(text), text + ":x", text + " x", String(text.dropFirst(3)), String(text.dropFirst(6)),
            ] {
                do {
                    let address = try ServerAddress(given)
                    // Damage can turn a password into a host; then it is one.
                    if let password = address.password { #expect(!"\(address)".contains(":\(password)@")) }
                } catch {
                    #expect(!error.message.contains("swordfish"), "\(given)")
                }
                do {
                    _ = try RelayAddress(given)
                } catch {
                    #expect(!error.message.contains("swordfish") || !given.contains("@"), "\(given)")
                }
            }
        }
    }

    @Test("hostile text is refused or read, never a crash", arguments: 0..<4)
    func hostile(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        for _ in 0..<2_000 {
            let text = "smp://" + String(decoding: random.bytes(0...80), as: UTF8.self)
            _ = try? ServerAddress(text)
            _ = linkHost(text)
            _ = linkHost(random.damaged("simplex:/r#x?h=a,b&p=1"))
        }
    }
}
