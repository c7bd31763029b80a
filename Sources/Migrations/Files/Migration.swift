import Crypto

/// One step of a database's history: the SQL that goes up, the SQL that goes down again unless that truly cannot
/// be done, and a name that gives it its place.
public struct Migration: Sendable, Hashable {
    /// `YYYYMMDD_words`; migrations are applied in the order of their names.
    public let name: String
    /// Brings a database from the version before to this one.
    public let up: MigrationScript
    /// Brings it back. Nil when the migration cannot be undone.
    public let down: MigrationScript?
    /// SHA-256 of the up text, in 64 lower-case hexadecimal digits: it tells whether a migration was edited after it
    /// was applied. Line ends (CRLF or LF), blanks at line ends and at both ends of the file do not count; comments do.
    /// Rule: docs/migrations.md, "What the database records".
    public let checksum: String

    init(name: String, up: MigrationScript, down: MigrationScript?) {
        self.name = name
        self.up = up
        self.down = down
        checksum = Self.checksum(of: up.text)
    }

    static func checksum(of text: String) -> String {
        var hash = SHA256()
        normalized(text).withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize().hexadecimal
    }

    private static func normalized(_ text: String) -> [UInt8] {
        let (blank, tab, lineFeed, carriageReturn) = (UInt8(0x20), UInt8(0x09), UInt8(0x0A), UInt8(0x0D))
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        func endLine() {
            while let last = result.last, last == blank || last == tab { result.removeLast() }
        }
        for byte in text.utf8 {
            if byte == lineFeed {
                if result.last == carriageReturn { result.removeLast() }
                endLine()
                // Nothing at the beginning but blanks so far.
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
