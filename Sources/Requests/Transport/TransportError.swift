public import ChatDBSchema
import Foundation

/// A socket or descriptor that cannot be used. Rule: docs/requests.md, "The socket".
public enum TransportError: ChatDBError, Sendable, Hashable {
    /// The path is longer than a socket's path may be.
    case socketPathTooLong(String, longest: Int)
    /// A program listens at the path.
    case socketInUse(String)
    /// Another file is at the path.
    case socketPathTaken(String)
    /// The socket cannot be made; with the system's error number.
    case cannotListen(String, errno: CInt)
    /// The process cannot open more files; with the system's error number.
    case noDescriptors(CInt)

    /// Kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .socketPathTooLong(let path, let longest):
            ErrorInfo(
                .usage, "socketPathTooLong", "the path of a socket has at most \(longest) bytes: \(path)",
                ["path": .string(path), "longest": JSONValue(longest)])
        case .socketInUse(let path):
            ErrorInfo(.tryAgain, "socketInUse", "another program already listens at \(path)", ["path": .string(path)])
        case .socketPathTaken(let path):
            ErrorInfo(
                .cannotCreate, "socketPathTaken", "\(path) exists, and is not a socket", ["path": .string(path)])
        case .cannotListen(let path, let reason):
            ErrorInfo(
                .cannotCreate, "cannotListen", "cannot listen at \(path): \(String(cString: strerror(reason)))",
                ["path": .string(path)])
        case .noDescriptors(let reason):
            ErrorInfo(
                .inputOutput, "noDescriptors", "cannot open another descriptor: \(String(cString: strerror(reason)))")
        }
    }
}
