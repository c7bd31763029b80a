import Testing

@testable import ChatDBTool

@Suite struct TerminalTests {
    @Test("the width is the terminal's, else COLUMNS, else 80, within bounds")
    func width() {
        #expect(Terminal.width(reported: 132, environment: ["COLUMNS": "50"]) == 132)
        #expect(Terminal.width(reported: nil, environment: ["COLUMNS": "50"]) == 50)
        #expect(Terminal.width(reported: 0, environment: ["COLUMNS": "x"]) == 80)
        #expect(Terminal.width(reported: nil, environment: [:]) == 80)
        #expect(Terminal.width(reported: 1, environment: [:]) == 20)
        #expect(Terminal.width(reported: 65_535, environment: [:]) == 1000)
    }

    @Test("colours are for terminals, unless requested or refused")
    func colours() {
        let usual = Terminal()
        #expect(usual.usesColour(.auto, on: true))
        #expect(!usual.usesColour(.auto, on: false))
        #expect(usual.usesColour(.always, on: false))
        #expect(!usual.usesColour(.never, on: true))
        for careful in [Terminal(isDumb: true), Terminal(refusesColour: true)] {
            #expect(!careful.usesColour(.auto, on: true))
            #expect(careful.usesColour(.always, on: true))
        }
    }
}
