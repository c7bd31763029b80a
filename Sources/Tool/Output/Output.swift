import ChatDBKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The only type that knows the formats. A command creates a report and passes it here.
struct Output {
    let format: OutputFormat
    let color: ColorChoice
    let csvRaw: Bool
    let isQuiet: Bool
    let isVerbose: Bool
    let showsProgress: Bool
    /// Whether tables and texts on a terminal are as wide as their content.
    let isWide: Bool
    let terminal: Terminal
    let standardOutput: StandardStreams.Sink
    let standardError: StandardStreams.Sink
    let now: () -> Date

    init(
        _ format: OutputFormat = .table, color: ColorChoice = .auto, csvRaw: Bool = false, isQuiet: Bool = false,
        isVerbose: Bool = false, showsProgress: Bool = true, isWide: Bool = false, terminal: Terminal = .current,
        standardOutput: @escaping StandardStreams.Sink = StandardStreams.output,
        standardError: @escaping StandardStreams.Sink = StandardStreams.error,
        now: @escaping () -> Date = { Date() }
    ) {
        self.format = format
        self.color = color
        self.csvRaw = csvRaw
        self.isQuiet = isQuiet
        self.isVerbose = isVerbose
        self.showsProgress = showsProgress
        self.isWide = isWide
        self.terminal = terminal
        self.standardOutput = standardOutput
        self.standardError = standardError
        self.now = now
    }

    /// Writes the answer of a command to standard output. Throws `ReaderGone`, `WriteFailed`, or an error of the
    /// report.
    func write(_ report: some Report) throws {
        switch format {
        case .table:
            try standardOutput(Array(renderer(on: terminal.outputIsTerminal).render(document(of: report)).utf8))
        case .json:
            var writer = JSONWriter(.pretty, to: standardOutput)
            try report.writeJSON(to: &writer)
            try writer.finish()
        case .csv:
            try standardOutput(Array(CSVRenderer(raw: csvRaw).render(report.csvTable).utf8))
        case .markdown:
            try standardOutput(Array(MarkdownRenderer.render(document(of: report)).utf8))
        }
    }

    /// The document for people; `--quiet` omits notes.
    private func document(of report: some Report) -> Document {
        let document = report.document
        guard isQuiet else { return document }
        return Document(
            document.blocks.map { block in
                guard case .notes(let notes) = block else { return block }
                return .notes(notes.filter { $0.kind == .warning })
            })
    }

    /// Whether a plan is shown before its question: on a terminal, and as text before a refusal without one. A program
    /// reads only the error.
    var showsPlans: Bool { terminal.inputIsTerminal || format == .table }

    /// Shows a report on standard error before a question; it is not the answer, so it has no format.
    func show(_ report: some Report) throws {
        try standardError(Array(renderer(on: terminal.errorIsTerminal).render(report.document).utf8))
    }

    /// Wider than any table.
    private static let unlimitedWidth = 1 << 30

    private func renderer(on isTerminal: Bool) -> TextRenderer {
        TextRenderer(
            width: isTerminal ? isWide ? Self.unlimitedWidth : terminal.width : nil,
            colour: terminal.usesColour(color, on: isTerminal), isDumb: isTerminal && terminal.isDumb, now: now())
    }

    /// Writes a note to standard error, unless `--quiet`.
    func note(_ text: String) {
        if !isQuiet { writeLine("note: ", .dim, text) }
    }

    /// Writes a warning to standard error.
    func warn(_ text: String) {
        writeLine("warning: ", .bad, text)
    }

    /// Writes a detail to standard error with `--verbose`.
    func detail(_ text: String) {
        if isVerbose { writeLine("", nil, text) }
    }

    /// Writes an error to standard error, as text, or as JSON with `--format json`. The caller exits with
    /// `report.exit`.
    func fail(_ report: ErrorReport) {
        switch format {
        case .json: send(report.json.text(.compact) + "\n")
        case .table, .csv, .markdown: send(report.text(colour: usesErrorColour))
        }
    }

    /// A progress bar on standard error, for work that may take longer than half a second. Call `update` often and
    /// `finish` at the end, also after an error.
    /// - Parameter start: when the work began; work that began more than half a second ago is shown at once.
    func progress(
        _ label: String, total: Int64? = nil, since start: ContinuousClock.Instant = .now
    ) -> ProgressBar {
        ProgressBar(
            label, total: total, width: terminal.width, isShown: canShowProgress,
            elapsed: { ContinuousClock.now - start },
            send: send)
    }

    /// Whether standard error is a terminal that can show progress bars.
    var canShowProgress: Bool { showsProgress && !isQuiet && terminal.errorIsTerminal && !terminal.isDumb }

    private var usesErrorColour: Bool { terminal.usesColour(color, on: terminal.errorIsTerminal) }

    private func writeLine(_ label: String, _ style: CellStyle?, _ text: String) {
        send((usesErrorColour ? ANSI.styled(label, style) : label) + TextEscaping.line(text) + "\n")
    }

    /// Ignores errors: there is no other place to report them, and no reason to stop the work.
    private func send(_ text: String) {
        try? standardError(Array(text.utf8))
    }
}
