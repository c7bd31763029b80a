import ChatDBKit
import Testing

@testable import ChatDBTool

@Suite struct OutputTests {
    @Test("the answer goes to standard output, everything else to standard error")
    func streams() throws {
        let captured = Captured()
        let output = output(isVerbose: true, into: captured)
        output.note("a")
        output.warn("b")
        output.detail("c")
        try output.write(DocumentReport([.paragraph("answer")]))
        #expect(captured.output == "answer\n")
        #expect(captured.error == "note: a\nwarning: b\nc\n")
    }

    @Test("--quiet leaves warnings and the answer; details need --verbose")
    func quiet() throws {
        let captured = Captured()
        let output = output(isQuiet: true, into: captured)
        output.note("a")
        output.warn("b")
        output.detail("c")
        try output.write(DocumentReport([.paragraph("answer")]))
        #expect(captured.output == "answer\n")
        #expect(captured.error == "warning: b\n")
    }

    @Test("--quiet also omits notes from an answer, for people and in Markdown, and warnings in it")
    func quietNotes() throws {
        for format in [OutputFormat.table, .markdown] {
            let captured = Captured()
            let output = output(format, isQuiet: true, into: captured)
            try output.write(DocumentReport([.paragraph("answer"), .notes([.note("remark"), .warning("danger")])]))
            #expect(captured.output.contains("answer") && captured.output.contains("danger"))
            #expect(!captured.output.contains("remark"))
        }
    }

    @Test("JSON is one document with a newline at its end, the same on a terminal")
    func json() throws {
        let report = DocumentReport([.heading("x")], json: ["relays": [["chatRelayId": 1]]])
        let expected = """
            {
              "relays": [
                {
                  "chatRelayId": 1
                }
              ]
            }

            """
        #expect(try written(report, .json) == expected)
        #expect(try written(report, .json, width: 40, color: .always) == expected)
    }

    @Test("a report may write its JSON piece by piece")
    func streamed() throws {
        struct Streamed: Report {
            var json: JSONValue { .null }
            var document: Document { [] }

            func writeJSON(to writer: inout JSONWriter) throws {
                writer.beginArray()
                for number in 1...2 { try writer.value(JSONValue(number)) }
                writer.endArray()
            }
        }
        #expect(try written(Streamed(), .json) == "[\n  1,\n  2\n]\n")
    }

    @Test("an error of the stream reaches the caller, in every format", arguments: OutputFormat.allCases)
    func readerGone(format: OutputFormat) {
        let output = Output(format, terminal: Terminal(), standardOutput: { _ in throw ReaderGone() })
        #expect(throws: ReaderGone()) { try output.write(SampleReport.usual) }
    }

    @Test("a broken standard error does not stop a command")
    func brokenError() {
        let output = Output(terminal: Terminal(), standardError: { _ in throw ReaderGone() })
        output.warn("x")
        output.fail(ErrorReport("x", "y", exit: .no))
    }
}
