import ChatDBKit
import Testing

@Suite struct PresetFormatTests {
    private func problems(_ text: String, named name: String = "", as format: PresetFormat? = nil) -> [String] {
        do {
            _ = try PresetFile.read(text.utf8, named: name, as: format)
            return []
        } catch PresetError.invalidPreset(let problems, _) {
            return problems.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    // MARK: - Places

    @Test("a problem has line, column and path; for a missing value, those of the value around it")
    func places() {
        let text = """
            {"format": "chatdb-preset", "version": 1, "custom": {
              "relays": [
                {"address": "\(relay("r.example"))", "enabled": "yes", "colour": 1},
                {"name": "ü", "enabled": 1},
                {"name": "x"}
            ]}}
            """
        let column = relay("r.example").count + 32
        #expect(
            problems(text) == [
                "line 3, column \(column), custom.relays[0].enabled: it is a string; expected true or false",
                "line 3, column \(column + 17), custom.relays[0].colour: unknown field; expected one of name, address, "
                    + "domains, enabled, tested",
                "line 4, column 5, custom.relays[1].address: it is missing",
                "line 4, column 30, custom.relays[1].enabled: it is a number; expected true or false",
                "line 5, column 5, custom.relays[2].address: it is missing",
            ])
    }

    @Test("a text that is not JSON is reported with the place of the error")
    func syntax() {
        #expect(problems("{\n  \"format\": chatdb}") == ["line 2, column 13: it is not JSON: expected a value"])
    }

    @Test("a preset in YAML with a name of JSON is reported as YAML")
    func otherSyntax() {
        let error = #expect(throws: PresetError.self) {
            try PresetFile.read("format: chatdb-preset\nversion: 1\n".utf8, named: "team.json")
        }
        #expect(error?.message.contains("it is YAML, and not JSON") == true)
    }

    @Test("a preset in YAML with a name of a list is read as YAML, and its problems are those of YAML")
    func yamlNamedAsList() throws {
        let preset = "format: chatdb-preset\nversion: 1\ncustom:\n  relays:\n  - address: \(relay("r.example"))\n"
        for text in [
            preset, "\u{FEFF}" + preset, "# mine\r\n---\n" + preset, "version: 1\nformat: \"chatdb-preset\"\n",
        ] {
            let read = try PresetFile.read(text.utf8, named: "relays.TXT")
            #expect(read.format == .chatdb && !read.file.hasAddressesOnly, "\(text)")
        }
        #expect(
            problems(preset + "  - address: 1\n", named: "relays.txt").map { $0.prefix { $0 != "," } } == ["line 6"])
        #expect(problems(preset + "custom: [", named: "relays.txt").first?.contains("it is not YAML") == true)
        // A list stays a list: also one that speaks of the format, and one that is asked for.
        let list = "# format: chatdb-preset\n\(relay("r.example"))\n"
        #expect(try PresetFile.read(list.utf8, named: "relays.txt").format == .list)
        let mail = "\(relay("r.example"))\nformat: text\n"
        #expect(problems(mail, named: "relays.txt").map { $0.prefix { $0 != "," } } == ["line 2"])
        #expect(problems(preset, named: "relays.txt", as: .list).first?.hasPrefix("line 1") == true)
    }

    @Test("a mail with addresses is a list without an ending, and with the ending of a preset is said to be one")
    func mailOfAnyEnding() {
        let mail = "hello\n\n> \(relay("r.example"))\n"
        for name in ["", "mail", "mail.md", "mail.txt"] {
            let found = problems(mail, named: name)
            #expect(found.count == 1, "\(name): \(found)")
            #expect(found.first?.contains("line 1, column 1: it is not the address of a server or a relay") == true)
        }
        for name in ["mail.json", "mail.yaml", "mail.yml"] {
            for text in [mail, relay("r.example")] {
                #expect(problems(text, named: name) == [PresetProblem.ofList], "\(name)")
            }
        }
        // What is asked for, and what has the field of a preset, is read as such.
        #expect(problems(mail, named: "mail.json", as: .chatdb).first?.contains("it is not JSON") == true)
        #expect(problems("format: x\n- \(relay("r.example"))", named: "x.yaml") != [PresetProblem.ofList])
    }

    @Test("a text that is neither a preset nor a list is said to be neither, without an error of YAML")
    func neither() {
        for text in ["# Title\n\nThe relays: one, and: two\n", "hello"] {
            let found = problems(text, named: "README.md")
            #expect(found.first?.hasPrefix("it is neither a preset in JSON or YAML") == true, "\(found)")
        }
        #expect(problems("version: 1").first?.contains("format: expected \"chatdb-preset\"") == true)
    }

    @Test("a comma before the end of an array or object is reported at the comma")
    func trailingComma() {
        let object = "it is not JSON: expected no comma before \"}\""
        #expect(problems("{\n  \"format\": 1,\n\n}") == ["line 2, column 14: \(object)"])
        #expect(problems("{\"a\": [1, 2, ]}") == ["line 1, column 12: it is not JSON: expected no comma before \"]\""])
    }

    @Test("a file of more than 16 MiB is refused")
    func tooLarge() {
        let bytes = [UInt8](repeating: UInt8(ascii: " "), count: PresetFile.largestFile + 1)
        let error = #expect(throws: PresetError.self) { try PresetFile.read(bytes) }
        #expect(error?.message.contains("more than 16 MiB") == true)
    }

    @Test("a lenient reader passes unknown fields over with a warning, and nothing else")
    func lenient() throws {
        let text = #"{"format": "chatdb-preset", "version": 1, "new": {}, "custom": {"relays": []}}"#
        #expect(problems(text).count == 1)
        let read = try PresetFile.read(text.utf8, isLenient: true)
        #expect(read.warnings.map(\.path) == ["new"] && read.warnings[0].line == 1)
        #expect(throws: PresetError.self) {
            try PresetFile.read(#"{"format": "chatdb-preset", "version": 1, "custom": []}"#.utf8, isLenient: true)
        }
    }

    // MARK: - YAML

    @Test("a preset in YAML is the same preset; no word of it becomes another value", arguments: 0..<40)
    func yamlRoundTrip(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var preset = try random.preset()
        for index in preset.custom.relays.indices {
            preset.custom.relays[index].name =
                ["no", "1.5", "null", "a: b # c", "- x", "'", "é \"q\" \\"][index % 7]
                + "\(index)"
        }
        let everything = PresetDisclosure(secrets: true, testResults: true)
        let text = preset.text(everything, .yaml)
        #expect(try PresetFile.read(text.utf8, named: "x.yaml").file == preset)
        #expect(try PresetFile.read(text.utf8).file == preset, "recognized by its content")
    }

    @Test("YAML as a person writes it is read, and its problems have places")
    func yamlByHand() throws {
        let text = """
            # my relays
            format: chatdb-preset
            version: 1
            custom:
              relays:
              - {name: No, address: "\(relay("r.example"))"}
              - address: '\(relay("r2.example"))'
                enabled: false
            """
        let relays = try PresetFile.read(text.utf8, named: "x.YML").file.custom.relays
        #expect(relays.map(\.name) == ["No", ""] && relays.map(\.isEnabled) == [true, false])
        let broken = text.replacing("enabled: false", with: "enabled: perhaps")
        #expect(
            problems(broken, named: "x.yaml") == [
                "line 8, column 14, custom.relays[1].enabled: it is a string; expected true or false"
            ])
        #expect(problems("a: [1\nb: 2", named: "x.yaml").first?.contains(": it is not YAML: ") == true)
    }

    @Test("anchors and aliases are refused before anything follows them", .timeLimit(.minutes(60)))
    func yamlAliases() {
        var bomb = "a0: &a0 [x]\n"
        for level in 1...40 {
            bomb +=
                "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ",") + "]\n"
        }
        #expect(
            problems(bomb + "? *a40\n: 1", named: "x.yaml") == ["it is not YAML: anchors and aliases are not supported"]
        )
    }

    @Test(
        "quoted words that look like an anchor and an alias are text",
        arguments: [
            #"a: ["&x", "*y"]"#, #"- "&x"\#n- "*y \"&z\" \\""#, #"{"a": "&x", "b": "*y"}"#, #"a: "Tom &Jerry: *best*""#,
        ])
    func quotedMarks(_ text: String) {
        #expect(!problems(text, named: "x.yaml").contains { $0.contains("aliases") })
    }

    @Test(
        "quotes hide no alias, however they are written",
        arguments: [
            #"a: &x [1]\#nb: "y"\#nc: *x"#, #"[&x 1, '\#n "', *x, '" ']"#, #"[&x 1, y" , *x , "z]\#n"]"#,
            #"a: &x 1\#nb: |\#n  "\#nc: *x\#nd: |\#n  ""#, #"a: &x 1\#nb: "\#n"\#nc: *x\#nd: "\#n""#,
            #"{a: &x 1, b: "y",\#n"c": *x}"#, #"a: &x "1"\#n? *x\#n: "b""#,
        ])
    func hiddenAliases(_ text: String) {
        #expect(problems(text, named: "x.yaml") == ["it is not YAML: anchors and aliases are not supported"])
    }

    @Test(
        "YAML that is invalid, empty or too deep is refused with one problem",
        arguments: [
            "", "\t", "a: b: c", "--- 1\n--- 2", "? [a]\n: b", "a: 1\na: 2", String(repeating: "[", count: 100_000),
            String(repeating: "[", count: 200) + String(repeating: "]", count: 200), "!!binary x", "\u{0}",
        ])
    func noYAML(_ text: String) {
        #expect(problems(text, named: "x.yaml").count == 1)
    }

    // MARK: - Lists of addresses

    @Test("a list has one address on each line, with comments and blank lines between")
    func list() throws {
        let text = """
            \u{FEFF}# from a friend

            \(server("a.example"))   # the best\r
              \(relay("r.example"))
            \(server("x.example", .xftp))
            """
        for name in ["", "list.txt"] {
            let read = try PresetFile.read(text.utf8, named: name)
            #expect(read.format == .list && read.file.hasAddressesOnly)
            #expect(read.file.custom.smpServers.map(\.address.primaryHost) == ["a.example"])
            #expect(read.file.custom.xftpServers.map(\.address.primaryHost) == ["x.example"])
            #expect(read.file.custom.relays.map(\.address.text) == [relay("r.example")])
        }
    }

    @Test("a list may have bullets, numbers, and several addresses on a line, with blanks or commas between them")
    func sharedList() throws {
        let several = server("a.example,b.onion:5224")
        let text = """
            - \(several), \(server("x.example", .xftp))
            * \(relay("r.example"))
            12. \(server("c.example"));  \(server("d.example"))  # mine
            1) \(server("e.example"))
            """
        for name in ["", "list.txt"] {
            let read = try PresetFile.read(text.utf8, named: name)
            #expect(read.warnings.isEmpty && read.format == .list)
            let hosts = read.file.custom.smpServers.map(\.address.primaryHost)
            #expect(hosts == ["a.example", "c.example", "d.example", "e.example"])
            #expect(read.file.custom.smpServers.first?.address.hosts == ["a.example", "b.onion"])
            #expect(read.file.custom.xftpServers.count == 1 && read.file.custom.relays.count == 1)
        }
        #expect(
            problems("- \(server("a.example")) and \(server("b.example"))", named: "x.txt").map {
                $0.split(separator: ":")[0]
            } == ["line 1, column \(4 + server("a.example").count)"])
        #expect(!problems("- smp://x:s3cret@a.example", named: "x.txt").joined().contains("s3cret"))
    }

    @Test("addresses of a mail may be in brackets or quotes, be quoted, and be followed by punctuation")
    func mail() throws {
        let text = """
            > <\(relay("r.example"))>, "\(server("a.example"))".
            >>(\(server("b.example")))
            “\(server("x.example", .xftp))”; see '\(server("c.example"))'!
            """
        let read = try PresetFile.read(text.replacing(" see ", with: " ").utf8, named: "mail.txt")
        #expect(read.warnings.isEmpty)
        #expect(read.file.custom.relays.map(\.address.text) == [relay("r.example")])
        #expect(read.file.custom.smpServers.map(\.address.primaryHost) == ["a.example", "b.example", "c.example"])
        #expect(read.file.custom.xftpServers.map(\.address.primaryHost) == ["x.example"])
        // The place of a problem is that of the word.
        #expect(problems(text, named: "mail.txt").map { $0.hasPrefix("line 3, column ") } == [true])
        #expect(problems("<smp://x@>\n", named: "mail.txt").first?.hasPrefix("line 1, column 2: ") == true)
        #expect(try PresetFile.read("<\(relay("r.example"))>.\n".utf8).format == .list, "recognized by its content")
    }

    @Test("the sentence about several lines with the same problem names the lines, and is there once")
    func sameProblem() {
        let text = "Dear friend,\nuse this:\n<\(relay("r.example"))>.\nBest,\nalice\n\(server("r.example"))\n"
        let error = #expect(throws: PresetError.self) { try PresetFile.read(text.utf8, named: "mail.txt") }
        let lines = error?.info.lines ?? []
        #expect(lines.count == 1, "\(lines)")
        #expect(lines.first?.hasPrefix("lines 1, 2, 4, 5: it is not the address") == true, "\(lines)")
        #expect(error?.message.contains("in 4 places") == true)
        let many = Array(repeating: "x", count: 250).joined(separator: "\n")
        let cut = #expect(throws: PresetError.self) { try PresetFile.read(many.utf8, as: .list) }
        let shown = cut?.info.lines ?? []
        #expect(shown.count == 2 && shown.first?.contains("9, 10, …: ") == true && shown.last == "and 150 more")
    }

    @Test("a line that is repeated as it is, and a list without addresses, are reported as warnings")
    func listWarnings() throws {
        let address = server("a.example")
        let read = try PresetFile.read("\(address)\n\(relay("r.example"))\n \(address) # again\n".utf8)
        #expect(read.file.custom.smpServers.count == 1)
        #expect(read.warnings.map(\.description) == ["line 3, column 2: the same as line 1"])
        for text in ["", "# nothing\n\n"] {
            let empty = try PresetFile.read(text.utf8, named: "x.txt")
            #expect(empty.warnings.map(\.description) == ["it has no addresses"])
        }
    }

    @Test(
        "of a line that does not begin as an address does, nothing is repeated",
        arguments: [
            "hello world", "smp//x:s3cret@a.example", "-smp://x:s3cret@a.example", "s3cret",
        ])
    func noBeginning(_ line: String) {
        let found = problems("\(line)\n", named: "x.txt")
        #expect(
            found.count == 1 && found[0].hasPrefix("line 1, column 1: it is not the address of a server or a relay; "))
        #expect(found.first?.hasSuffix("; delete other lines, or begin them with #") == true, "\(found)")
        #expect(!found[0].contains("s3cret"))
    }

    @Test("the error offers a solution: the lenient reader for unknown fields, the other format for the app's JSON")
    func hints() {
        func error(_ text: String) -> PresetError? {
            do throws(PresetError) {
                _ = try PresetFile.read(text.utf8)
                return nil
            } catch {
                return error
            }
        }
        let head = #""format": "chatdb-preset", "version": 1"#
        func hasUnknownField(_ text: String) -> Bool? {
            guard case .invalidPreset(let problems, _) = error(text) else { return nil }
            return problems.contains(where: \.isUnknownField)
        }
        #expect(hasUnknownField("{\(head), \"new\": 1}") == true)
        #expect(hasUnknownField("{\(head), \"custom\": 1}") == false)
        #expect(error("{}")?.message.contains("what SimpleX Chat writes (the format simplex-api)") == true)
        #expect(error(#"{"format": "other"}"#)?.message.contains("--as simplex-api") == false)
        let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
        #expect(problems("a: \(deep)", named: "x.yaml").first?.hasSuffix("more than 128 levels deep") == true)
    }

    @Test("each line that is no address, or is there twice, is reported with its number")
    func badList() {
        let found = problems("\(server("a.example"))\nnonsense\n\(server("A.example"))", named: "x.txt")
        #expect(found.count == 2 && found[0].hasPrefix("line 2, column 1: "))
        #expect(found[1] == "line 3, column 1: the same server as line 1")
        let many = Array(repeating: "x", count: 250).joined(separator: "\n")
        let error = #expect(throws: PresetError.self) { try PresetFile.read(many.utf8, as: .list) }
        guard case .invalidPreset(let problems, let more) = error else { return }
        #expect(problems.count == 100 && more == 150)
    }
}
