import Testing

@testable import ChatDBTool

@Suite struct CSVTests {
    @Test("a header of keys, then the rows; an absent value is an empty field")
    func usual() throws {
        #expect(
            try written(SampleReport.usual, .csv, width: 40) == """
                chatRelayId,name,address,enabled,tested,channels,lastUsed,bytes
                1,Relay one,https://relay1.simplex.im/r#0123456789abcdefghijklmnopqrstuvwxyz,yes,yes,12345,2025-12-31T21:00:00Z,1536
                22,"中文 é relay, with a long name",https://b.example/r#x,no,,0,,5368709120

                """)
    }

    /// Safety S12.
    @Test(
        "text that a spreadsheet takes for a formula gets an apostrophe, unless it is a number",
        arguments: [
            ("=cmd()", "'=cmd()"), ("+1", "'+1"), ("-1", "-1"), ("-1.5e-3", "-1.5e-3"), ("-", "'-"),
            ("-1+cmd()", "'-1+cmd()"), ("@x", "'@x"), ("\tx", "'\tx"), ("\rx", "'\\u{d}x"), ("\u{0}x", "'\\u{0}x"),
            ("\u{ff1d}x", "'\u{ff1d}x"), ("=\u{301}x", "'=\u{301}x"), ("a=b", "a=b"), ("'=x", "'=x"), ("", ""),
            ("-١", "'-١"), ("-1\n", "\"'-1\n\""),
        ])
    func guarded(text: String, field: String) {
        #expect(csv([[text]]) == "a\n" + (field.isEmpty ? "\"\"" : field) + "\n")
    }

    @Test("raw CSV leaves formulas as they are")
    func raw() {
        #expect(csv([["=cmd()"], ["@x"]], raw: true) == "a\n=cmd()\n@x\n")
    }

    @Test("a negative number gets no apostrophe, and a title that is a formula gets one")
    func numbersAndTitles() {
        let table = Table([Column("=x", key: "=x()")], rows: [[.number(-5)], [.count(-6)]], whenEmpty: "")
        #expect(CSVRenderer(raw: false).render(table) == "'=x()\n-5\n-6\n")
    }

    @Test("a reader that follows RFC 4180 reads back the written values", arguments: UInt64(1)...200)
    func roundTrip(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let letters: [Character] = ["a", "\"", ",", "\n", " ", "\t", "é", "中", "=", "-", "'", "\u{1b}", "\r"]
        let width = Int.random(in: 1...4, using: &random)
        let rows = (0..<Int.random(in: 0...5, using: &random)).map { _ in
            (0..<width).map { _ in
                String(
                    (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in letters.randomElement(using: &random)
                    })
            }
        }
        let read = CSVReader.rows(of: csv(rows, columns: width, raw: true))
        #expect(Array(read.dropFirst()) == rows.map { $0.map(TextEscaping.lines) })
        #expect(read.allSatisfy { $0.count == width })
    }

    @Test("fields without a table are keys and values; texts alone are one column")
    func fallback() throws {
        let fields = DocumentReport([
            .heading("A"), .fields([Field("Last used", .nothing), Field("Size", .bytes(5000))]),
            .fields([Field("Name", "x,y")]),
        ])
        #expect(try written(fields, .csv) == "key,value\nlastUsed,\nsize,5000\nname,\"x,y\"\n")
        let texts = DocumentReport([.heading("A"), .paragraph("done"), .notes([.note("more")])])
        #expect(try written(texts, .csv) == "text\ndone\nmore\n")
        #expect(try written(DocumentReport([]), .csv) == "text\n")
    }

    @Test("a table without rows is its header")
    func empty() throws {
        #expect(try written(SampleReport(user: "bob", relays: []), .csv).split(separator: "\n").count == 1)
    }

    private func csv(_ rows: [[String]], columns: Int = 1, raw: Bool = false) -> String {
        let names = ["a", "b", "c", "d"].prefix(columns)
        let table = Table(
            names.map { Column($0) }, rows: rows.map { $0.map { Cell.text($0) } }, whenEmpty: "none")
        return CSVRenderer(raw: raw).render(table)
    }
}

/// A reader by the grammar of RFC 4180, for lines that end with a newline.
enum CSVReader {
    static func rows(of text: String) -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var field = ""
        var isQuoted = false
        var rest = Substring(text).unicodeScalars
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"" where isQuoted && rest.first == "\"":
                rest.removeFirst()
                field += "\""
            case "\"": isQuoted.toggle()
            case "," where !isQuoted:
                row.append(field)
                field = ""
            case "\n" where !isQuoted:
                rows.append(row + [field])
                row = []
                field = ""
            default: field.unicodeScalars.append(scalar)
            }
        }
        return rows
    }
}
