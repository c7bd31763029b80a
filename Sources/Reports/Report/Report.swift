package import ChatDBKit

/// The answer of a command: values without a format. Commands pass it to `Output.write`.
package protocol Report {
    /// The document for programs: an object with stable keys in a fixed order (docs/json.md).
    var json: JSONValue { get }

    /// The document for people.
    var document: Document { get }

    /// The rows for spreadsheets. By default the first table, else all fields as `key,value`, else the texts.
    var csvTable: Table { get }

    /// Writes `json`. A report that may exceed memory writes it piece by piece.
    func writeJSON(to writer: inout JSONWriter) throws
}

extension Report {
    package var csvTable: Table { document.csvTable }

    package func writeJSON(to writer: inout JSONWriter) throws { try writer.value(ShownPaths.value(json)) }
}

extension Document {
    package var csvTable: Table {
        for case .table(let table) in blocks { return table }
        var fields: [Field] = []
        for case .fields(let more) in blocks { fields += more }
        if !fields.isEmpty {
            return Table(
                [Column("Key"), Column("Value")], rows: fields.map { [.text($0.key), $0.cell] }, whenEmpty: "")
        }
        var texts: [String] = []
        for block in blocks {
            switch block {
            case .paragraph(let text, _), .verbatim(let text, _): texts.append(text)
            case .notes(let notes): texts += notes.map(\.text)
            case .heading, .fields, .table, .qr: break
            }
        }
        return Table([Column("Text")], rows: texts.map { [.text($0)] }, whenEmpty: "")
    }
}
