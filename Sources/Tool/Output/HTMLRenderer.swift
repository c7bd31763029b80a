import ChatDBKit

/// Renders documents as a self-contained HTML page. Values are plain text: no markup in them takes effect, and the page
/// loads nothing.
enum HTMLRenderer {
    /// The whole page. The drawings stand before the blocks.
    static func page(_ title: String, drawings: [Drawing], _ document: Document) -> String {
        let body = drawings.map(\.html) + document.blocks.map(render)
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(text(title))</title>
            <style>
            \(style)
            </style>
            </head>
            <body>
            <h1>\(text(title))</h1>
            \(body.filter { !$0.isEmpty }.joined(separator: "\n"))
            </body>
            </html>

            """
    }

    /// A value as text of HTML, also within an attribute.
    static func text(_ value: String) -> String { escaped(TextEscaping.line(value)) }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func render(_ block: Block) -> String {
        switch block {
        case .heading(let heading): "<h2>\(text(heading))</h2>"
        case .paragraph(let paragraph, let style):
            paragraph.isEmpty ? "" : "<p\(attribute(style))>\(text(paragraph))</p>"
        case .fields(let fields):
            "<dl>"
                + fields.map { field in
                    let steps = field.steps.map { "<br>\(text($0))" }.joined()
                    return "<dt>\(text(field.label))</dt><dd>\(cell(field.cell))\(steps)</dd>"
                }.joined() + "</dl>"
        case .table(let table): render(table)
        case .notes(let notes):
            notes.isEmpty ? "" : "<ul>" + notes.map(item).joined(separator: "\n") + "</ul>"
        case .verbatim(let code, _): "<pre>\(escaped(TextEscaping.lines(code)))</pre>"
        case .qr(let code): code.svg
        }
    }

    private static func item(_ note: Note) -> String {
        "<li class=\"\(note.kind.rawValue)\"><b>\(note.kind.rawValue):</b> \(text(note.text))</li>"
    }

    private static func render(_ table: Table) -> String {
        guard !table.rows.isEmpty else {
            return table.whenEmpty.isEmpty ? "" : "<p class=\"dim\">\(text(table.whenEmpty))</p>"
        }
        func side(_ column: Column) -> String { column.alignment == .right ? " class=\"right\"" : "" }
        let titles = table.columns.map { "<th\(side($0))>\(text($0.title))</th>" }.joined()
        let rows = table.rows.map { row in
            "<tr>"
                + zip(table.columns, table.cells(of: row)).map { "<td\(side($0))>\(cell($1))</td>" }.joined() + "</tr>"
        }
        return "<div class=\"wide\"><table><thead><tr>\(titles)</tr></thead>\n<tbody>"
            + rows.joined(separator: "\n") + "</tbody></table></div>"
    }

    /// Numbers are as people read them: the page is for people.
    private static func cell(_ cell: Cell) -> String {
        let shown =
            switch cell.value {
            case .count(let count): CellText.grouped(count)
            case .bytes(let bytes): CellText.size(bytes)
            default: CellText.plain(cell.value)
            }
        return cell.style == nil ? text(shown) : "<span\(attribute(cell.style))>\(text(shown))</span>"
    }

    private static func attribute(_ style: CellStyle?) -> String {
        style.map { " class=\"\($0)\"" } ?? ""
    }

    private static let style = """
        :root { --ink: #1c1e21; --paper: #fff; --line: #d8dce1; --dim: #687078; --good: #1a7f37; --bad: #b3261e;
                --bar: #8fa8c8; }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #e4e6e9; --paper: #17191c; --line: #3a3f45; --dim: #989fa7; --good: #57c97a; --bad: #ff8a80;
                  --bar: #5c7695; }
        }
        body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: var(--ink); background: var(--paper);
               font: 15px/1.45 system-ui, sans-serif; }
        h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
        h2 { font-size: 1.1rem; margin-top: 2rem; break-after: avoid; overflow-wrap: anywhere; }
        .wide { overflow-x: auto; }
        table { border-collapse: collapse; }
        th, td { padding: .2rem 1rem .2rem 0; text-align: left; vertical-align: top;
                 border-bottom: 1px solid var(--line); }
        td { overflow-wrap: anywhere; }
        .right { text-align: right; font-variant-numeric: tabular-nums; }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
        dt, .dim { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; }
        .good { color: var(--good); } .bad, .warning b { color: var(--bad); } .strong { font-weight: 600; }
        pre { padding: .6rem; border: 1px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; }
        figure { margin: 1rem 0; } figcaption { font-weight: 600; margin-bottom: .3rem; }
        svg { width: 100%; height: auto; max-width: 56rem; } svg text { fill: var(--ink); font-size: 13px; }
        svg .quiet { fill: var(--dim); } svg .part-good { fill: var(--good); } svg .part-rest { fill: var(--bar); }
        svg .axis { stroke: var(--line); } svg circle { fill: var(--bar); }
        @media print {
          :root { --ink: #000; --paper: #fff; --line: #bbb; --dim: #555; --good: #1a7f37; --bad: #b3261e;
                  --bar: #8fa8c8; }
          body { margin: 0; max-width: none; font-size: 11px; } figure, tr { break-inside: avoid; }
        }
        """
}
