/// The width of a text in terminal columns, and ways to shorten it. Texts are escaped before.
package enum DisplayWidth {
    package static func of(_ text: String) -> Int {
        if text.utf8.withContiguousStorageIfAvailable({ $0.allSatisfy { $0 < 0x80 } }) == true {
            return text.utf8.count
        }
        return text.reduce(0) { $0 + of($1) }
    }

    /// A character: 0 for marks that stand alone, 2 for East Asian wide ones and emoji, else 1.
    package static func of(_ character: Character) -> Int {
        var width = 0
        for scalar in character.unicodeScalars {
            // The selector for the emoji form of a character, which is wide.
            if scalar.value == 0xFE0F { return 2 }
            width = max(width, of(scalar))
        }
        return width
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        switch scalar.value {
        // The wide and full-width blocks of Unicode's EastAsianWidth.
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }

    /// Shortens to `width` columns: cuts the end, and marks it with `…`.
    package static func cutEnd(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        return width > 0 ? prefix(of: text, width: width - 1) + "…" : ""
    }

    /// Shortens to `width` columns: omits the middle, so that scheme and host of an address stay.
    package static func cutMiddle(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        guard width > 0 else { return "" }
        let tail = (width - 1) / 2
        return prefix(of: text, width: width - 1 - tail) + "…" + suffix(of: text, width: tail)
    }

    private static func prefix(of text: String, width: Int) -> String {
        var left = width
        return String(
            text.prefix {
                left -= of($0)
                return left >= 0
            })
    }

    private static func suffix(of text: String, width: Int) -> String {
        var left = width
        let taken = text.reversed().prefix {
            left -= of($0)
            return left >= 0
        }
        return String(taken.reversed())
    }

    /// The width of the longest word, the least width for wrapping.
    package static func longestWord(of text: String) -> Int {
        text.split(separator: " ").map { of(String($0)) }.max() ?? 0
    }

    /// Wraps the text to lines of at most `width` columns, broken at spaces. A longer word has its own line, so that
    /// addresses can be copied.
    package static func wrap(_ text: String, to width: Int) -> [String] {
        guard of(text) > width else { return [text] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if line.isEmpty {
                line = String(word)
            } else if of(line) + 1 + of(String(word)) <= width {
                line += " \(word)"
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return lines + [line]
    }
}
