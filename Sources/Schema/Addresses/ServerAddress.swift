/// The protocol of a server. Closed: a server with another protocol, from a newer app, stays in the store unread.
public enum ServerProtocol: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
    /// Messages.
    case smp
    /// Files.
    case xftp

    /// The text as it is stored, and the scheme of an address: `smp` or `xftp`.
    public var text: String { rawValue }

    /// The name on screens: `SMP` or `XFTP`.
    public var shownName: String {
        switch self {
        case .smp: "SMP"
        case .xftp: "XFTP"
        }
    }

    /// `smp` or `xftp`.
    public var description: String { rawValue }
}

/// The address of an SMP or XFTP server:
/// `smp://<key hash>[:<password>]@<host>[,<host>…][:<port>]`, likewise `xftp://`.
/// The key hash may be given without its `=`; it is always written with it.
/// The password is a secret: neither the description, nor a dump, nor an error shows it.
/// Rule: docs/domain.md, "Operators and servers".
public struct ServerAddress: Hashable, Sendable {
    /// The protocol of the server.
    public let serverProtocol: ServerProtocol
    /// The hash of the server's certificate: 32 bytes as 43 characters of base64url and a `=`.
    public let keyHash: String
    /// The password for creating queues or files there; nil for open servers.
    public let password: String?
    /// The host names as given, at least one; the first is primary.
    public let hosts: [String]
    /// The port; nil for the default one.
    public let port: UInt16?

    /// Parses an address. Removes white space at both ends.
    public init(_ given: String) throws(ServerAddressError) {
        self = try ServerAddressParser.parse(given)
    }

    /// Makes an address from parts that are stored separately, with the same checks as for a text.
    public init(
        _ serverProtocol: ServerProtocol, keyHash: String, password: String? = nil, hosts: [String],
        port: UInt16? = nil
    ) throws(ServerAddressError) {
        let checkedHash: String
        do throws(ServerAddressError.Problem) {
            checkedHash = try ServerAddressParser.checked(keyHash: keyHash)
            if let password { try ServerAddressParser.check(password: password) }
            try ServerAddressParser.check(hosts: hosts)
            if port == 0 { throw .port("0") }
        } catch {
            throw ServerAddressError(serverProtocol: serverProtocol, problem: error)
        }
        self.init(serverProtocol: serverProtocol, keyHash: checkedHash, password: password, hosts: hosts, port: port)
    }

    init(serverProtocol: ServerProtocol, keyHash: String, password: String?, hosts: [String], port: UInt16?) {
        self.serverProtocol = serverProtocol
        self.keyHash = keyHash
        self.password = password
        self.hosts = hosts
        self.port = port
    }

    /// The first host name, as given.
    public var primaryHost: String { hosts.first ?? "" }

    /// The address as text. With the password, parsing it gives the same address; without, the same except
    /// the password.
    public func text(withPassword: Bool) -> String {
        let secret = withPassword ? password.map { ":" + $0 } ?? "" : ""
        let end = port.map { ":\($0)" } ?? ""
        return "\(serverProtocol.text)://\(keyHash)\(secret)@\(hosts.joined(separator: ","))\(end)"
    }
}

extension ServerAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text without the password.
    public var description: String { text(withPassword: false) }

    /// The text without the password.
    public var debugDescription: String { description }

    /// No parts, so that dumping the value does not show the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The reason why a text is not the address of a server, with the expected form. It never carries the password.
public struct ServerAddressError: ChatDBError, Hashable, Sendable, CustomStringConvertible {
    /// The fault.
    public enum Problem: Error, Hashable, Sendable {
        /// The text is empty or white space.
        case empty
        /// The text is too long; its number of bytes.
        case tooLong(Int)
        /// The text begins with neither `smp://` nor `xftp://`.
        case scheme
        /// There is no `@`, so no key hash.
        case noKeyHash
        /// The key hash is not 32 bytes in base64url.
        case keyHash(KeyProblem)
        /// Nothing follows the colon after the key hash.
        case emptyPassword
        /// The password has a blank, a control character, `@`, `:`, `/`, or one that is not ASCII.
        case passwordCharacter
        /// The hosts as given, unless there is a password, and the fault of one of them.
        case host(String, HostProblem)
        /// The port as given, unless there is a password.
        case port(String)
    }

    /// The protocol, as far as it could be read.
    public let serverProtocol: ServerProtocol?
    /// The fault.
    public let problem: Problem

    /// The whole sentence, without a full stop.
    public var message: String {
        let name = serverProtocol.map { "this \($0.text):// address" } ?? "this"
        return "\(name) is not the address of a server: \(reason)"
    }

    /// The kind, code, message and details of the error.
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
            "its key hash \(problem.message); expected 43 characters of base64url, with or without one \"=\" at the end"
        case .emptyPassword: "its password is empty; expected one after the colon, or no colon"
        case .passwordCharacter:
            "its password has a character that is not allowed; expected visible ASCII without @, : and /"
        case .host(let hosts, let problem):
            "its host \"\(hosts)\" \(problem.message); \(HostProblem.expected)"
        case .port(let port): "its port is \"\(port)\"; expected a number from 1 to 65535"
        }
    }
}

/// The hash of a server's certificate as a text.
package enum ServerKeyHash {
    /// The one text of a stored key hash, with its `=`. Stores of other apps may have it without. A text that is not a
    /// key hash is returned as it is.
    package static func text(_ stored: String) -> String {
        guard stored.utf8.count == KeyText.length, (try? KeyText.check(stored)) != nil else { return stored }
        return stored + "="
    }

    /// The texts with which a key hash may be stored: with its `=`, and without.
    package static func texts(_ keyHash: String) -> [String] {
        let text = text(keyHash)
        guard text.hasSuffix("="), (try? KeyText.checkedUnpadded(text)) != nil else { return [text] }
        return [text, String(text.dropLast())]
    }
}

/// The parser of server addresses.
enum ServerAddressParser {
    static func parse(_ given: String) throws(ServerAddressError) -> ServerAddress {
        let text = AddressText.trimmed(given)
        var found: ServerProtocol?
        do throws(ServerAddressError.Problem) {
            if text.isEmpty { throw .empty }
            if text.utf8.count > AddressText.longest { throw .tooLong(text.utf8.count) }
            let lower = text.prefix(8).lowercased()
            guard let server = ServerProtocol.allCases.first(where: { lower.hasPrefix($0.text + "://") }) else {
                throw .scheme
            }
            found = server
            return try parts(of: text.dropFirst(server.text.count + 3), server)
        } catch {
            throw ServerAddressError(serverProtocol: found, problem: error)
        }
    }

    private static func parts(
        of text: Substring, _ server: ServerProtocol
    ) throws(ServerAddressError.Problem) -> ServerAddress {
        // The last one, so that an `@` in a password is refused instead of read as the end of it.
        guard let at = text.lastIndex(of: "@") else { throw .noKeyHash }
        let before = text[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let password = before.count == 2 ? String(before[1]) : nil
        if let password { try check(password: password) }
        let keyHash = try checked(keyHash: before.first ?? "")
        let (hosts, port) = try hostsAndPort(text[text.index(after: at)...], mayBeShown: password == nil)
        return ServerAddress(serverProtocol: server, keyHash: keyHash, password: password, hosts: hosts, port: port)
    }

    private static func hostsAndPort(
        _ text: Substring, mayBeShown: Bool
    ) throws(ServerAddressError.Problem) -> ([String], UInt16?) {
        var names = text
        var port: UInt16?
        // A colon before a comma or a bracket does not precede the port: it is part of an IPv6 address, or misplaced.
        if let colon = text.lastIndex(of: ":"), !text[colon...].contains(where: { $0 == "," || $0 == "]" }) {
            let number = text[text.index(after: colon)...]
            guard let value = AddressText.port(number) else {
                throw .port(mayBeShown ? AddressText.excerpt(number, longest: 20) : "…")
            }
            port = value
            names = text[..<colon]
        }
        do throws(HostProblem) {
            return (try HostText.list(names), port)
        } catch {
            throw .host(mayBeShown ? AddressText.excerpt(names) : "…", error)
        }
    }

    /// The key hash with its `=`.
    static func checked(keyHash: some StringProtocol) throws(ServerAddressError.Problem) -> String {
        do throws(KeyProblem) { return try KeyText.checkedUnpadded(keyHash) + "=" } catch { throw .keyHash(error) }
    }

    /// Visible ASCII, without the separators of an address.
    static func check(password: String) throws(ServerAddressError.Problem) {
        if password.isEmpty { throw .emptyPassword }
        let isRight = password.unicodeScalars.allSatisfy { scalar in
            (0x21...0x7E).contains(scalar.value) && !"@:/".unicodeScalars.contains(scalar)
        }
        if !isRight { throw .passwordCharacter }
    }

    static func check(hosts: [String]) throws(ServerAddressError.Problem) {
        let joined = hosts.joined(separator: ",")
        do throws(HostProblem) {
            // Read as a list, because a comma within one host would make it two.
            if try HostText.list(joined).count != hosts.count { throw .character("\",\"") }
        } catch {
            throw .host(AddressText.excerpt(joined), error)
        }
    }
}
