import Foundation

/// A drawing on an HTML page: numbers that a person compares better by length or place.
enum Drawing {
    /// A bar for each thing, in two parts.
    case bars(title: String, [Bar])
    /// A line for each thing, with points in time.
    case times(title: String, [Line])

    /// One thing that is measured.
    struct Bar: Hashable {
        let label: String
        /// The whole length.
        let value: Int64
        /// The part that is drawn in the colour of what is well.
        var good: Int64 = 0
        /// The words for the numbers, at the end of the bar.
        let text: String
    }

    /// Events of one thing.
    struct Line: Hashable {
        let label: String
        let points: [Point]
    }

    /// An event.
    struct Point: Hashable {
        let at: Date
        let name: String
    }

    private static let width = 860
    private static let labels = 270
    private static let texts = 170
    private static let row = 24
    private static var span: Double { Double(width - labels - texts) }

    /// A figure; empty for a drawing of nothing.
    var html: String {
        switch self {
        case .bars(let title, let bars):
            bars.isEmpty ? "" : Self.figure(title, rows: bars.count, Self.render(bars))
        case .times(let title, let lines):
            Self.render(lines).map { Self.figure(title, rows: lines.count + 1, $0) } ?? ""
        }
    }

    private static func figure(_ title: String, rows: Int, _ content: String) -> String {
        """
        <figure><figcaption>\(HTMLRenderer.text(title))</figcaption>
        <svg viewBox="0 0 \(width) \(rows * row)" role="img" aria-label="\(HTMLRenderer.text(title))">
        \(content)
        </svg></figure>
        """
    }

    private static func render(_ bars: [Bar]) -> String {
        let largest = Double(max(1, bars.map(\.value).max() ?? 1))
        return bars.enumerated().map { index, bar in
            let top = index * row
            let length = Double(max(0, bar.value)) / largest * span
            let good = bar.value > 0 ? length * Double(min(max(0, bar.good), bar.value)) / Double(bar.value) : 0
            return label(bar.label, top)
                + rectangle("part-good", Double(labels), good, top)
                + rectangle("part-rest", Double(labels) + good, length - good, top)
                + text(bar.text, at: Double(labels) + length + 8, top, "quiet")
        }.joined(separator: "\n")
    }

    /// Nil without any point in time.
    private static func render(_ lines: [Line]) -> String? {
        let times = lines.flatMap(\.points).map(\.at).filter { CellText.isoTime($0) != nil }
        guard let first = times.min(), let last = times.max() else { return nil }
        let period = max(1, last.timeIntervalSince(first))
        var parts = lines.enumerated().map { index, line in
            let (top, middle) = (index * row, index * row + row / 2)
            let points = line.points.filter { CellText.isoTime($0.at) != nil }.map { point in
                let x = Double(labels) + point.at.timeIntervalSince(first) / period * span
                let name = HTMLRenderer.text("\(point.name), \(CellText.iso(point.at))")
                return "<circle cx=\"\(number(x))\" cy=\"\(middle)\" r=\"5\"><title>\(name)</title></circle>"
            }
            return label(line.label, top)
                + "<line class=\"axis\" x1=\"\(labels)\" x2=\"\(number(Double(labels) + span))\" y1=\"\(middle)\" "
                + "y2=\"\(middle)\"/>" + points.joined()
                + text(CellText.grouped(Int64(points.count)), at: Double(labels) + span + 14, top, "quiet")
        }
        let days = [first, last].map { String(CellText.iso($0).prefix(10)) }
        parts.append(text(days[0], at: Double(labels), lines.count * row, "quiet"))
        if days[1] != days[0] {
            parts.append(text(days[1], at: Double(labels) + span - 70, lines.count * row, "quiet"))
        }
        return parts.joined(separator: "\n")
    }

    private static func label(_ words: String, _ top: Int) -> String {
        "<text x=\"0\" y=\"\(top + 17)\">\(HTMLRenderer.text(DisplayWidth.cutMiddle(words, to: 36)))"
            + "<title>\(HTMLRenderer.text(words))</title></text>"
    }

    private static func text(_ words: String, at x: Double, _ top: Int, _ style: String) -> String {
        "<text class=\"\(style)\" x=\"\(number(x))\" y=\"\(top + 17)\">\(HTMLRenderer.text(words))</text>"
    }

    private static func rectangle(_ style: String, _ x: Double, _ length: Double, _ top: Int)
        -> String
    {
        length <= 0
            ? ""
            : "<rect class=\"\(style)\" x=\"\(number(x))\" y=\"\(top + 4)\" width=\"\(number(length))\" "
                + "height=\"\(row - 8)\"/>"
    }

    /// A length with one decimal.
    private static func number(_ length: Double) -> String { "\((length * 10).rounded() / 10)" }
}
