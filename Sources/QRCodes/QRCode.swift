import CChatDBQRCode

/// A QR code of a text.
///
/// ```swift
/// let code = try QRCode("https://relay.example.org/r#8EQmGJ2nVbXyTzRkPw0sLd5uHfCa1iOo7tNqZgWvBxM")
/// let picture = code.png(pixelsPerModule: 8)
/// ```
///
/// Page: docs/qr-codes.md.
public struct QRCode: Sendable, Hashable {
    /// The number of light modules that a drawing needs on each side.
    public static let quietZone = 4

    /// The text.
    public let text: String
    /// The modules on a side, without the quiet zone.
    public let size: Int
    /// The modules row by row from the top, `size` in each row; true is dark.
    public let modules: [Bool]

    /// Encodes a text with error correction of level M, by libqrencode. Throws ``QRCodeError/libraryMissing(_:)``, or
    /// ``QRCodeError/textTooLong(bytes:)`` for a text of more than about 2,300 bytes, or one with a zero byte.
    public init(_ text: String) throws(QRCodeError) {
        if let reason = chatdb_qr_load() { throw .libraryMissing(String(cString: reason)) }
        if text.isEmpty || text.utf8.contains(0) { throw .textTooLong(bytes: text.utf8.count) }
        var bytes: UnsafeMutablePointer<UInt8>?
        let size = Int(chatdb_qr_encode(text, &bytes))
        guard size > 0, let bytes else { throw .textTooLong(bytes: text.utf8.count) }
        defer { chatdb_qr_free(bytes) }
        self.text = text
        self.size = size
        modules = UnsafeBufferPointer(start: bytes, count: size * size).map { $0 == 1 }
    }

    /// Whether the module at a place is dark. Places outside are of the quiet zone, and light.
    public func isDark(_ row: Int, _ column: Int) -> Bool {
        (0..<size).contains(row) && (0..<size).contains(column) && modules[row * size + column]
    }

    /// Rows and columns with the quiet zone.
    package var places: Range<Int> { -Self.quietZone..<(size + Self.quietZone) }
}
