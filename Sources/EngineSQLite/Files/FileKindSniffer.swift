import ChatDBPOSIX

/// Recognizes what a file is that is not a database, by its first 4 KB.
enum FileKindSniffer {
    private static let beginnings: [(at: Int, bytes: [UInt8], kind: String)] = [
        (0, [0x50, 0x4B, 0x03, 0x04], "a ZIP file"), (0, [0x50, 0x4B, 0x05, 0x06], "an empty ZIP file"),
        (0, [0xFF, 0xD8, 0xFF], "a JPEG picture"), (0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A], "a PNG picture"),
        (0, Array("GIF8".utf8), "a GIF picture"), (8, Array("WEBP".utf8), "a WebP picture"),
        (4, Array("ftyp".utf8), "a video or picture (MP4, HEIC)"), (0, Array("%PDF-".utf8), "a PDF file"),
        (0, [0x1F, 0x8B], "a gzip file"), (0, Array("BZh".utf8), "a bzip2 file"),
        (0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "an xz file"), (0, [0x28, 0xB5, 0x2F, 0xFD], "a zstd file"),
        (0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z file"), (0, Array("Rar!".utf8), "a RAR file"),
        (257, Array("ustar".utf8), "a tar file"), (0, [0x7F, 0x45, 0x4C, 0x46], "a program (ELF)"),
        (0, Array("MZ".utf8), "a program (Windows)"), (0, [0xCF, 0xFA, 0xED, 0xFE], "a program (Mach-O)"),
        (0, Array("age-encryption.org".utf8), "a file encrypted with age"),
        (0, Array("-----BEGIN PGP".utf8), "a file encrypted or signed with PGP"),
        (0, Array("** This file contains an SQLite 2".utf8), "a database of SQLite 2"),
        (0, [0x37, 0x7F, 0x06, 0x82], "the -wal file of a database"),
        (0, [0x37, 0x7F, 0x06, 0x83], "the -wal file of a database"),
        (0, SideFiles.journalMagic, "the -journal file of a database"),
        (0, Array("PRAGMA foreign_keys=OFF;".utf8), "an SQL script"), (0, [0xFF, 0xFE], "a text in UTF-16"),
        (0, [0xFE, 0xFF], "a text in UTF-16"),
    ]

    /// The kind of a file whose first bytes are known; nil for others.
    ///
    /// - Parameter mayBeEncrypted: whether the file may be an encrypted database. It begins with a random salt, and one
    ///   salt in 16,000 begins as a gzip file, a program or a text in UTF-16 does. So two or three bytes prove nothing.
    static func knownKind(_ bytes: [UInt8], mayBeEncrypted: Bool) -> String? {
        beginnings.first { known in
            (!mayBeEncrypted || known.bytes.count > 3) && bytes.dropFirst(known.at).starts(with: known.bytes)
        }?.kind
    }

    /// The kind of a file in which nothing is recognized.
    static let unknown = "something unknown"

    /// The kind of a file without known first bytes.
    static func generalKind(_ bytes: [UInt8]) -> String {
        if bytes.allSatisfy({ $0 == 0 }) { return zeros }
        return isText(bytes) ? textKind(bytes) : unknown
    }

    /// What overwritten files are called.
    static let zeros = "a file that begins with zeros"

    private static func textKind(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }.prefix(64), as: UTF8.self)
        if text.hasPrefix("{") || text.hasPrefix("[") { return "a text file (JSON)" }
        let lower = text.lowercased()
        if lower.hasPrefix("<!doctype html") || lower.hasPrefix("<html") { return "a web page (HTML)" }
        return lower.hasPrefix("<?xml") ? "a text file (XML)" : "a text file"
    }

    /// Whether the bytes are UTF-8 without control characters other than line ends and tabs.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        if bytes.contains(where: { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D].contains($0) || $0 == 0x7F }) {
            return false
        }
        // The 4 KB may end within a character, so up to three bytes at the end are ignored.
        let cut = bytes.count == 4_096 ? 3 : 0
        return (0...cut).contains { isUTF8(bytes.dropLast($0)) }
    }

    private static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
        // Decoding replaces an invalid byte with three others, so only valid bytes come back unchanged.
        String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
    }

    /// Whether the bytes have no pattern: 7.9 bits per byte for 4 KB, a little less for fewer bytes, which cannot have
    /// all 256 values equally often.
    static func isNoise(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count >= 512 else { return false }
        let expected = 8 - 255 / (2 * Double(bytes.count) * log(2))
        return entropy(bytes) >= min(7.9, expected - 0.1)
    }

    /// Bits per byte, from 0 to 8.
    static func entropy(_ bytes: ArraySlice<UInt8>) -> Double {
        var counts = [Int](repeating: 0, count: 256)
        for byte in bytes { counts[Int(byte)] += 1 }
        let total = Double(bytes.count)
        return counts.reduce(0) { sum, count in
            count == 0 ? sum : sum - Double(count) / total * log2(Double(count) / total)
        }
    }
}
