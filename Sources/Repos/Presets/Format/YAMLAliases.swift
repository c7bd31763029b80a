/// Whether a YAML text may have anchors and aliases. The library follows aliases before it can be asked about them, and
/// a short text of aliases is a very long document, so that in doubt the answer is yes.
enum YAMLAliases {
    /// Whether a word begins with `&` and another with `*`, anywhere but in texts that are sure to be in quotes.
    static func mayBe(in bytes: [UInt8]) -> Bool {
        let bytes = withoutTexts(bytes) ?? bytes
        func hasWord(beginningWith mark: UInt8) -> Bool {
            bytes.indices.contains { index in
                guard bytes[index] == mark, index + 1 < bytes.count, bytes[index + 1] > 0x20 else { return false }
                return index == 0 || !isLetterOrDigit(bytes[index - 1])
            }
        }
        return hasWord(beginningWith: UInt8(ascii: "&")) && hasWord(beginningWith: UInt8(ascii: "*"))
    }

    /// The text without what is in double quotes; nil where quotes may be something else. Sure is a text on one line
    /// that begins where a value does, in a document without other quotes, without blocks of text, and without lists in
    /// brackets over several lines: what exports write, and most people.
    private static func withoutTexts(_ bytes: [UInt8]) -> [UInt8]? {
        var kept: [UInt8] = []
        // The last byte of the line that is no blank, and whether only dashes were before it.
        var (last, isAtStart): (UInt8?, Bool) = (nil, true)
        var (depth, isInText, isEscaped) = (0, false, false)
        for byte in bytes {
            switch byte {
            case 0x0A, 0x0D:
                if isInText || depth != 0 { return nil }
                (last, isAtStart) = (nil, true)
                kept.append(byte)
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isInText: isEscaped = true
            case UInt8(ascii: "\"") where isInText:
                isInText = false
                kept.append(byte)
                last = byte
            case _ where isInText: break
            case UInt8(ascii: "'"), UInt8(ascii: "|"), UInt8(ascii: ">"): return nil
            default:
                if byte == UInt8(ascii: "\"") {
                    guard isAtStart || mayPrecedeText(last, inBrackets: depth > 0) else { return nil }
                    isInText = true
                }
                if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
                if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth -= 1 }
                kept.append(byte)
                if byte > 0x20 {
                    last = byte
                    isAtStart = isAtStart && byte == UInt8(ascii: "-")
                }
            }
        }
        return isInText || depth != 0 ? nil : kept
    }

    private static func mayPrecedeText(_ byte: UInt8?, inBrackets: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: ":"): true
        case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","): inBrackets
        default: false
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: byte >= 0x80
        }
    }
}
