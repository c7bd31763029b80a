import ChatDBKit

/// Makes any text safe to show: names in a database, paths, errors of SQLite.
package enum TextEscaping {
    /// The text with every unsafe character as `\u{1b}`, for one line. Newlines and tabs are escaped too, so that data
    /// cannot look like a line of its own.
    package static func line(_ text: String) -> String {
        escape(text, keeping: [])
    }

    /// The same for text of several lines: newlines and tabs stay.
    package static func lines(_ text: String) -> String {
        escape(text, keeping: ["\n", "\t"])
    }

    private static func escape(_ text: String, keeping kept: Set<Unicode.Scalar>) -> String {
        let text = ShownPaths.text(text)
        let isPlain = text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
        if isPlain == true { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            if UnsafeScalars.contains(scalar), !kept.contains(scalar) {
                escaped += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

/// A text as one word of a shell's command line.
package enum ShellWord {
    package static func quoted(_ text: String) -> String {
        let text = ShownPaths.text(text)
        let isPlain = !text.isEmpty && text.utf8.allSatisfy(isPlain)
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "/._-+:,@%".utf8.contains(byte)
        }
    }
}
