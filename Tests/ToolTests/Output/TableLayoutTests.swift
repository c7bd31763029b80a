import Testing

@testable import ChatDBTool

@Suite struct TableLayoutTests {
    @Test("addresses shrink before texts, then the widest of a kind, only as far as needed")
    func widestFirst() {
        let widths = TableLayout.fit(
            [4, 60, 30, 5], headers: [2, 4, 4, 5], [.whole, .middle, .end, .whole], into: 80)
        #expect(widths == [4, 35, 30, 5])
        #expect(
            TableLayout.fit([4, 60, 61], headers: [2, 4, 4], [.whole, .middle, .end], into: 51) == [4, 16, 27])
        #expect(
            TableLayout.fit([4, 60, 61], headers: [2, 4, 4], [.whole, .middle, .middle], into: 51) == [4, 22, 21])
        #expect(TableLayout.fit([20, 60], headers: [4, 4], [.end, .middle], into: 45) == [20, 23])
    }

    @Test("wrapped columns shrink after addresses and before texts, and keep words whole")
    func wrapped() {
        let kinds: [Column.Shrinking] = [.end, .middle, .wrapped]
        let headers = [4, 7, 6]
        #expect(
            TableLayout.fit([30, 60, 90], headers: headers, words: [0, 0, 12], kinds, into: 80) == [30, 16, 30])
        #expect(
            TableLayout.fit([40, 60, 90], headers: headers, words: [0, 0, 12], kinds, into: 80) == [40, 16, 20])
        #expect(
            TableLayout.fit([40, 60, 90], headers: headers, words: [0, 0, 40], kinds, into: 80) == [20, 16, 40])
        #expect(TableLayout.fit([40, 60, 90], headers: headers, words: [0, 0, 60], kinds, into: 80) == nil)
        #expect(TableLayout.lines("one two three", .wrapped, of: 8) == ["one two", "three"])
    }

    @Test("columns that fit are unchanged")
    func natural() {
        #expect(TableLayout.fit([4, 60], headers: [1, 1], [.whole, .middle], into: 66) == [4, 60])
        #expect(TableLayout.fit([], headers: [], [], into: 10) == [])
    }

    @Test("columns that may not shrink far enough do not fit")
    func tooNarrow() {
        #expect(TableLayout.fit([50, 60], headers: [1, 1], [.whole, .whole], into: 80) == nil)
        #expect(TableLayout.fit([50, 60], headers: [1, 1], [.whole, .middle], into: 67) == nil)
        #expect(TableLayout.fit([50, 60], headers: [1, 1], [.whole, .middle], into: 68) == [50, 16])
        #expect(TableLayout.fit([50, 60], headers: [1, 20], [.whole, .end], into: 71) == nil)
    }

    @Test("every answer fits exactly, and no column is wider than it needs", arguments: UInt64(1)...200)
    func property(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let natural = (0..<Int.random(in: 1...8, using: &random)).map { _ in Int.random(in: 1...200, using: &random) }
        let available = Int.random(in: 20...300, using: &random)
        let shrinking = natural.map { _ in
            [Column.Shrinking.middle, .end, .whole, .wrapped].randomElement(using: &random)
        }
        let widths = TableLayout.fit(
            natural, headers: natural.map { min($0, 5) }, shrinking.compactMap { $0 }, into: available)
        guard let widths else { return }
        let total = widths.reduce(0, +) + 2 * (widths.count - 1)
        #expect(zip(widths, natural).allSatisfy { $0 <= $1 })
        #expect(total <= available)
        #expect(widths == natural || total == available)
    }
}
