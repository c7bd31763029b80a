import Testing

@testable import ChatDBTool

@Suite struct DisplayWidthTests {
    @Test(
        "wide characters take two columns, marks none",
        arguments: [
            ("abc", 3), ("é", 1), ("e\u{301}", 1), ("中文", 4), ("한글", 4), ("ｆ", 2), ("😀", 2), ("👨‍👩‍👧", 2),
            ("🇩🇪", 2), ("❤️", 2), ("\u{200d}", 0), ("–…", 2), ("ไทย", 3), ("", 0),
        ])
    func width(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test("a shortened text is never wider than the limit, and marks the omission")
    func cut() {
        #expect(DisplayWidth.cutMiddle("abcdefghij", to: 10) == "abcdefghij")
        #expect(DisplayWidth.cutMiddle("abcdefghij", to: 7) == "abc…hij")
        #expect(DisplayWidth.cutMiddle("abcdefghij", to: 6) == "abc…ij")
        #expect(DisplayWidth.cutMiddle("abcdefghij", to: 1) == "…")
        #expect(DisplayWidth.cutMiddle("中文中文中文", to: 6) == "中…文")
        #expect(DisplayWidth.cutEnd("中文中文", to: 6) == "中文…")
        #expect(DisplayWidth.cutEnd("abc", to: 0) == "")
    }

    @Test("lines break at spaces, and a long word has its own line")
    func wrap() {
        #expect(DisplayWidth.wrap("a bb ccc", to: 4) == ["a bb", "ccc"])
        #expect(DisplayWidth.wrap("see https://relay.example now", to: 8) == ["see", "https://relay.example", "now"])
        #expect(DisplayWidth.wrap("", to: 8) == [""])
    }
}
