public import ChatDBSchema

/// The reason why a QR code cannot be drawn or read.
public enum QRCodeError: ChatDBError, Hashable, Sendable {
    /// libqrencode cannot be loaded; the system's words.
    case libraryMissing(String)
    /// A QR code cannot hold the text.
    case textTooLong(bytes: Int)
    /// The program that reads QR codes, `zbarimg`, is not installed.
    case readerMissing
    /// `zbarimg` did not end in time, or failed; its exit code, 126 if the system could not run it.
    case readerFailed(path: String, code: Int32)
    /// The file does not exist.
    case fileNotFound(path: String)
    /// The file cannot be read, or is not a regular file; the system's words.
    case cannotRead(path: String, reason: String)
    /// The file is not a picture in PNG or JPEG, or it is too large or damaged.
    case notPicture(path: String)
    /// The picture has no QR code that can be read.
    case noCode(path: String)
    /// The picture has several QR codes, and one is expected.
    case severalCodes(path: String, count: Int)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .libraryMissing(let reason):
            ErrorInfo(
                .unavailable, "qrLibraryMissing",
                "drawing a QR code needs libqrencode, which cannot be loaded: \(reason)",
                state: ErrorInfo.unchanged)
        case .textTooLong(let bytes):
            .invalid(
                "qrTextTooLong", "a QR code cannot hold this text of \(bytes) bytes", ["bytes": .integer(Int64(bytes))])
        case .readerMissing:
            ErrorInfo(
                .unavailable, "qrReaderMissing", "reading a QR code needs the program zbarimg, which is not installed",
                state: ErrorInfo.unchanged)
        case .readerFailed(let path, let code):
            ErrorInfo(
                .unavailable, "qrReaderFailed", "zbarimg could not examine \(path)",
                ["path": .string(path), "exitCode": .integer(Int64(code))], state: ErrorInfo.unchanged)
        case .fileNotFound(let path):
            ErrorInfo(
                .noInput, "fileNotFound", "there is no file \(path)", ["path": .string(path)],
                state: ErrorInfo.unchanged
            )
        case .cannotRead(let path, let reason):
            ErrorInfo(
                .noInput, "cannotRead", "\(path) cannot be read: \(reason)", ["path": .string(path)],
                state: ErrorInfo.unchanged)
        case .notPicture(let path):
            .invalid("notPicture", "\(path) is not a picture in PNG or JPEG that can be read", ["path": .string(path)])
        case .noCode(let path):
            .invalid("noQRCode", "\(path) has no QR code that can be read", ["path": .string(path)])
        case .severalCodes(let path, let count):
            .invalid(
                "severalQRCodes", "\(path) has \(count) QR codes, and one is expected",
                ["path": .string(path), "count": .integer(Int64(count))])
        }
    }
}
