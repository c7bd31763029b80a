import ChatDBKit
import Testing

@testable import ChatDBTool

@Suite struct ErrorReportTests {
    static let error = ErrorReport(
        "relayNotFound", "no relay named \"relya\" in profile \"alice\"", state: "Nothing was changed.",
        hint: "did you mean \"relay\"?", details: ["name": "relya", "candidates": ["relay"]], exit: .no)

    @Test("the text for people has a message, the state, and a hint")
    func text() {
        let captured = Captured()
        output(into: captured).fail(Self.error)
        #expect(captured.output == "")
        #expect(
            captured.error == """
                error: no relay named "relya" in profile "alice"
                Nothing was changed.
                hint: did you mean "relay"?

                """)
    }

    @Test("the JSON for programs is one line, without empty parts")
    func json() {
        let captured = Captured()
        output(.json, into: captured).fail(Self.error)
        output(.json, into: captured).fail(ErrorReport("x", "y", exit: .usage))
        #expect(
            captured.error == #"""
                {"error":{"code":"relayNotFound","message":"no relay named \"relya\" in profile \"alice\"","state":"Nothing was changed.","hint":"did you mean \"relay\"?","details":{"name":"relya","candidates":["relay"]}}}
                {"error":{"code":"x","message":"y"}}

                """#)
    }

    @Test("colours mark the words before the sentence, when standard error has colours")
    func colours() {
        let captured = Captured()
        output(terminal: Terminal(errorIsTerminal: true), into: captured).fail(ErrorReport("x", "y", exit: .no))
        #expect(captured.error == "\u{1b}[31merror:\u{1b}[0m y\n")
    }

    @Test("an error without a report is a defect, and its contents are not shown")
    func unknown() {
        struct Odd: Error { let value = "s3cret" }
        let report = ErrorReport(Odd())
        #expect(report.exit == .defect)
        #expect(report.code == "internalError")
        #expect(report.message == "unexpected error (Odd)")
        #expect(!report.json.text().contains("s3cret"))
        #expect(ErrorReport(ConsentError.declined).code == "declined")
    }

    @Test("the exit codes are those of the documentation")
    func exits() {
        #expect(ExitStatus.allCases.map(\.rawValue) == [0, 1, 64, 65, 66, 69, 70, 73, 74, 75, 77, 78, 130])
    }
}
