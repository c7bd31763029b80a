import ChatDBKit
import ChatDBReports
import Foundation

/// Texts that pass between C and Swift.
enum CText {
    /// A copy that C releases with `chatdb_free`; nil if there is no memory.
    static func copy(_ text: String) -> UnsafeMutablePointer<CChar>? { text.withCString { strdup($0) } }

    /// The text of a pointer. Throws for NULL, and for text that is not UTF-8.
    static func required(_ text: UnsafePointer<CChar>?, _ name: String) throws(CLibraryError) -> String {
        guard let text = try optional(text, name) else { throw .null(name) }
        return text
    }

    /// The same; nil for NULL.
    static func optional(_ text: UnsafePointer<CChar>?, _ name: String) throws(CLibraryError) -> String? {
        guard let text else { return nil }
        guard let valid = String(validatingCString: text) else { throw .notText(name) }
        return valid
    }

    /// The version, which is never released.
    nonisolated(unsafe) static let version: UnsafePointer<CChar>? = UnsafePointer(copy(Version.number))
}

/// An error of a call from C. Rule: docs/c.md, "Errors".
enum CLibraryError: ChatDBError, Equatable {
    /// This argument is NULL.
    case null(String)
    /// This argument is not UTF-8.
    case notText(String)
    /// The number is not that of an open store.
    case notOpen
    /// The options are not JSON, or have a member that is unknown or of another type.
    case options(String)

    var info: ErrorInfo {
        switch self {
        case .null(let name): .refused("nullArgument", "\(name) is NULL", ["argument": .string(name)])
        case .notText(let name): .refused("notText", "\(name) is not UTF-8", ["argument": .string(name)])
        case .notOpen: .refused("storeNotOpen", "the number is not that of an open store")
        case .options(let problem): .refused("invalidOptions", "the options are not valid: \(problem)")
        }
    }
}
