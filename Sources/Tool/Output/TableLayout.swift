/// Widths for the columns of a table on a terminal.
enum TableLayout {
    static let gap = 2

    /// Narrower than this, a shortened value says nothing.
    static func leastWidth(_ shrinking: Column.Shrinking) -> Int {
        switch shrinking {
        case .whole: .max
        case .middle: 16
        case .end: 8
        }
    }

    /// The widths that fit into `available`, gaps included; nil when even the narrowest do not. Only columns that may
    /// shrink do, and the widest first.
    static func fit(
        _ natural: [Int], headers: [Int], _ shrinking: [Column.Shrinking], into available: Int
    ) -> [Int]? {
        let room = available - gap * max(0, natural.count - 1)
        if natural.reduce(0, +) <= room { return natural }
        let least = natural.indices.map {
            min(natural[$0], max(headers[$0], leastWidth(shrinking[$0])))
        }
        guard least.reduce(0, +) <= room else { return nil }

        func widths(cappedAt cap: Int) -> [Int] {
            natural.indices.map { min(natural[$0], max(least[$0], cap)) }
        }
        var cap = 0
        var tooWide = room + 1
        while tooWide - cap > 1 {
            let middle = (cap + tooWide) / 2
            if widths(cappedAt: middle).reduce(0, +) <= room { cap = middle } else { tooWide = middle }
        }
        var fitting = widths(cappedAt: cap)
        var spare = room - fitting.reduce(0, +)
        for index in fitting.indices where spare > 0 && fitting[index] == cap && fitting[index] < natural[index] {
            fitting[index] += 1
            spare -= 1
        }
        return fitting
    }

    /// A text in at most `width` columns.
    static func shorten(_ text: String, _ shrinking: Column.Shrinking, to width: Int) -> String {
        switch shrinking {
        case .whole: text
        case .middle: DisplayWidth.cutMiddle(text, to: width)
        case .end: DisplayWidth.cutEnd(text, to: width)
        }
    }
}
