/// A line on standard error that shows the progress of some work. It appears after half a second, so that short work
/// shows none, and is removed at the end.
final class ProgressBar {
    static let delay = Duration.milliseconds(500)
    static let pause = Duration.milliseconds(100)

    private let label: String
    private let total: Int64?
    private let width: Int
    private let isShown: Bool
    private let elapsed: () -> Duration
    private let send: (String) -> Void
    /// Words after the label, which change while the work goes on.
    var remark = ""
    private var nextTime = ProgressBar.delay
    private var isVisible = false

    /// `elapsed` is the time since the work began, by a clock that never goes back.
    init(
        _ label: String, total: Int64?, width: Int, isShown: Bool, elapsed: @escaping () -> Duration,
        send: @escaping (String) -> Void
    ) {
        self.label = TextEscaping.line(label)
        self.total = total
        self.width = width
        self.isShown = isShown
        self.elapsed = elapsed
        self.send = send
    }

    /// Updates the progress. Cheap: draws the line ten times a second at most.
    func update(_ completed: Int64) {
        guard isShown else { return }
        let time = elapsed()
        guard time >= nextTime else { return }
        nextTime = time + Self.pause
        isVisible = true
        send(ANSI.clearLine + Self.line(label + remark, completed, of: total, width: width))
    }

    /// Removes the line. Call it before other output on the terminal; the next `update` draws the line again.
    func clear() {
        guard isVisible else { return }
        isVisible = false
        send(ANSI.clearLine)
    }

    /// Removes the line for good.
    func finish() {
        clear()
        nextTime = .seconds(Int64.max)
    }

    /// The line without its control sequence, at most one column narrower than the terminal: the last column would
    /// wrap.
    static func line(_ label: String, _ completed: Int64, of total: Int64?, width: Int) -> String {
        guard let total, total > 0 else {
            // The total is unknown: the line shows only that the work continues.
            if completed == 0 { return DisplayWidth.cutEnd("\(label) …", to: width - 1) }
            return DisplayWidth.cutEnd("\(label)  \(CellText.grouped(completed))", to: width - 1)
        }
        let share = min(max(Double(completed) / Double(total), 0), 1)
        let percent = String(Int(share * 100))
        let end = String(repeating: " ", count: 3 - percent.count) + percent + " %"
        let room = min(width - 1 - DisplayWidth.of(label) - end.count - 6, 40)
        guard room >= 5 else { return DisplayWidth.cutEnd("\(label)  \(end)", to: width - 1) }
        let filled = Int(share * Double(room))
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: room - filled)
        return "\(label)  [\(bar)]  \(end)"
    }
}
