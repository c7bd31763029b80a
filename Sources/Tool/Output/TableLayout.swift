/// Widths for the columns of a table on a terminal.
enum TableLayout {
    static let gap = 2

    /// The least width: a shorter value would be meaningless.
    static func leastWidth(_ shrinking: Column.Shrinking) -> Int {
        switch shrinking {
        case .whole, .listedAddress: .max
        case .wrapped: 20
        case .middle, .address: 16
        case .end: 8
        }
    }

    /// The widths that fit into `available`, including gaps; nil if even the narrowest do not. Only columns that may
    /// shrink do: addresses first, then wrapped columns, names and texts last, and of each kind the widest first.
    /// - Parameter words: the width of the longest word of each column, or the widest part of its addresses, which a
    ///   column that wraps keeps whole.
    static func fit(
        _ natural: [Int], headers: [Int], words: [Int] = [], _ shrinking: [Column.Shrinking], into available: Int
    ) -> [Int]? {
        let room = available - gap * max(0, natural.count - 1)
        var widths = natural
        for kind in [Column.Shrinking.middle, .address, .wrapped, .end] {
            if widths.reduce(0, +) <= room { break }
            let least = natural.indices.map { index in
                guard shrinking[index] == kind else { return widths[index] }
                let word = words.indices.contains(index) ? words[index] : 0
                return min(natural[index], max(headers[index], leastWidth(kind), word))
            }
            widths = least.reduce(0, +) <= room ? shrink(widths, least, into: room) : least
        }
        return widths.reduce(0, +) <= room ? widths : nil
    }

    /// Makes the widths as little narrower as needed, the widest first; none gets narrower than the least, which fit.
    private static func shrink(_ natural: [Int], _ least: [Int], into room: Int) -> [Int] {
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

    /// A text in lines of at most `width` columns: one, unless it wraps.
    static func lines(_ text: String, _ shrinking: Column.Shrinking, of width: Int) -> [String] {
        switch shrinking {
        case .wrapped: DisplayWidth.wrap(text, to: width)
        case .address: ShownAddress.lines(text, to: width)
        case .whole, .listedAddress, .middle, .end: [shorten(text, shrinking, to: width)]
        }
    }

    /// The width of what a column that wraps keeps whole.
    static func longestWord(of text: String, _ shrinking: Column.Shrinking) -> Int {
        switch shrinking {
        case .wrapped: DisplayWidth.longestWord(of: text)
        case .address: ShownAddress.widestPart(of: text)
        case .whole, .listedAddress, .middle, .end: 0
        }
    }

    /// A text in at most `width` columns, unless it wraps.
    static func shorten(_ text: String, _ shrinking: Column.Shrinking, to width: Int) -> String {
        switch shrinking {
        case .whole, .wrapped, .address: text
        case .listedAddress:
            [text, ShownAddress.withPrimaryHost(text)].first { DisplayWidth.of($0) <= width } ?? ShownAddress.host(text)
        case .middle: DisplayWidth.cutMiddle(text, to: width)
        case .end: DisplayWidth.cutEnd(text, to: width)
        }
    }
}
