extension YAMLDocument {
    /// As many values as a JSON text may have.
    static let mostValues = 1_000_000

    /// Whether the text has more places where a value can begin than it may have values. The library makes a tree of a
    /// whole text before it can be asked about it, and each value takes memory, however short its text. A comma or a line
    /// within quotes counts too: no preset has so many.
    static func mayHaveTooManyValues(_ bytes: [UInt8]) -> Bool {
        var count = 1
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                count += 1
            case UInt8(ascii: "-") where index + 1 < bytes.count && bytes[index + 1] <= 0x20: count += 1
            default: break
            }
        }
        return count > mostValues
    }
}
