/// Bytes with a meaning in SQL text, and classes of bytes.
enum SQLByte {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let formFeed: UInt8 = 0x0C
    static let carriageReturn: UInt8 = 0x0D
    static let blank: UInt8 = 0x20
    static let exclamationMark: UInt8 = 0x21
    static let doubleQuote: UInt8 = 0x22
    static let dollar: UInt8 = 0x24
    static let ampersand: UInt8 = 0x26
    static let quote: UInt8 = 0x27
    static let star: UInt8 = 0x2A
    static let plus: UInt8 = 0x2B
    static let minus: UInt8 = 0x2D
    static let dot: UInt8 = 0x2E
    static let slash: UInt8 = 0x2F
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B
    static let less: UInt8 = 0x3C
    static let equals: UInt8 = 0x3D
    static let greater: UInt8 = 0x3E
    static let questionMark: UInt8 = 0x3F
    static let at: UInt8 = 0x40
    static let upperB: UInt8 = 0x42
    static let upperE: UInt8 = 0x45
    static let upperU: UInt8 = 0x55
    static let upperX: UInt8 = 0x58
    static let leftBracket: UInt8 = 0x5B
    static let backslash: UInt8 = 0x5C
    static let rightBracket: UInt8 = 0x5D
    static let underscore: UInt8 = 0x5F
    static let backtick: UInt8 = 0x60
    static let lowerE: UInt8 = 0x65
    static let lowerX: UInt8 = 0x78
    static let bar: UInt8 = 0x7C

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

    /// Letters outside ASCII are parts of names, in SQLite as in PostgreSQL.
    static func isWordStart(_ byte: UInt8) -> Bool { isLetter(byte) || byte == underscore || byte >= 0x80 }

    static func isWordPart(_ byte: UInt8) -> Bool { isWordStart(byte) || isDigit(byte) || byte == dollar }

    /// C0 and DEL, without the blanks that SQL text is made of.
    static func isControl(_ byte: UInt8) -> Bool {
        switch byte {
        case tab, lineFeed, formFeed, carriageReturn: false
        default: byte < 0x20 || byte == 0x7F
        }
    }

    /// SQLite ignores the case of ASCII letters only.
    static func upperASCII(_ byte: UInt8) -> UInt8 { (0x61...0x7A).contains(byte) ? byte - 0x20 : byte }
}
