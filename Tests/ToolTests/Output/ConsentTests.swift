import Testing

@testable import ChatDBTool

@Suite struct ConsentTests {
    private func consent(yes: Bool = false, isTerminal: Bool, answer: String?, into captured: Captured) -> Consent {
        Consent(
            yes: yes, terminal: Terminal(inputIsTerminal: isTerminal),
            standardError: { captured.error += String(decoding: $0, as: UTF8.self) }, readLine: { answer })
    }

    @Test(
        "only y and yes mean yes, and the line of a question without an answer is ended",
        arguments: [
            ("y", true), ("Y", true), (" yes ", true), ("n", false), ("", false), ("yess", false), (nil, false),
        ])
    func answers(answer: String?, expected: Bool) throws {
        let captured = Captured()
        #expect(try consent(isTerminal: true, answer: answer, into: captured).ask("delete it?") == expected)
        #expect(captured.error == "delete it? [y/N] " + (answer == nil ? "\n" : ""))
    }

    @Test("--yes answers without a question, with and without a terminal", arguments: [true, false])
    func yes(isTerminal: Bool) throws {
        let captured = Captured()
        #expect(try consent(yes: true, isTerminal: isTerminal, answer: "n", into: captured).ask("delete it?"))
        #expect(captured.error == "")
    }

    @Test("without a terminal and --yes chatdb does not ask: exit 64, and nothing changes")
    func noTerminal() throws {
        let captured = Captured()
        let error = try #require(throws: ConsentError.self) {
            try consent(isTerminal: false, answer: "y", into: captured).ask("delete it?")
        }
        #expect(captured.error == "")
        #expect(error.report.code == "confirmationNeeded")
        #expect(error.report.state == "Nothing was done.")
        #expect(error.report.exit == .usage)
    }

    @Test("if standard input is the file of the command, the error says so")
    func standardInput() {
        let error = ConsentError.confirmationNeeded("delete it?", hasDryRun: true, readsFile: true)
        #expect(error.report.message == "confirmation is required, and standard input is the file: delete it?")
        #expect(error.report.hint?.text() == "--dry-run shows what would be done; add --yes to confirm")
    }

    @Test("a declined question exits with 1")
    func declined() throws {
        let captured = Captured()
        let consent = consent(isTerminal: true, answer: "n", into: captured)
        #expect(throws: ConsentError.declined) { try consent.require("delete it?") }
        #expect(ConsentError.declined.report.exit == .no)
    }
}
