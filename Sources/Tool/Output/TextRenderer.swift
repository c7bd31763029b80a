import ChatDBKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Renders documents as text: fitted to a terminal, or plain (without shortening, wrapping or boxes) for pipes and
/// files.
struct TextRenderer {
    /// Columns of the terminal; nil for plain text.
    let width: Int?
    let colour: Bool
    /// Whether the terminal shows ASCII only, and marks have to be.
    var isDumb = false
    /// The present time, for relative times.
    let now: Date

    /// The least width of a value beside its label, on any terminal.
    static let leastRoom = 8
    /// The indentation of commands that are too long beside a label.
    private static let indentOfLongCommands = 2

    /// The text with a newline at its end; empty for an empty document.
    func render(_ document: Document) -> String {
        var lines: [String] = []
        var followsHeading = true
        for block in document.blocks {
            let blockLines = render(block)
            guard !blockLines.isEmpty else { continue }
            if !followsHeading { lines.append("") }
            lines += blockLines
            if case .heading = block { followsHeading = true } else { followsHeading = false }
        }
        return lines.reduce(into: "") { $0 += $1 + "\n" }
    }

    private func render(_ block: Block) -> [String] {
        switch block {
        case .heading(let text): [styled(TextEscaping.line(text), .strong)]
        case .paragraph(let text, let style): wrapped(TextEscaping.line(text), style)
        case .fields(let fields):
            self.fields(
                fields.map { field in
                    let texts = [text(of: field.cell)] + field.steps.map(TextEscaping.line)
                    return (field.label, texts, field.cell.style, field.commands)
                })
        case .table(let table): render(table)
        case .notes(let notes): notes.flatMap(render)
        case .verbatim(let text, _): verbatim(text)
        case .qr(let code): drawing(of: code)
        }
    }

    private func render(_ note: Note) -> [String] {
        let style: CellStyle = note.kind == .warning ? .bad : .dim
        return hanging(
            "\(note.kind.rawValue): ", style, [TextEscaping.line(note.text)], textStyle: nil, commands: note.commands)
    }

    private func verbatim(_ text: String) -> [String] {
        var lines = TextEscaping.lines(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    /// A QR code. With colours, its ground is white; without them, its light modules are drawn, for the dark ground that
    /// most terminals have.
    private func drawing(of code: QRCode) -> [String] {
        let lines = isDumb ? code.asciiLines : code.halfBlocks(darkIsInk: colour)
        let needed = lines.first?.count ?? 0
        if let width, width < needed {
            return wrapped("The QR code needs \(needed) columns, and the terminal has \(width).", .bad)
        }
        return lines.map { colour ? ANSI.blackOnWhite($0) : $0 }
    }

    func fields(_ fields: [(label: String, texts: [String], style: CellStyle?, commands: [String])]) -> [String] {
        let labels = fields.map { $0.label.isEmpty ? "" : TextEscaping.line($0.label) + ":" }
        let labelWidth = labels.map(DisplayWidth.of).max() ?? 0
        return zip(labels, fields).flatMap { label, field in
            hanging(
                padded(label, to: labelWidth) + "  ", .dim, field.texts, textStyle: field.style,
                commands: field.commands)
        }
    }
}

// MARK: - Texts

extension TextRenderer {
    func text(of cell: Cell) -> String {
        if isDumb, case .nothing = cell.value { return "-" }
        return width == nil ? CellText.plain(cell.value) : CellText.forTerminal(cell.value, now: now)
    }

    func wrapped(_ text: String, _ style: CellStyle?) -> [String] {
        guard !text.isEmpty else { return [] }
        guard let width else { return [styled(text, style)] }
        return DisplayWidth.wrap(text, to: width).map { styled($0, style) }
    }

    /// A label, and texts below each other whose further lines are aligned with the first. The label ends with its
    /// blanks.
    private func hanging(
        _ label: String, _ style: CellStyle, _ texts: [String], textStyle: CellStyle?, commands: [String] = []
    ) -> [String] {
        let indent = DisplayWidth.of(label)
        let room = width.map { max($0 - indent, Self.leastRoom) }
        let lines = texts.flatMap { text in
            room.map { self.lines(of: text, commands, to: $0) } ?? [(text: text, isTooLong: false)]
        }
        return lines.enumerated().map { index, line in
            let column = line.isTooLong ? min(indent, Self.indentOfLongCommands) : indent
            let start = index == 0 ? styled(label, style) : String(repeating: " ", count: column)
            let rest = trimmed(line.text)
            return rest.isEmpty ? styled(trimmed(label), style) : start + styled(rest, textStyle)
        }
    }

    /// The lines of a text. If it needs more than one, each of its commands has a line that is not broken, so that it can
    /// be copied. The mark behind a command is left out, because the line ends there. A command that is too long for the
    /// room is marked.
    private func lines(of text: String, _ commands: [String], to room: Int) -> [(text: String, isTooLong: Bool)] {
        let wrapped = DisplayWidth.wrap(text, to: room).map { (text: $0, isTooLong: false) }
        if commands.isEmpty || wrapped.count == 1 { return wrapped }
        var lines: [(text: String, isTooLong: Bool)] = []
        func add(_ prose: Substring) {
            let prose = trimmed(String(prose.drop { $0 == " " }))
            if !prose.isEmpty { lines += DisplayWidth.wrap(prose, to: room).map { (text: $0, isTooLong: false) } }
        }
        var rest = text[...]
        for command in commands.map(TextEscaping.line) {
            guard let range = rest.firstRange(of: command) else { continue }
            add(rest[..<range.lowerBound])
            lines.append((text: command, isTooLong: DisplayWidth.of(command) > room))
            rest = rest[range.upperBound...]
            if let mark = rest.first, ".,;:".contains(mark), rest.dropFirst().first ?? " " == " " {
                rest = rest.dropFirst()
            }
        }
        add(rest)
        return lines
    }

    private func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    }

    func trimmed(_ text: String) -> String {
        guard text.hasSuffix(" ") else { return text }
        return String(text.reversed().drop { $0 == " " }.reversed())
    }

    func styled(_ text: String, _ style: CellStyle?) -> String {
        colour ? ANSI.styled(text, style) : text
    }
}

/// The few escape sequences that chatdb sends to a terminal.
enum ANSI {
    /// Returns to the start of the line and clears it.
    static let clearLine = "\r\u{1b}[K"

    static func blackOnWhite(_ text: String) -> String { "\u{1b}[30;107m\(text)\u{1b}[0m" }

    static func styled(_ text: String, _ style: CellStyle?) -> String {
        guard let style, !text.isEmpty else { return text }
        let code =
            switch style {
            case .good: "32"
            case .bad: "31"
            case .dim: "2"
            case .strong: "1"
            }
        return "\u{1b}[\(code)m\(text)\u{1b}[0m"
    }
}
