import ChatDBKit

/// The answer of a command that shows an address, with the address as a QR code if that was asked for.
struct QRReport<Content: Report>: Report {
    let content: Content
    /// The code to draw; nil for none.
    let drawn: QRCode?
    /// The file that has the code; nil for none.
    let file: String?

    /// Encodes the address and writes the file.
    /// - Parameter address: the text of the code. If it is nil, asking for a code is an error.
    init(_ content: Content, _ address: String?, _ options: QROptions, of store: StoreLocation) throws {
        self.content = content
        file = options.qrFile
        guard options.isGiven else {
            drawn = nil
            return
        }
        guard let address else { throw NoAddressToDraw() }
        let code = try QRCode(address)
        if let file, let kind = options.kind {
            let bytes = kind == .svg ? Array(code.svg.utf8) : code.png()
            try NewOutputFile.write(bytes, to: file, replacing: options.force, of: store)
        }
        drawn = options.qr ? code : nil
    }

    var json: JSONValue {
        guard let members = content.json.members else { return content.json }
        var more: [JSONValue.Member] = []
        if let drawn { more.append(.init("qr", ["text": .string(drawn.text), "rows": JSONValue(drawn.rows)])) }
        if let file { more.append(.init("qrFile", .string(file))) }
        return .object(members + more)
    }

    var document: Document {
        var blocks = content.document.blocks
        if let drawn { blocks.append(.qr(drawn)) }
        if let file { blocks.append(.paragraph("The QR code of the address is in \(file).")) }
        return Document(blocks)
    }

    /// CSV has no place for the code.
    var csvTable: Table { content.csvTable }
}

/// A QR code was asked for, of something without an address.
struct NoAddressToDraw: Reportable {
    var report: ErrorReport {
        ErrorReport(
            "noLinkToDraw", "the group has no link, so there is no QR code of it", state: "Nothing was written.",
            hint: "\(.groupSetLink, "GROUP", "LINK") sets the link of a group that the profile owns", exit: .no)
    }
}
