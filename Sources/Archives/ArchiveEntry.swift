/// An entry of the list of an archive. It is compact, because an archive can have very many.
package struct ArchiveEntry: Sendable, Hashable {
    /// What an entry is for a store.
    package enum Kind: UInt8, Sendable, Hashable {
        /// The chat database.
        case chat
        /// The agent database.
        case agent
        /// A file of a chat.
        case file
        /// A picture of the app's settings.
        case asset
        /// A folder of files or pictures.
        case folder
        /// Something else, which is never unpacked.
        case other
    }

    /// How the bytes of an entry are stored.
    enum Method: UInt8, Sendable, Hashable {
        case stored
        case deflated
    }

    package let kind: Kind
    /// The size of the content in bytes.
    package let size: Int64
    /// The size of the content in the archive in bytes.
    package let compressedSize: Int64
    let method: Method
    let crc: UInt32
    let flags: ArchiveFlags
    /// The place of the entry's own header in the file.
    let offset: Int64
    /// The place of the next entry or of the list: the bytes of this entry end before it.
    var limit: Int64 = 0
    /// The name, as a part of the list.
    let name: Range<Int>
}

/// The flags of an entry, of which some change how it is read.
struct ArchiveFlags: OptionSet, Sendable, Hashable {
    let rawValue: UInt16

    /// The content is encrypted.
    static let encrypted = ArchiveFlags(rawValue: 1 << 0)
    /// The sizes and the checksum stand behind the content; in the entry's own header they may be 0.
    static let descriptor = ArchiveFlags(rawValue: 1 << 3)
    /// The content is a patch of another file.
    static let patch = ArchiveFlags(rawValue: 1 << 5)
    /// The content is encrypted with PKWARE's strong encryption.
    static let stronglyEncrypted = ArchiveFlags(rawValue: 1 << 6)
    /// The list of entries is encrypted.
    static let masked = ArchiveFlags(rawValue: 1 << 13)

    /// Those that have to be equal in both headers of an entry.
    static let compared: ArchiveFlags = [.encrypted, .descriptor, .patch, .stronglyEncrypted, .masked]
}

/// The methods of compression by their numbers in the format.
enum ArchiveMethods {
    static let stored: UInt16 = 0
    static let deflated: UInt16 = 8
    /// The number that entries encrypted by WinZip and 7-Zip have in the place of a method.
    static let aes: UInt16 = 99

    private static let names: [UInt16: String] = [
        1: "Shrink", 6: "Implode", 9: "Deflate64", 12: "bzip2", 14: "LZMA", 20: "Zstandard", 93: "Zstandard",
        94: "MP3", 95: "XZ", 96: "JPEG", 97: "WavPack", 98: "PPMd",
    ]

    /// The name of a method, such as `Deflate64`, or `method 17`.
    static func name(of method: UInt16) -> String { names[method] ?? "method \(method)" }
}
