import ChatDBKit

/// Renders documents as GitHub-flavoured Markdown. Values are plain text: no markup, link, image or HTML in them takes
/// effect.
enum MarkdownRenderer {
    /// The text with a newline at its end; empty for an empty document.
    static func render(_ document: Document) -> String {
        document.blocks.map(render).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static func render(_ block: Block) -> String {
        switch block {
        case .heading(let text): "## \(escape(TextEscaping.line(text)))\n"
        case .paragraph(let text, _): text.isEmpty ? "" : "\(escapeStart(escape(TextEscaping.line(text))))\n"
        case .fields(let fields):
            fields.map { field in
                let steps = field.steps.map { "  - \(escapeStart(escape(TextEscaping.line($0))))\n" }.joined()
                return "- **\(escape(TextEscaping.line(field.label))):** \(text(of: field.cell))\n\(steps)"
            }.joined()
        case .table(let table): render(table)
        case .notes(let notes):
            notes.map { "- **\($0.kind.rawValue):** \(escape(TextEscaping.line($0.text)))\n" }.joined()
        case .verbatim(let text, let language): fenced(TextEscaping.lines(text), language)
        case .qr(let code): fenced(code.halfBlocks(darkIsInk: true).joined(separator: "\n"), "text")
        }
    }

    private static func render(_ table: Table) -> String {
        guard !table.rows.isEmpty else {
            return table.whenEmpty.isEmpty ? "" : "\(escapeStart(escape(TextEscaping.line(table.whenEmpty))))\n"
        }
        let titles = table.columns.map { escape(TextEscaping.line($0.title)) }
        let rules = table.columns.map { $0.alignment == .right ? "--:" : "---" }
        let rows = table.rows.map { table.cells(of: $0).map(text) }
        return ([titles, rules] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
    }

    private static func text(of cell: Cell) -> String {
        let text = escape(CellText.plain(cell.value))
        return cell.style == .strong && !text.isEmpty ? "**\(text)**" : text
    }

    /// A block of code, in a fence that is longer than any inside.
    private static func fenced(_ text: String, _ language: String) -> String {
        let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return "\(fence)\(language)\n\(text)\(text.hasSuffix("\n") ? "" : "\n")\(fence)\n"
    }

    /// Escapes text within a line. An underscore between letters or digits is not markup, and addresses have many.
    static func escape(_ text: String) -> String {
        guard text.utf8.contains(where: isMarkup) else { return text }
        var escaped = ""
        var isInWord = false
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\\", "`", "*", "[", "]", "|", "~": escaped += "\\\(scalar)"
            case "_":
                let isBeforeWord = index + 1 < scalars.count && isWord(scalars[index + 1])
                escaped += isInWord && isBeforeWord ? "_" : "\\_"
            default: escaped.unicodeScalars.append(scalar)
            }
            isInWord = isWord(scalar)
        }
        return escaped
    }

    private static func isMarkup(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "&", "<", ">", "\\", "`", "*", "[", "]", "|", "~", "_": true
        default: false
        }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// Escapes text at the start of a line: no heading, list or rule.
    private static func escapeStart(_ text: String) -> String {
        guard let first = text.first else { return text }
        if "#+-=".contains(first) { return "\\\(text)" }
        let rest = text.drop { $0.isASCII && $0.isNumber }
        guard rest.count < text.count, let mark = rest.first, mark == "." || mark == ")" else { return text }
        return "\(text.prefix(text.count - rest.count))\\\(rest)"
    }
}
