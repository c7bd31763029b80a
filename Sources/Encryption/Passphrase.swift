import Crypto
import Foundation

/// A passphrase of an encrypted store, as a person enters it. Its bytes are overwritten when the last copy goes, and no
/// description shows them.
///
/// A text of the form `x'…'` with 64 hexadecimal digits is a key and not a passphrase; with 96 digits, a key and the
/// salt of the file. SQLCipher reads it in the same way. Rule: docs/encryption.md, "Passphrases".
public struct Passphrase: Sendable, CustomStringConvertible, CustomReflectable {
    let bytes: SymmetricKey

    /// A passphrase of these bytes, without the line end after them if there is one.
    public init(_ bytes: some Sequence<UInt8>) {
        var bytes = Array(bytes)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        self.bytes = SymmetricKey(data: bytes)
        for index in bytes.indices { bytes[index] = 0 }
    }

    /// Whether it has no bytes. An empty passphrase encrypts nothing.
    public var isEmpty: Bool { bytes.bitCount == 0 }

    /// Whether it is a text that a person can type: UTF-8 without control characters. The app takes no other one.
    package var isPlainText: Bool {
        bytes.withUnsafeBytes { bytes in
            String(validating: bytes, as: UTF8.self) != nil && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }
    }

    /// Whether it has a line end, as of a file with several lines.
    package var hasLineEnd: Bool { bytes.withUnsafeBytes { $0.contains { $0 == 0x0A || $0 == 0x0D } } }

    /// Whether it begins with the byte order mark that some editors write at the start of a file of UTF-8 or UTF-16.
    package var hasByteOrderMark: Bool {
        let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]]
        return bytes.withUnsafeBytes { bytes in marks.contains { bytes.starts(with: $0) } }
    }

    /// Whether it begins with a blank or a tab, which is easily missed in an editor.
    package var beginsWithBlank: Bool { bytes.withUnsafeBytes { $0.first.map(Self.isBlank) ?? false } }

    /// Whether it ends with a blank or a tab.
    package var endsWithBlank: Bool { bytes.withUnsafeBytes { $0.last.map(Self.isBlank) ?? false } }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Whether it has the same bytes.
    package func isSame(as other: Passphrase) -> Bool { bytes == other.bytes }

    /// Only the word.
    public var description: String { "passphrase" }

    /// Shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// The passphrase in the normal forms of Unicode that have other bytes, NFC first: a keyboard can enter a letter
    /// with an accent as one character or as two. Empty for a text of ASCII alone, and for bytes that are not UTF-8.
    var otherNormalForms: [Passphrase] {
        guard let text = bytes.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) else { return [] }
        var found: [[UInt8]] = [Array(text.utf8)]
        for form in [
            text.precomposedStringWithCanonicalMapping, text.precomposedStringWithCompatibilityMapping,
            text.decomposedStringWithCanonicalMapping,
        ] {
            let form = Array(form.utf8)
            if !found.contains(form) { found.append(form) }
        }
        return found.dropFirst().map { Passphrase($0) }
    }

    /// The clause about a passphrase that fits in another normal form.
    package static let otherFormNote = "the passphrase fits in another normal form of Unicode than the given one"

    /// The key, and the salt if it has one, of a text of the form `x'…'`; nil for a passphrase.
    var rawKey: (key: SymmetricKey, salt: [UInt8]?)? {
        bytes.withUnsafeBytes { text in
            guard text.count == 67 || text.count == 99, text.starts(with: Array("x'".utf8)),
                text.last == UInt8(ascii: "'")
            else { return nil }
            var digits: [UInt8] = []
            for byte in text[2..<text.count - 1] {
                guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
                digits.append(UInt8(digit))
            }
            let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
            return (SymmetricKey(data: bytes[..<32]), bytes.count > 32 ? Array(bytes[32...]) : nil)
        }
    }
}
