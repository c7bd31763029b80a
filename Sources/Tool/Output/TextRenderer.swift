#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Renders documents as text: fitted to a terminal, or plain (nothing shortened, wrapped or boxed) for pipes and files.
struct TextRenderer {
    /// Columns of the terminal; nil for plain text.
    let width: Int?
    let colour: Bool
    /// What relative times are relative to.
    let now: Date

    /// What a value gets beside its label, however narrow the terminal is.
    private static let leastRoom = 8

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
        return lines.map { $0 + "\n" }.joined()
    }

    private func render(_ block: Block) -> [String] {
        switch block {
        case .heading(let text): [styled(TextEscaping.line(text), .strong)]
        case .paragraph(let text, let style): wrapped(TextEscaping.line(text), style)
        case .fields(let fields): self.fields(fields.map { ($0.label, text(of: $0.cell), $0.cell.style) })
        case .table(let table): render(table)
        case .notes(let notes): notes.flatMap(render)
        case .verbatim(let text, _): verbatim(text)
        }
    }

    private func render(_ note: Note) -> [String] {
        let style: CellStyle = note.kind == .warning ? .bad : .dim
        return hanging(
            "\(note.kind.rawValue): ", style, TextEscaping.line(note.text), textStyle: nil)
    }

    private func verbatim(_ text: String) -> [String] {
        var lines = TextEscaping.lines(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    private func fields(_ fields: [(label: String, text: String, style: CellStyle?)]) -> [String] {
        let labels = fields.map { $0.label.isEmpty ? "" : TextEscaping.line($0.label) + ":" }
        let labelWidth = labels.map(DisplayWidth.of).max() ?? 0
        return zip(labels, fields).flatMap { label, field in
            hanging(padded(label, to: labelWidth) + "  ", .dim, field.text, textStyle: field.style)
        }
    }

    private func render(_ table: Table) -> [String] {
        guard !table.rows.isEmpty else { return wrapped(TextEscaping.line(table.whenEmpty), .dim) }
        let titles = table.columns.map { TextEscaping.line($0.title) }
        let rows = table.rows.map { row in table.cells(of: row).map { ($0, text(of: $0)) } }
        var natural = titles.map(DisplayWidth.of)
        for row in rows {
            for (index, cell) in row.enumerated() { natural[index] = max(natural[index], DisplayWidth.of(cell.1)) }
        }
        guard let width else { return lines(of: table, titles, rows, natural) }
        let words = table.columns.indices.map { index in
            table.columns[index].shrinking == .wrapped
                ? rows.map { DisplayWidth.longestWord(of: $0[index].1) }.max() ?? 0 : 0
        }
        let fitting = TableLayout.fit(
            natural, headers: titles.map(DisplayWidth.of), words: words, table.columns.map(\.shrinking), into: width)
        guard let fitting else { return stacked(table, titles, rows, width) }
        return lines(of: table, titles, rows, fitting)
    }

    private func lines(
        of table: Table, _ titles: [String], _ rows: [[(cell: Cell, text: String)]], _ widths: [Int]
    ) -> [String] {
        var lines = [line(titles.map { ($0, .strong) }, table.columns, widths)]
        if width != nil {
            lines.append(line(widths.map { (String(repeating: "─", count: $0), .dim) }, table.columns, widths))
        }
        for row in rows {
            let texts = zip(table.columns.indices, row).map { index, cell in
                TableLayout.lines(cell.text, table.columns[index].shrinking, of: widths[index])
            }
            for number in 0..<(texts.map(\.count).max() ?? 0) {
                let cells = zip(texts, row).map { lines, cell in
                    (lines.indices.contains(number) ? lines[number] : "", cell.cell.style)
                }
                lines.append(line(cells, table.columns, widths))
            }
        }
        return lines
    }

    /// For a terminal that is too narrow for the columns: each row as a list of fields.
    private func stacked(
        _ table: Table, _ titles: [String], _ rows: [[(cell: Cell, text: String)]], _ width: Int
    ) -> [String] {
        let indent = (titles.map(DisplayWidth.of).max() ?? 0) + 3
        let room = max(width - indent, Self.leastRoom)
        return Array(
            rows.map { row in
                fields(
                    zip(table.columns, row).map { column, cell in
                        (column.title, TableLayout.shorten(cell.text, column.shrinking, to: room), cell.cell.style)
                    })
            }.joined(separator: [""]))
    }

    /// One line of a table. The last column is not padded, and no line ends with blanks.
    private func line(_ cells: [(text: String, style: CellStyle?)], _ columns: [Column], _ widths: [Int]) -> String {
        guard let last = cells.lastIndex(where: { !trimmed($0.text).isEmpty }) else { return "" }
        var line = ""
        for index in 0...last {
            let cell = cells[index]
            let blanks = String(repeating: " ", count: max(0, widths[index] - DisplayWidth.of(cell.text)))
            if index > 0 { line += String(repeating: " ", count: TableLayout.gap) }
            if columns[index].alignment == .right { line += blanks }
            line += styled(index == last ? trimmed(cell.text) : cell.text, cell.style)
            if columns[index].alignment == .left, index < last { line += blanks }
        }
        return line
    }
}

// MARK: - Texts

extension TextRenderer {
    private func text(of cell: Cell) -> String {
        width == nil ? CellText.plain(cell.value) : CellText.forTerminal(cell.value, now: now)
    }

    private func wrapped(_ text: String, _ style: CellStyle?) -> [String] {
        guard !text.isEmpty else { return [] }
        guard let width else { return [styled(text, style)] }
        return DisplayWidth.wrap(text, to: width).map { styled($0, style) }
    }

    /// A label, and a text whose further lines stand under its first. The label has its blanks at the end.
    private func hanging(_ label: String, _ style: CellStyle, _ text: String, textStyle: CellStyle?) -> [String] {
        let indent = DisplayWidth.of(label)
        let lines = width.map { DisplayWidth.wrap(text, to: max($0 - indent, Self.leastRoom)) } ?? [text]
        return lines.enumerated().map { index, line in
            let start = index == 0 ? styled(label, style) : String(repeating: " ", count: indent)
            let rest = trimmed(line)
            return rest.isEmpty ? styled(trimmed(label), style) : start + styled(rest, textStyle)
        }
    }

    private func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    }

    private func trimmed(_ text: String) -> String {
        guard text.hasSuffix(" ") else { return text }
        return String(text.reversed().drop { $0 == " " }.reversed())
    }

    private func styled(_ text: String, _ style: CellStyle?) -> String {
        colour ? ANSI.styled(text, style) : text
    }
}

/// The few escape sequences that are sent to a terminal on purpose.
enum ANSI {
    /// To the start of the line, and nothing on it.
    static let clearLine = "\r\u{1b}[K"

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
