public import ChatDBSchema

/// The reason why a test of servers has no results.
public enum NetworkError: ChatDBError, Hashable, Sendable {
    /// OpenSSL 3 cannot be loaded; the system's words.
    case tlsLibraryMissing(String)
    /// OpenSSL is loaded, and lacks the ciphers, groups or signatures that apps offer to servers.
    case tlsLibraryUnsuitable
    /// No tested server could be reached, and nothing answered; the number of servers.
    case noNetwork(servers: Int)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .tlsLibraryMissing(let reason):
            ErrorInfo(
                .unavailable, "tlsLibraryMissing",
                "a test of servers needs OpenSSL 3, which cannot be loaded: \(reason)",
                state: ErrorInfo.unchanged)
        case .tlsLibraryUnsuitable:
            ErrorInfo(
                .unavailable, "tlsLibraryUnsuitable",
                "the OpenSSL of this machine lacks ChaCha20-Poly1305, Ed448, Ed25519, X448 or X25519, which a test of "
                    + "servers needs",
                state: ErrorInfo.unchanged)
        case .noNetwork(let count):
            ErrorInfo(
                .unavailable, "noNetwork",
                count == 1
                    ? "the server cannot be reached, and nothing answered: this machine may have no network"
                    : "none of \(count) servers can be reached, and nothing answered: this machine may have no network",
                ["servers": .integer(Int64(count))], state: ErrorInfo.unchanged)
        }
    }
}
