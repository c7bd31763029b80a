/// Why a text is not the address of a server: what is wrong, what is expected. It never carries the password.
public struct ServerAddressError: ChatDBError, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Problem: Error, Hashable, Sendable {
        /// Nothing, or blanks only.
        case empty
        /// So many bytes.
        case tooLong(Int)
        /// Neither `smp://` nor `xftp://`.
        case scheme
        /// There is no `@`, so no key hash.
        case noKeyHash
        /// The key hash is not 32 bytes in base64url with padding.
        case keyHash(KeyProblem)
        /// A colon after the key hash, and nothing.
        case emptyPassword
        /// The password has a blank, a control character, `@`, `:`, `/`, or one that is not ASCII.
        case passwordCharacter
        /// The hosts as given, unless there is a password, and what is wrong with one of them.
        case host(String, HostProblem)
        /// The port as given, unless there is a password.
        case port(String)
    }

    /// The protocol, as far as it could be read.
    public let serverProtocol: ServerProtocol?
    /// What is wrong.
    public let problem: Problem

    /// The whole sentence, without a full stop.
    public var message: String {
        let name = serverProtocol.map { "this \($0.text):// address" } ?? "this"
        return "\(name) is not the address of a server: \(reason)"
    }

    /// What a report says about the error.
    public var info: ErrorInfo { ErrorInfo(.invalid, "invalidServerAddress", message) }

    /// The same as ``message``.
    public var description: String { message }

    private static let expected =
        "expected smp:// or xftp:// and then <key hash>[:<password>]@<host>[,<host>…][:<port>]"

    private var reason: String {
        switch problem {
        case .empty: "it is empty; \(Self.expected)"
        case .tooLong(let count): "it has \(count) bytes; expected at most \(AddressText.longest)"
        case .scheme: "it begins with neither smp:// nor xftp://; \(Self.expected)"
        case .noKeyHash: "it has no @ after a key hash; \(Self.expected)"
        case .keyHash(let problem):
            "its key hash \(problem.message); expected 43 characters of base64url and one \"=\""
        case .emptyPassword: "its password is empty; expected one after the colon, or no colon"
        case .passwordCharacter:
            "its password has a character that is not allowed; expected visible ASCII without @, : and /"
        case .host(let hosts, let problem):
            "its host \"\(hosts)\" \(problem.message); \(HostProblem.expected)"
        case .port(let port): "its port is \"\(port)\"; expected a number from 1 to 65535"
        }
    }
}
