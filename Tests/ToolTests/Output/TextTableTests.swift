import Testing

@testable import ChatDBTool

@Suite struct TextTableTests {
    @Test("a wide terminal shows every value whole, times relative, sizes and counts as people read them")
    func wide() throws {
        #expect(
            try written(SampleReport.usual, width: 200) == """
                Relays of alice
                Id  Name                            Address                                                           Enabled  Tested  Channels  Last used       Size
                ──  ──────────────────────────────  ────────────────────────────────────────────────────────────────  ───────  ──────  ────────  ───────────  ───────
                 1  Relay one                       https://relay1.simplex.im/r#0123456789abcdefghijklmnopqrstuvwxyz  yes      yes       12,345  3 hours ago  1.5 KiB
                22  中文 é relay, with a long name  https://b.example/r#x                                             no       –              0  –            5.0 GiB

                """)
    }

    @Test("a table of 80 columns shortens addresses in the middle and names at the end, and no other values")
    func eighty() throws {
        #expect(
            try written(SampleReport.usual, width: 80) == """
                Relays of alice
                Id  Name       Address           Enabled  Tested  Channels  Last used       Size
                ──  ─────────  ────────────────  ───────  ──────  ────────  ───────────  ───────
                 1  Relay one  https://…tuvwxyz  yes      yes       12,345  3 hours ago  1.5 KiB
                22  中文 é r…  https://…ple/r#x  no       –              0  –            5.0 GiB

                """)
    }

    @Test("if the columns do not fit, each row is a list of fields")
    func forty() throws {
        #expect(
            try written(SampleReport.usual, width: 40) == """
                Relays of alice
                Id:         1
                Name:       Relay one
                Address:    https://relay1…nopqrstuvwxyz
                Enabled:    yes
                Tested:     yes
                Channels:   12,345
                Last used:  3 hours ago
                Size:       1.5 KiB

                Id:         22
                Name:       中文 é relay, with a long n…
                Address:    https://b.example/r#x
                Enabled:    no
                Tested:     –
                Channels:   0
                Last used:  –
                Size:       5.0 GiB

                """)
    }

    @Test("text that needs consent is never cut: it wraps, or the values of a row stand behind its sign")
    func wrapped() throws {
        let report = DocumentReport([
            .table(
                Table(
                    [
                        Column("", key: "action"), Column("Name", shrinking: .wrapped),
                        Column("Address", shrinking: .middle), Column("Change", shrinking: .wrapped),
                    ],
                    rows: [
                        [
                            "~", "naam", "https://relay1.example/r#0123456789abcdefghijklmnopqrstuvwxyz",
                            "name: naam → my relay with a longer name, enabled: no → yes",
                        ],
                        ["+", "other", "https://b.example/r#x", "enabled: yes"],
                    ], whenEmpty: ""))
        ])
        #expect(
            try written(report, width: 60) == """
                   Name   Address           Change
                ─  ─────  ────────────────  ────────────────────────────────
                ~  naam   https://…tuvwxyz  name: naam → my relay with a
                                            longer name, enabled: no → yes
                +  other  https://…ple/r#x  enabled: yes

                """)
        #expect(
            try written(report, width: 40) == """
                ~ naam
                    name: naam → my relay with a longer
                    name, enabled: no → yes
                    https://relay1.exa…jklmnopqrstuvwxyz
                + other  enabled: yes
                    https://b.example/r#x

                """)
    }

    @Test("an address whose hosts have to be seen has a short key, and wraps; keys that would look the same stay whole")
    func addresses() throws {
        func report(_ addresses: [String]) -> DocumentReport {
            DocumentReport([
                .table(
                    Table(
                        [Column("Kind"), Column("Address", shrinking: .address)],
                        rows: addresses.map { ["relay", .text($0)] }, whenEmpty: ""))
            ])
        }
        let key = "0123456789abcdefghijklmnopqrstuvwxyz"
        let relays = report(["https://relay1.example/r#\(key)", "https://b.example/r#x"])
        #expect(
            try written(relays, width: 45) == """
                Kind   Address
                ─────  ──────────────────────────────────
                relay  https://relay1.example/r#0123…wxyz
                relay  https://b.example/r#x

                """)
        #expect(
            try written(relays, width: 32) == """
                Kind   Address
                ─────  ─────────────────────────
                relay  https://relay1.example/
                       r#0123…wxyz
                relay  https://b.example/r#x

                """)
        let alike = try written(report([key, "0123\(key)wxyz"].map { "https://a.example/r#\($0)" }), width: 45)
        #expect(alike.contains("r#\(key)\n"))
        #expect(!alike.contains("…"))
    }

    @Test("on a narrow terminal a plan has a line for each entry, and the whole hosts of addresses that are no context")
    func plan() throws {
        let onion = "beccx4yfxxbvyhqypaavemqurytl6hozr47wfc7uuecacjqdvwpw2xid.onion"
        let address = "smp://0123456789abcdefghijklmnopqrstuvwxyz=@smp8.simplex.im,\(onion)"
        let report = DocumentReport([
            .table(
                Table(
                    [
                        Column("", key: "action"), Column("Kind"), Column("Name", shrinking: .wrapped),
                        Column("Address", shrinking: .address), Column("Change", shrinking: .wrapped),
                    ],
                    rows: [
                        ["~", "SMP server", "smp8.simplex.im", .text(address, .dim), "enabled: no → yes"],
                        ["+!", "SMP server", "smp8.simplex.im", .text(address), "enabled: no"],
                        ["+", "relay", "", "https://b.example/r#x", "enabled: yes"], ["!", "operator", "Flux"],
                    ], whenEmpty: ""))
        ])
        #expect(
            try written(report, width: 80) == """
                ~  SMP server  smp8.simplex.im  enabled: no → yes
                +! SMP server  smp8.simplex.im  enabled: no
                     smp://0123…xyz=@smp8.simplex.im,
                     \(onion)
                +  relay  https://b.example/r#x  enabled: yes
                !  operator  Flux

                """)
    }

    @Test("an address in a list loses its key and its further hosts before its host")
    func listed() throws {
        let key = "0123456789abcdefghijklmnopqrstuvwxyz"
        let report = DocumentReport([
            .table(
                Table(
                    [Column("Name", shrinking: .end), Column("Address", shrinking: .listedAddress)],
                    rows: [
                        ["one", "smp://\(key)=@smp.example,a.onion:5223"], ["two", "https://relay.example/r#\(key)"],
                        ["three", "simplex:/r#\(key)?h=b.example,c.example&p=5223"],
                    ], whenEmpty: ""))
        ])
        func addresses(_ width: Int) throws -> [Substring] {
            try written(report, width: width).split(separator: "\n").dropFirst(2).map { $0.dropFirst(7) }
        }
        #expect(
            try addresses(60) == [
                "smp://0123…xyz=@smp.example,a.onion:5223", "https://relay.example/r#0123…wxyz",
                "simplex:/r#0123…wxyz?h=b.example,c.example&p=5223",
            ])
        #expect(
            try addresses(50) == [
                "smp://0123…xyz=@smp.example,…:5223", "https://relay.example/r#0123…wxyz",
                "simplex:/r#0123…wxyz?h=b.example,…&p=5223",
            ])
        #expect(try addresses(30) == ["smp.example:5223", "relay.example", "b.example"])
    }

    @Test("off a terminal values are whole, numbers plain, times in ISO 8601, and there is no box")
    func plain() throws {
        #expect(
            try written(SampleReport.usual) == """
                Relays of alice
                Id  Name                            Address                                                           Enabled  Tested  Channels  Last used                   Size
                 1  Relay one                       https://relay1.simplex.im/r#0123456789abcdefghijklmnopqrstuvwxyz  yes      yes        12345  2025-12-31T21:00:00Z        1536
                22  中文 é relay, with a long name  https://b.example/r#x                                             no       –              0  –                     5368709120

                """)
    }

    @Test("no line is wider than the terminal or ends with a blank", arguments: 40...200)
    func fits(width: Int) throws {
        for line in try written(SampleReport.usual, width: width).split(separator: "\n") {
            #expect(DisplayWidth.of(String(line)) <= width)
            #expect(!line.hasSuffix(" "))
        }
    }

    @Test("colours surround values and never the blanks beside them")
    func colours() throws {
        let report = DocumentReport([
            .table(
                Table(
                    [Column("A"), Column("B", alignment: .right), Column("C")],
                    rows: [[.text("x", .good), .text("y", .bad), .text("z", .dim)], ["long", "long", ""]],
                    whenEmpty: ""))
        ])
        let text = try written(report, color: .always)
        #expect(
            text.replacing("\u{1b}", with: "^") == """
                ^[1mA^[0m        ^[1mB^[0m  ^[1mC^[0m
                ^[32mx^[0m        ^[31my^[0m  ^[2mz^[0m
                long  long

                """)
        #expect(try !written(report, width: 80, color: .never).contains("\u{1b}"))
        #expect(try written(report, width: 80, color: .auto).contains("\u{1b}"))
        #expect(try !written(report, color: .auto).contains("\u{1b}"))
    }

    @Test("a document is its blocks with an empty line between, but for headings")
    func blocks() throws {
        let report = DocumentReport([
            .heading("Store"),
            .fields([
                Field("Path", "/tmp/x"), Field("Size", .bytes(1_500_000)), Field("Profiles", .nothing),
                Field("Note", ""),
            ]),
            .heading("Relays"),
            .table(Table([Column("Id")], rows: [], whenEmpty: "no relays")),
            .paragraph("One two three four five six seven eight nine ten."),
            .notes([.warning("the chat database was edited by something else"), .note("short")]),
            .verbatim("CREATE TABLE t (\n\tid INTEGER\n);\n", language: "sql"),
        ])
        #expect(
            try written(report, width: 40) == """
                Store
                Path:      /tmp/x
                Size:      1.4 MiB
                Profiles:  –
                Note:

                Relays
                no relays

                One two three four five six seven eight
                nine ten.

                warning: the chat database was edited by
                         something else
                note: short

                CREATE TABLE t (
                \tid INTEGER
                );

                """)
        #expect(try written(report).contains("One two three four five six seven eight nine ten.\n"))
    }

    @Test("the last column is not padded, and blanks at the end of a value are not shown")
    func lastColumn() throws {
        let report = DocumentReport([
            .table(
                Table([Column("A"), Column("Bee")], rows: [["1", "b"], ["1", "bb  "], ["1", " "]], whenEmpty: "")),
            .fields([Field("A", "b  ")]),
        ])
        #expect(try written(report) == "A  Bee\n1  b\n1  bb\n1\n\nA:  b\n")
    }

    @Test("the steps of a field have lines of their own, aligned with its text")
    func steps() throws {
        let report = DocumentReport([
            .fields([
                Field(
                    "finding", .text("Rows are lost."), steps: ["Channel 1:", "1. Repair it: chatdb check --fix."],
                    commands: ["chatdb check --fix"])
            ])
        ])
        let beginning = "finding:  Rows are lost.\n          Channel 1:\n          1. Repair it:"
        #expect(try written(report) == "\(beginning) chatdb check --fix.\n")
        #expect(try written(report, width: 30) == "\(beginning)\n          chatdb check --fix\n")
    }

    @Test("on a terminal, each command of a field has an unbroken line, also if it is longer than the room")
    func commands() throws {
        let (short, long) = ("chatdb check --fix", "chatdb group relay add id:1 id:7 --user id:1 -d x")
        let text = "The rows are lost. Without a backup, \(short), or with \(long): as a new member."
        let report = DocumentReport([.fields([Field("finding", .text(text), commands: [short, long])])])
        #expect(
            try written(report, width: 44) == """
                finding:  The rows are lost. Without a
                          backup,
                          chatdb check --fix
                          or with
                  chatdb group relay add id:1 id:7 --user id:1 -d x
                          as a new member.

                """)
        for line in [try written(report), try written(report, width: 200)] { #expect(line == "finding:  \(text)\n") }
        // A command that the text does not have, and one at the end, leave nothing out.
        let other = DocumentReport([
            .fields([Field("a", .text("Use one of two: \(short)."), commands: ["chatdb none", short])])
        ])
        #expect(try written(other, width: 22) == "a:  Use one of two:\n    chatdb check --fix\n")
    }

    @Test("on a terminal, a note of several lines has each command on a line of its own")
    func commandsOfNotes() throws {
        let given = GivenOptions(store: "a/long/path/of/a/store")
        let note = Note.warning("the database differs from its schema; \(.schemaDiff) shows how", given)
        let report = DocumentReport([.notes([note, .note("\(.check) shows more", .none)])])
        #expect(
            try written(report, width: 50) == """
                warning: the database differs from its schema;
                  chatdb schema diff -d a/long/path/of/a/store
                         shows how
                note: chatdb check shows more

                """)
        let command = "chatdb schema diff -d a/long/path/of/a/store"
        let line = "warning: the database differs from its schema; \(command) shows how"
        #expect(try written(report) == "\(line)\nnote: chatdb check shows more\n")
    }

    @Test("a row with too few cells has empty ones at the end, and cells beyond the columns are omitted")
    func uneven() throws {
        let table = Table([Column("A"), Column("B")], rows: [["1"], ["1", "2", "3"]], whenEmpty: "")
        #expect(
            try written(DocumentReport([.table(table)])) == """
                A  B
                1  –
                1  2

                """)
    }
}
