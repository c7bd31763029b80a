import Testing

@testable import ChatDBTool

@Suite struct DidYouMeanTests {
    @Test(
        "similar names are found, nearest first, and no others",
        arguments: [
            ("serevr", ["user", "sever", "server"], ["server", "sever"]), ("ALICE", ["alice", "bob"], ["alice"]),
            ("alcie", ["alice"], ["alice"]), ("ab", ["ac", "cb"], []),
            ("bob", ["rob", "bib", "bobby", "bo"], ["rob", "bib", "bo"]),
            ("chanels", ["channels", "channel"], ["channels", "channel"]), ("", ["a"], []), ("x", [], []),
            ("inspect", ["backup", "restore"], []), ("alcie", ["alice", "bob", "alice"], ["alice"]),
        ] as [(String, [String], [String])])
    func suggestions(name: String, candidates: [String], expected: [String]) {
        #expect(DidYouMean.suggestions(for: name, among: candidates) == expected)
    }

    @Test("the hint is a question, or nothing")
    func hint() {
        #expect(DidYouMean.hint(for: "lisst", among: ["list"]) == "did you mean \"list\"?")
        #expect(DidYouMean.hint(for: "bob", among: ["rob", "bib", "bo"]) == "did you mean \"rob\", \"bib\" or \"bo\"?")
        #expect(DidYouMean.hint(for: "zzz", among: ["list"]) == nil)
    }

    @Test("two swapped neighbours count as one mistake")
    func distance() {
        #expect(DidYouMean.distance(Array("ca"), Array("ac")) == 1)
        #expect(DidYouMean.distance(Array("kitten"), Array("sitting")) == 3)
        #expect(DidYouMean.distance([], Array("abc")) == 3)
        #expect(DidYouMean.distance(Array("abc"), []) == 3)
    }

    @Test("names of any length are compared quickly")
    func longNames() {
        let long = String(repeating: "a", count: 100_000)
        #expect(DidYouMean.suggestions(for: long, among: [long]) == [])
        #expect(DidYouMean.suggestions(for: "aaaa", among: [long, "aaab"]) == ["aaab"])
    }
}
