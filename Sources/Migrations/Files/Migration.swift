import Crypto

/// One step of a database's history: a name that determines its order, the SQL that applies it, and the SQL that undoes
/// it, unless that is impossible.
public struct Migration: Sendable, Hashable {
    /// `YYYYMMDD_words` or `YYYYMMDD_HHMM_words`; migrations are applied in the order of their names.
    public let name: String
    /// The SQL that migrates a database from the version before to this one.
    public let up: MigrationScript
    /// The SQL that undoes it. Nil when the migration cannot be undone.
    public let down: MigrationScript?
    /// SHA-256 of the up text, in 64 lower-case hexadecimal digits: it shows whether a migration was edited after it
    /// was applied. The checksum ignores the form of line ends (CRLF or LF), blanks at line ends and blanks at both
    /// ends of the file; it includes comments.
    /// Rule: docs/migrations.md, "What the database records".
    public let checksum: String

    init(name: String, up: MigrationScript, down: MigrationScript?) {
        self.name = name
        self.up = up
        self.down = down
        checksum = Self.checksum(of: up.text)
    }

    /// Whether another migration has the same name and the same SQL up and down.
    func hasSameTexts(as other: Migration) -> Bool {
        name == other.name && checksum == other.checksum && down?.text == other.down?.text
    }

    static func checksum(of text: String) -> String {
        var (text, hash) = (text, SHA256())
        text.withUTF8 { bytes in
            // A usual file only needs both ends trimmed.
            if let plain = LineEnds.trimmed(bytes) {
                hash.update(bufferPointer: plain)
            } else {
                LineEnds.normalized(bytes).withUnsafeBytes { hash.update(bufferPointer: $0) }
            }
        }
        return hash.finalize().hexadecimal
    }
}

/// Removes what the checksum ignores: the form of line ends, blanks before them, and blanks and empty lines at both
/// ends of the text.
private enum LineEnds {
    private static let blank = UInt8(ascii: " ")
    private static let tab = UInt8(ascii: "\t")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// The part of a text that the checksum covers, if it is one piece; nil for a text with carriage returns or with
    /// blanks at line ends.
    static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeRawBufferPointer? {
        var previous = lineFeed
        for byte in bytes {
            if byte == carriageReturn || byte == lineFeed && (previous == blank || previous == tab) { return nil }
            previous = byte
        }
        let isSpace = { (byte: UInt8) in byte == blank || byte == tab || byte == lineFeed }
        guard let start = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[start...last]))
    }

    static func normalized(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        func endLine() {
            while let last = result.last, last == blank || last == tab { result.removeLast() }
        }
        for byte in bytes {
            if byte == lineFeed {
                if result.last == carriageReturn { result.removeLast() }
                endLine()
                // Only blanks so far.
                if result.isEmpty { continue }
            } else if result.isEmpty, byte == blank || byte == tab {
                continue
            }
            result.append(byte)
        }
        while let last = result.last, last == blank || last == tab || last == lineFeed { result.removeLast() }
        return result
    }
}

extension Sequence<UInt8> {
    /// Two lower-case digits for each byte.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
