extension TextRenderer {
    /// The lines of a table: its titles and rows; if the terminal is too narrow, a list of fields for each row, or the
    /// values of a row behind its sign; its sentence if it is empty.
    func render(_ table: Table) -> [String] {
        guard !table.rows.isEmpty else { return wrapped(TextEscaping.line(table.whenEmpty), .dim) }
        let titles = table.columns.map { MeasuredText(TextEscaping.line($0.title), .strong) }
        var rows = table.rows.map { row in table.cells(of: row).map { MeasuredText(text(of: $0), $0.style) } }
        var natural = Self.natural(titles, rows)
        guard let width else {
            let widths = natural.map { min($0, Self.mostPadding(rows: rows.count, columns: natural.count)) }
            return ([titles] + rows).map { line($0, table.columns, widths) }
        }
        func isTooWide() -> Bool { natural.reduce(0, +) + TableLayout.gap * (natural.count - 1) > width }
        if isTooWide() {
            Self.shortenAddresses(in: &rows, table.columns)
            natural = Self.natural(titles, rows)
        }
        let whole = rows
        for omitting in [ShownAddress.withPrimaryHost, ShownAddress.host] where isTooWide() {
            guard table.columns.contains(where: { $0.shrinking == .listedAddress }) else { break }
            Self.shortenListedAddresses(in: &rows, table.columns, omitting)
            natural = Self.natural(titles, rows)
        }
        let words = table.columns.indices.map { index in
            rows.map { TableLayout.longestWord(of: $0[index].text, table.columns[index].shrinking) }.max() ?? 0
        }
        let fitting = TableLayout.fit(
            natural, headers: titles.map(\.width), words: words, table.columns.map(\.shrinking), into: width)
        guard let fitting, keepsDifferences(rows, table.columns, fitting) else {
            return titles[0].text.isEmpty
                ? marked(whole, table.columns, width) : stacked(titles, whole, table.columns, width)
        }
        return lines(of: table, titles, rows, fitting)
    }

    /// The width of each column with all values whole.
    private static func natural(_ titles: [MeasuredText], _ rows: [[MeasuredText]]) -> [Int] {
        var natural = titles.map(\.width)
        for row in rows {
            for (index, text) in row.enumerated() { natural[index] = max(natural[index], text.width) }
        }
        return natural
    }

    /// Shortens the keys of addresses, unless two addresses would then be the same text.
    private static func shortenAddresses(in rows: inout [[MeasuredText]], _ columns: [Column]) {
        for index in columns.indices where [.address, .listedAddress].contains(columns[index].shrinking) {
            let short = rows.map { ShownAddress.short($0[index].text) }
            guard Set(short).count == Set(rows.map { $0[index].text }).count else { continue }
            for (row, text) in short.enumerated() { rows[row][index] = MeasuredText(text, rows[row][index].style) }
        }
    }

    /// Omits more of the addresses in lists.
    private static func shortenListedAddresses(
        in rows: inout [[MeasuredText]], _ columns: [Column], _ omitting: (String) -> String
    ) {
        for index in columns.indices where columns[index].shrinking == .listedAddress {
            for row in rows.indices {
                let old = rows[row][index]
                rows[row][index] = MeasuredText(omitting(old.text), old.style)
            }
        }
    }

    /// Whether values that differ still differ when they are shortened.
    private func keepsDifferences(_ rows: [[MeasuredText]], _ columns: [Column], _ widths: [Int]) -> Bool {
        columns.indices.allSatisfy { index in
            var whole: [String: String] = [:]
            return rows.allSatisfy { row in
                guard row[index].width > widths[index] else { return true }
                let text = row[index].text
                return whole.updateValue(
                    text, forKey: TableLayout.shorten(text, columns[index].shrinking, to: widths[index])
                ).map { $0 == text } ?? true
            }
        }
    }

    /// The width up to which a column is padded in a file or pipe. One long value would otherwise make every row of a
    /// long table as long.
    private static func mostPadding(rows: Int, columns: Int) -> Int {
        max(leastPadding, mostBlanks / max(1, rows + 1) / max(1, columns))
    }

    /// A width to which columns are always padded.
    private static let leastPadding = 120
    /// The blanks of a table, about.
    private static let mostBlanks = 16 << 20

    private func lines(
        of table: Table, _ titles: [MeasuredText], _ rows: [[MeasuredText]], _ widths: [Int]
    ) -> [String] {
        var lines = [line(titles, table.columns, widths)]
        if width != nil {
            let rule = widths.map { MeasuredText(String(repeating: isDumb ? "-" : "─", count: $0), .dim) }
            lines.append(line(rule, table.columns, widths))
        }
        for row in rows {
            // The usual case: one line.
            if zip(row, widths).allSatisfy({ $0.width <= $1 }) {
                lines.append(line(row, table.columns, widths))
            } else {
                lines += broken(row, table.columns, widths)
            }
        }
        return lines
    }

    /// A row with a value that does not fit: the value is shortened, or wraps.
    private func broken(_ row: [MeasuredText], _ columns: [Column], _ widths: [Int]) -> [String] {
        let texts = zip(columns.indices, row).map { index, cell in
            TableLayout.lines(cell.text, columns[index].shrinking, of: widths[index])
        }
        return (0..<(texts.map(\.count).max() ?? 0)).map { number in
            let cells = zip(texts, row).map { lines, cell in
                MeasuredText(lines.indices.contains(number) ? lines[number] : "", cell.style)
            }
            return line(cells, columns, widths)
        }
    }

    /// A list of fields for each row, for a terminal that is too narrow for the columns.
    private func stacked(
        _ titles: [MeasuredText], _ rows: [[MeasuredText]], _ columns: [Column], _ width: Int
    ) -> [String] {
        let indent = (titles.map(\.width).max() ?? 0) + 3
        let room = max(width - indent, Self.leastRoom)
        return Array(
            rows.map { row in
                fields(
                    zip(columns, row).map { column, cell in
                        (
                            label: column.title, texts: [TableLayout.shorten(cell.text, column.shrinking, to: room)],
                            style: cell.style, commands: []
                        )
                    })
            }.joined(separator: [""]))
    }

    /// The rows of a plan, or of differences, for a terminal that is too narrow for the columns: the values of each
    /// behind its sign. Where they do not fit into a line, an address has lines of its own. There a dim one is left
    /// out: the row names an entry whose address stays.
    private func marked(_ rows: [[MeasuredText]], _ columns: [Column], _ width: Int) -> [String] {
        let indent = (rows.map(\.[0].width).max() ?? 0) + 1
        let further = String(repeating: " ", count: indent + 2)
        let room = max(width - further.count, Self.leastRoom)
        let nothing = text(of: .nothing)
        return rows.flatMap { row -> [String] in
            let cells = zip(columns, row).dropFirst().filter { ![nothing, ""].contains(trimmed($1.text)) }
            var lines = packed(cells.map(\.1.text), first: width - indent, further: room)
            if lines.count > 1 {
                let addresses = cells.filter { [.address, .listedAddress, .middle].contains($0.0.shrinking) }
                let others = cells.filter { ![.address, .listedAddress, .middle].contains($0.0.shrinking) }
                lines = packed(others.map(\.1.text), first: width - indent, further: room)
                for (column, cell) in addresses where cell.style != .dim || others.isEmpty {
                    lines += TableLayout.lines(cell.text, column.shrinking, of: room)
                }
            }
            let sign = row[0].text + String(repeating: " ", count: indent - row[0].width)
            return lines.enumerated().map { $0 == 0 ? styled(sign, row[0].style) + $1 : further + $1 }
        }
    }

    /// The values in lines: as many on each as fit.
    private func packed(_ texts: [String], first: Int, further: Int) -> [String] {
        texts.reduce(into: []) { lines, text in
            let room = lines.count > 1 ? further : first
            if let last = lines.last, DisplayWidth.of(last) + TableLayout.gap + DisplayWidth.of(text) <= room {
                lines[lines.count - 1] = last + String(repeating: " ", count: TableLayout.gap) + text
            } else {
                lines += DisplayWidth.wrap(text, to: further)
            }
        }
    }

    /// One line of a table. The last column is not padded, and no line ends with blanks.
    private func line(_ cells: [MeasuredText], _ columns: [Column], _ widths: [Int]) -> String {
        guard let last = cells.lastIndex(where: { !trimmed($0.text).isEmpty }) else { return "" }
        var line: [UInt8] = []
        for index in 0...last {
            let cell = cells[index]
            let blanks = repeatElement(UInt8(ascii: " "), count: max(0, widths[index] - cell.width))
            if index > 0 { line.append(contentsOf: repeatElement(UInt8(ascii: " "), count: TableLayout.gap)) }
            if columns[index].alignment == .right { line.append(contentsOf: blanks) }
            line.append(contentsOf: styled(index == last ? trimmed(cell.text) : cell.text, cell.style).utf8)
            if columns[index].alignment == .left, index < last { line.append(contentsOf: blanks) }
        }
        return String(decoding: line, as: UTF8.self)
    }
}

/// An escaped text of a table with its width: measured once, because tables may be long.
private struct MeasuredText {
    let text: String
    let width: Int
    let style: CellStyle?

    init(_ text: String, _ style: CellStyle?) {
        self.text = text
        self.style = style
        width = DisplayWidth.of(text)
    }
}
