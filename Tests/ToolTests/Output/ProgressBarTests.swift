import Testing

@testable import ChatDBTool

@Suite struct ProgressBarTests {
    private final class Clock {
        var time = Duration.zero
        var sent: [String] = []
    }

    private func bar(_ clock: Clock, total: Int64? = 200, isShown: Bool = true) -> ProgressBar {
        ProgressBar(
            "backup", total: total, width: 80, isShown: isShown, elapsed: { clock.time },
            send: { clock.sent.append($0) })
    }

    @Test("work shorter than half a second shows no bar")
    func short() {
        let clock = Clock()
        let bar = bar(clock)
        bar.update(1)
        clock.time = .milliseconds(499)
        bar.update(199)
        bar.finish()
        #expect(clock.sent == [])
    }

    @Test("longer work shows a line that is redrawn at most every tenth of a second, and removed at the end")
    func long() {
        let clock = Clock()
        let bar = bar(clock)
        clock.time = .milliseconds(500)
        bar.update(100)
        clock.time = .milliseconds(599)
        bar.update(110)
        clock.time = .milliseconds(600)
        bar.update(150)
        bar.finish()
        bar.finish()
        clock.time = .seconds(10)
        bar.update(160)
        #expect(
            clock.sent == [
                "\r\u{1b}[Kbackup  [####################--------------------]   50 %",
                "\r\u{1b}[Kbackup  [##############################----------]   75 %",
                "\r\u{1b}[K",
            ])
    }

    @Test("words after the label change while the number stays")
    func remark() {
        let clock = Clock()
        let bar = bar(clock, total: nil)
        clock.time = .seconds(1)
        for second in 1...2 {
            bar.remark = RunProgress.remark(", statement 2 of 3", after: .milliseconds(second * 900))
            bar.update(0)
            clock.time += .seconds(1)
        }
        #expect(
            clock.sent == [
                "\r\u{1b}[Kbackup, statement 2 of 3 …", "\r\u{1b}[Kbackup, statement 2 of 3, 1 s …",
            ])
    }

    @Test("off a terminal there is no bar")
    func hidden() {
        let clock = Clock()
        let bar = bar(clock, isShown: false)
        clock.time = .seconds(5)
        bar.update(1)
        bar.finish()
        #expect(clock.sent == [])
    }

    @Test("the line fits any terminal, and odd numbers do no harm", arguments: [20, 30, 40, 80, 1000])
    func line(width: Int) {
        for (completed, total) in [(0, 100), (100, 100), (500, 100), (-5, 100), (5, 0), (5, nil)] as [(Int64, Int64?)] {
            let line = ProgressBar.line("backup of the chat database", completed, of: total, width: width)
            #expect(DisplayWidth.of(line) < width)
        }
        #expect(ProgressBar.line("messages", 12_345, of: nil, width: 80) == "messages  12,345")
    }
}
