import ChatDBKit
import Foundation
import Testing

@Suite struct PresetFileTests {
    private func problems(_ text: String) -> [String] {
        do {
            _ = try PresetFile(parsing: text.utf8)
            return []
        } catch PresetError.invalidPreset(let problems, _) {
            return problems.map { $0.path.isEmpty ? $0.message : "\($0.path): \($0.message)" }
        } catch {
            return ["\(error)"]
        }
    }

    private func file(_ custom: String, operators: String = "[]") -> String {
        #"{"format": "chatdb-preset", "version": 1, "operators": \#(operators), "custom": \#(custom)}"#
    }

    @Test("the shipped preset is read, and written with the same bytes")
    func bundled() throws {
        #expect(BundledPresets.names == ["simplex"])
        let text = try #require(BundledPresets.text(named: "simplex"))
        let preset = try BundledPresets.preset()
        #expect(preset.operators.map(\.tag) == [.simplex, .flux])
        #expect(preset.operators[0].use == PresetUse(smp: 4, xftp: 3, relays: 2))
        #expect(preset.operators[0].entries.smpServers.count == 14 && preset.operators[0].entries.relays.count == 3)
        #expect(preset.text() == text)
        let error = #expect(throws: PresetError.self) { try BundledPresets.preset(named: "none") }
        #expect(error?.code == "presetNotFound")
    }

    @Test("a byte order mark and CRLF change nothing")
    func markAndLineEnds() throws {
        let text = try #require(BundledPresets.text(named: "simplex"))
        let other = "\u{FEFF}" + text.replacingOccurrences(of: "\n", with: "\r\n")
        #expect(try PresetFile(parsing: other.utf8) == BundledPresets.preset())
    }

    @Test("operators, custom entries and lists may be left out; enabled is true unless it says otherwise")
    func defaults() throws {
        let empty = try PresetFile(parsing: #"{"format": "chatdb-preset", "version": 1}"#.utf8)
        #expect(empty.operators.isEmpty && empty.custom.relays.isEmpty && empty.custom.lists.isEmpty)
        let one = try PresetFile(parsing: file(#"{"relays": [{"address": "\#(relay("r.example"))"}]}"#).utf8)
        #expect(one.custom.relays.map(\.isEnabled) == [true] && one.custom.relays.map(\.name) == [""])
    }

    @Test("all problems are reported at once, each with its path and the expected value")
    func allProblems() {
        let text = file(
            """
            {"relays": [{"name": "a\\u202eb", "address": "https://x/g#y", "enabled": "yes", "color": 1}, 5, {}],
             "smpServers": [{"address": "\(server("x.example", .xftp))", "password": "hunter2"}]}
            """, operators: #"[{"tag": 1, "use": {"smp": -1, "xftp": 2}, "domains": ["a b"], "roles": {"smp": []}}]"#)
        let found = problems(text)
        let expected = [
            "operators[0].tradeName: it is missing", "operators[0].tag: it is a number; expected a string",
            "operators[0].use.smp: expected a whole number", "operators[0].use.relays: it is missing",
            "operators[0].domains[0]: expected a domain", "operators[0].roles.smp: it is an array; expected an object",
            "custom.relays[0].color: unknown field; expected one of name, address",
            "custom.relays[0].name: it has the character U+202E", "custom.relays[0].address: ",
            "custom.relays[0].enabled: it is a string; expected true or false",
            "custom.relays[1]: it is a number; expected an object", "custom.relays[2].address: it is missing",
            "custom.smpServers[0].address: it is the address of an XFTP server; expected one that begins with smp://",
            "custom.smpServers[0].password: expected \"omitted\"",
        ]
        for start in expected { #expect(found.contains { $0.hasPrefix(start) }, "\(start) in \(found)") }
        #expect(found.count == expected.count)
    }

    @Test("a newer version is the one problem of a file that has it")
    func newerVersion() {
        let found = problems(#"{"format": "chatdb-preset", "version": 2, "new": 1, "custom": []}"#)
        #expect(found.count == 1 && found.first?.hasPrefix("version: it is 2, and this build reads up to 1") == true)
    }

    @Test(
        "a file that is no preset is refused with one problem",
        arguments: [
            "", "[", "[]", "null", "{}", #"{"format": "other", "version": 1}"#, #"{"format": "chatdb-preset"}"#,
            #"{"format": "chatdb-preset", "version": "1"}"#, #"{"format": "chatdb-preset", "version": 0}"#,
            #"{"format": "chatdb-preset", "version": 1, "version": 1}"#, String(repeating: "[", count: 100_000),
        ])
    func noPreset(_ text: String) {
        #expect(problems(text).count == 1)
    }

    @Test("the same relay, server, operator, or name of a relay twice is a problem, anywhere in the file")
    func duplicates() {
        let text = file(
            """
            {"relays": [{"name": "ONE ", "address": "\(relay("r2.example"))"},
                {"address": "simplex:/r#\(key(0))?h=R1.example"}, {"address": "\(relay("r3.example"))"}],
             "smpServers": [{"address": "\(server("S1.example,b.onion"))"}, {"address": "\(server("s1.example:99"))"}]}
            """,
            operators: """
                [{"tag": "x", "tradeName": "X", "relays": [{"name": "One", "address": "\(relay("r1.example"))"}],
                  "smpServers": [{"address": "\(server("s1.example"))"}]}, {"tag": "x", "tradeName": "Y"}]
                """)
        #expect(
            Set(problems(text)) == [
                "operators[1]: the same operator as operators[0]",
                "custom.relays[0].name: the same name as operators[0].relays[0].name",
                "custom.relays[1].address: the same relay as operators[0].relays[0].address",
                "custom.smpServers[0].address: the same server as operators[0].smpServers[0].address",
            ])
    }

    @Test("at most 100 problems are listed, and the others counted")
    func manyProblems() {
        let entries = (0..<250).map { _ in "1" }.joined(separator: ",")
        let error = #expect(throws: PresetError.self) {
            try PresetFile(parsing: file(#"{"relays": [\#(entries)]}"#).utf8)
        }
        guard case .invalidPreset(let problems, let more) = error else { return }
        #expect(problems.count == 100 && more == 150)
        #expect(error?.message.hasPrefix("the preset is not valid, in 250 places") == true)
    }

    @Test("passwords are written only when they are disclosed; without, a server that has one is marked")
    func passwords() throws {
        let entry = PresetServer(address: try ServerAddress(server("s.example", password: "s3cret")))
        let preset = PresetFile(custom: PresetEntries(smpServers: [entry]))
        #expect(!preset.text().contains("s3cret") && preset.text().contains(#""password": "omitted""#))
        let marked = try PresetFile(parsing: preset.text().utf8).custom.smpServers[0]
        #expect(marked.isPasswordOmitted && marked.address.password == nil)
        let disclosed = preset.text(PresetDisclosure(secrets: true))
        #expect(!disclosed.contains("omitted"))
        #expect(try PresetFile(parsing: disclosed.utf8) == preset)
        let both = file(
            #"{"smpServers": [{"address": "\#(server("s.example", password: "p"))", "password": "omitted"}]}"#)
        #expect(problems(both).count == 1)
        #expect(!problems(both).joined().contains(":p@"))
    }

    @Test("a written preset is read as the same preset, and written again with the same bytes", arguments: 0..<60)
    func roundTrip(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let preset = try random.preset()
        let everything = PresetDisclosure(secrets: true, testResults: true)
        let text = preset.text(everything)
        let again = try PresetFile(parsing: text.utf8)
        #expect(again == preset)
        #expect(again.text(everything) == text)
    }

    @Test("a damaged preset is refused or read, and never ends the process", arguments: 0..<200)
    func damaged(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var bytes = Array(try random.preset().text().utf8)
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            bytes[place] = Bool.random(using: &random) ? UInt8.random(in: 0...255, using: &random) : UInt8(ascii: "}")
        }
        do {
            _ = try PresetFile(parsing: bytes)
        } catch {
            #expect(error.code == "invalidPreset")
        }
    }
}
