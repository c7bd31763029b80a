import ChatDBKit
import Testing

@testable import ChatDBTool

/// Safety S06 and §6.4: characters that act on a terminal are always escaped.
@Suite struct HostileTextTests {
    static let hostile =
        "a\u{1b}]0;pwned\u{07}\u{1b}[2J\u{9b}31m\u{202e}b\u{2066}c\u{200f}\u{061c}\r\n\0\t\u{7f}\u{2028}z"

    static let escaped =
        #"a\u{1b}]0;pwned\u{7}\u{1b}[2J\u{9b}31m\u{202e}b\u{2066}c\u{200f}\u{61c}\u{d}\u{a}\u{0}\u{9}\u{7f}\u{2028}z"#

    static let report = DocumentReport(
        [
            .heading(hostile), .paragraph(hostile), .fields([Field(hostile, .text(hostile))]),
            .table(
                Table(
                    [Column(hostile, shrinking: .end), Column("B", shrinking: .middle)],
                    rows: [[.text(hostile), .text(hostile)]], whenEmpty: hostile)),
            .table(Table([Column("C")], rows: [], whenEmpty: hostile)),
            .notes([.note(hostile), .warning(hostile)]), .verbatim(hostile, language: "sql"),
        ],
        json: [.init(stringLiteral: hostile), ["name": .string(hostile)]])

    static func isSafe(_ text: String) -> Bool {
        !text.unicodeScalars.contains { UnsafeScalars.contains($0) && $0 != "\n" && $0 != "\t" }
    }

    @Test("every format escapes them, on a terminal or off it", arguments: OutputFormat.allCases)
    func formats(format: OutputFormat) throws {
        for width in [nil, 40, 80, 200] {
            let text = try written(Self.report, format, width: width)
            #expect(Self.isSafe(text))
            #expect(text.contains("pwned"))
        }
    }

    @Test("raw CSV escapes them too")
    func rawCSV() throws {
        let captured = Captured()
        try output(.csv, csvRaw: true, into: captured).write(Self.report)
        #expect(Self.isSafe(captured.output))
    }

    @Test("notes, warnings, details, errors, questions and progress bars escape them too")
    func others() throws {
        for format in OutputFormat.allCases {
            let captured = Captured()
            let output = output(format, isVerbose: true, into: captured)
            output.note(Self.hostile)
            output.warn(Self.hostile)
            output.detail(Self.hostile)
            output.fail(
                ErrorReport(
                    "x", Self.hostile, state: Self.hostile, hint: Hint(text: Self.hostile),
                    details: ["name": .string(Self.hostile)], exit: .no))
            let consent = Consent(
                yes: false, terminal: Terminal(inputIsTerminal: true), standardError: output.standardError,
                readLine: { nil })
            #expect(try !consent.ask(Self.hostile))
            #expect(Self.isSafe(captured.error))
            #expect(captured.error.split(separator: "\n").count >= 5)
        }
        var bar = ""
        let progress = ProgressBar(
            Self.hostile, total: 10, width: 200, isShown: true, elapsed: { .seconds(1) }, send: { bar += $0 })
        progress.update(5)
        #expect(Self.isSafe(bar.replacing(ANSI.clearLine, with: "")))
        #expect(bar.contains("pwned"))
    }

    @Test("a line shows each character by its number; text of several lines keeps newlines and tabs only")
    func escaping() {
        #expect(TextEscaping.line(Self.hostile) == Self.escaped)
        #expect(TextEscaping.lines("a\n\tb\r\u{1b}") == "a\n\tb\\u{d}\\u{1b}")
        // A carriage return and a newline are one character in Swift.
        #expect(TextEscaping.lines("a\r\nb") == "a\\u{d}\nb")
        #expect(TextEscaping.line("中文 é 😀 \\u{1b}") == "中文 é 😀 \\u{1b}")
    }

    @Test("data cannot begin a new line")
    func oneLine() throws {
        let report = DocumentReport([
            .fields([Field("Name", "x\nerror: all is lost")]), .paragraph("y\nwarning: no"),
        ])
        #expect(try written(report) == "Name:  x\\u{a}error: all is lost\n\ny\\u{a}warning: no\n")
    }
}
