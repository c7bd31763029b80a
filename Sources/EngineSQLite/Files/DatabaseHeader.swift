/// The header of a database: its first 100 bytes. Numbers are big-endian.
package struct DatabaseHeader: Sendable, Hashable {
    /// The way in which the database undoes an unfinished transaction.
    package enum JournalMode: String, Sendable, Hashable {
        case rollback, wal
    }

    /// The encoding of texts.
    package enum TextEncoding: String, Sendable, Hashable {
        case utf8 = "UTF-8"
        case utf16LittleEndian = "UTF-16le"
        case utf16BigEndian = "UTF-16be"
        /// Not decided: the database is empty.
        case undecided
    }

    /// Why the header is invalid.
    package struct Problem: Error, Sendable, Hashable {
        /// The mode, worded as the end of a sentence.
        package let reason: String
    }

    /// Bytes per page: a power of two from 512 to 65536.
    package let pageSize: Int
    /// The number of pages: that of the header where it is current, otherwise the whole pages of the file.
    package let pageCount: Int64
    /// The way in which the database undoes an unfinished transaction.
    package let journalMode: JournalMode
    /// The encoding of texts; nil for a number without a meaning.
    package let encoding: TextEncoding?
    /// 1 to 4, or 0 while there are no tables.
    package let schemaFormat: UInt32

    let writeFormat: UInt8
    let encodingNumber: UInt32

    static let length = 100
    private static let magic = Array("SQLite format 3\0".utf8)

    static func hasMagic(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

    /// Whether a file ends within the magic, and is too long for a short text.
    static func isCutMagic(_ bytes: [UInt8]) -> Bool {
        (6..<16).contains(bytes.count) && magic.starts(with: bytes)
    }

    /// Whether the bytes are the magic with up to four bytes changed.
    static func isNearlyMagic(_ bytes: [UInt8]) -> Bool {
        bytes.count >= length && zip(bytes, magic).count { $0 == $1 } >= 12
    }

    init(_ bytes: [UInt8], fileBytes: Int64) throws(Problem) {
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        pageSize = size == 1 ? 65_536 : size
        writeFormat = bytes[18]
        schemaFormat = Self.number(bytes, at: 44)
        encodingNumber = Self.number(bytes, at: 56)
        switch encodingNumber {
        case 0: encoding = .undecided
        case 1: encoding = .utf8
        case 2: encoding = .utf16LittleEndian
        case 3: encoding = .utf16BigEndian
        default: encoding = nil
        }
        journalMode = bytes[19] == 2 ? .wal : .rollback

        if !(512...65_536).contains(pageSize) || pageSize & (pageSize - 1) != 0 {
            throw Problem(reason: "its page size is \(pageSize)")
        }
        if schemaFormat > 4 {
            throw Problem(reason: "its schema format is \(schemaFormat), which no known SQLite writes")
        }
        if bytes[19] > 2 {
            throw Problem(reason: "it requires a newer SQLite (read format \(bytes[19]))")
        }
        if bytes[21] != 64 || bytes[22] != 32 || bytes[23] != 32 {
            throw Problem(reason: "its payload fractions are not 64, 32, 32")
        }
        if pageSize - Int(bytes[20]) < 480 {
            throw Problem(reason: "it reserves \(bytes[20]) bytes of every page")
        }
        // The number of pages counts only if it was written by the same commit as the change counter.
        let stated = Int64(Self.number(bytes, at: 28))
        let isCurrent = stated > 0 && Self.number(bytes, at: 24) == Self.number(bytes, at: 92)
        pageCount = isCurrent ? stated : fileBytes / Int64(pageSize)
    }

    private static func number(_ bytes: [UInt8], at offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
