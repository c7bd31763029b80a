package import ChatDBKit

/// The contents of a report for people, before formatting: blocks from top to bottom.
package struct Document: Sendable, Hashable, ExpressibleByArrayLiteral {
    package var blocks: [Block]

    package init(_ blocks: [Block]) { self.blocks = blocks }

    package init(arrayLiteral elements: Block...) { blocks = elements }
}

/// A part of a document.
package enum Block: Sendable, Hashable {
    case heading(String)
    case paragraph(String, style: CellStyle? = nil)
    /// One thing: its properties, one on each line.
    case fields([Field])
    /// Many things, one on each line.
    case table(Table)
    case notes([Note])
    /// Text with significant lines and tabs, such as SQL. The language is for Markdown.
    case verbatim(String, language: String)
    /// A QR code to scan from the screen.
    case qr(QRCode)
}

/// A property of one thing.
package struct Field: Sendable, Hashable {
    package let label: String
    /// Its name for programs.
    package let key: String
    package let cell: Cell
    /// The steps below its text, each with a line of its own.
    package let steps: [String]
    /// The commands in its text and its steps, in their order, which a reader copies.
    package let commands: [String]

    /// The key defaults to the label in lower camel case.
    package init(
        _ label: String, key: String? = nil, _ cell: Cell, steps: [String] = [], commands: [String] = []
    ) {
        self.label = label
        self.key = key ?? Keys.key(from: label)
        self.cell = cell
        self.steps = steps
        self.commands = commands
    }
}

/// A remark in a report.
package struct Note: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case note
        case warning
    }

    package let kind: Kind
    package let text: String
    /// The commands that may be in the text, in their order, which a reader copies.
    package let commands: [String]

    package init(kind: Kind, text: String, commands: [String] = []) {
        self.kind = kind
        self.text = text
        self.commands = commands
    }

    package static func note(_ text: String) -> Note { Note(kind: .note, text: text) }
    package static func warning(_ text: String) -> Note { Note(kind: .warning, text: text) }
}

/// Converts names for people to names for programs.
package enum Keys {
    /// `Channels using` as `channelsUsing`.
    package static func key(from title: String) -> String {
        let words = title.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
        return (words.first ?? "") + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
