/// Renders tables as CSV (RFC 4180, with plain newlines). A header of keys, then the rows.
///
/// Rule: a cell that a spreadsheet would take for a formula begins with `'`, unless it is a number; `--csv-raw`, for
/// programs, omits it. Control characters are always escaped, except newlines and tabs inside a value.
struct CSVRenderer {
    let raw: Bool

    /// The text with a newline at the end of each row.
    func render(_ table: Table) -> String {
        var text = row(table.columns.map { field($0.key) })
        for cells in table.rows { text += row(table.cells(of: cells).map { field($0.value) }) }
        return text
    }

    private func row(_ fields: [String]) -> String {
        // A lone empty field would be an empty line, which readers skip.
        fields == [""] ? "\"\"\n" : fields.joined(separator: ",") + "\n"
    }

    private func field(_ value: Cell.Value) -> String {
        switch value {
        case .nothing: ""
        case .text(let text): field(text)
        case .number, .count, .bytes, .time, .yesNo: CellText.plain(value)
        }
    }

    private func field(_ text: String) -> String {
        let guarded = !raw && looksLikeFormula(text) ? "'\(text)" : text
        let escaped = TextEscaping.lines(guarded)
        let needsQuotes = escaped.unicodeScalars.contains { [",", "\"", "\n"].contains($0) }
        guard needsQuotes || escaped.hasPrefix(" ") || escaped.hasSuffix(" ") else { return escaped }
        return "\"" + escaped.replacing("\"", with: "\"\"") + "\""
    }

    private func looksLikeFormula(_ text: String) -> Bool {
        switch text.unicodeScalars.first {
        // The last four are the full-width forms, which some spreadsheets treat like the others.
        case "=", "+", "-", "@", "\t", "\r", "\n", "\0", "\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}":
            !isNumber(text)
        default: false
        }
    }

    /// A number as JSON has it, so no leading `+`.
    private func isNumber(_ text: String) -> Bool {
        text.wholeMatch(of: #/-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/#) != nil
    }
}
