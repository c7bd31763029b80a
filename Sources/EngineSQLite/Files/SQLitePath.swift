import ChatDBEngine
import Foundation
import GRDBSQLite

/// Paths in the form in which SQLite gets them. SQLite never gets a user's path unchanged: it would take
/// `file:x?mode=rwc` for a URI, and an empty path for a temporary database.
enum SQLitePath {
    /// The path from the root.
    static func absolute(_ path: String) -> String { absolutePath(path) ?? "/" + path }

    /// The path of the file itself where `path` is a symbolic link; the absolute path where that is unknown.
    static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return absolute(path) }
        defer { free(real) }
        return String(cString: real)
    }

    /// A URI with parameters where this SQLite reads URIs, else the absolute path.
    static func uri(_ path: String, _ parameters: String) -> String {
        guard understandsURIs else { return absolute(path) }
        return "file://" + percentEncoded(absolute(path)) + "?" + parameters
    }

    /// Whether this SQLite reads URIs on every connection. GRDB does not turn them on for one connection.
    static let understandsURIs = sqlite3_compileoption_used("USE_URI") == 1

    private static func percentEncoded(_ path: String) -> String {
        var text = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."), UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text += "%" + String(byte, radix: 16, uppercase: true).leftPadded(to: 2)
            }
        }
        return text
    }
}

extension String {
    fileprivate func leftPadded(to width: Int) -> String {
        String(repeating: "0", count: max(0, width - count)) + self
    }
}
