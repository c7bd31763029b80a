/// The reason why a text is not the address of a relay, with the expected form.
public struct RelayAddressError: ChatDBError, Hashable, Sendable, CustomStringConvertible {
    /// A link of the app that leads to something else than a relay.
    public enum OtherLink: String, Hashable, Sendable, CaseIterable {
        /// Leads to a channel.
        case channel = "c"
        /// Leads to a group.
        case group = "g"
        /// Invites one person, once.
        case invitation = "i"
        /// A contact address in its long form.
        case longContact = "contact"
        /// An invitation in its long form.
        case longInvitation = "invitation"

        /// Its name with an article, for a sentence.
        public var shownName: String {
            switch self {
            case .channel: "a channel link"
            case .group: "a group link"
            case .invitation: "a one-time invitation link"
            case .longContact: "a contact address in its long form"
            case .longInvitation: "a one-time invitation link in its long form"
            }
        }
    }

    /// The fault.
    public enum Problem: Error, Hashable, Sendable {
        /// The text is empty or white space.
        case empty
        /// The text is too long; its number of bytes.
        case tooLong(Int)
        /// The readable name of a character that no address may have, such as a control character.
        case character(String)
        /// The text begins with neither `simplex:/` nor `https://`.
        case scheme
        /// The address of a server, not of a relay.
        case serverAddress(ServerProtocol)
        /// Another link of the app.
        case otherLink(OtherLink)
        /// The text before the `#` is not a type of link.
        case linkType(String)
        /// There is no `/<type>#<key>`.
        case noKey
        /// The key is not 32 bytes in base64url.
        case key(KeyProblem)
        /// A `simplex:` link without `h=`.
        case noHost
        /// The list of hosts as given, and the fault of one of them.
        case host(String, HostProblem)
        /// `https://host:port/…`: the port of a relay is a parameter.
        case portBesideHost
        /// The port as given.
        case port(String)
        /// `c=` is not 32 bytes in base64url.
        case keyHash(KeyProblem)
        /// A parameter other than `h`, `p`, `c`.
        case unknownParameter(String)
        /// A parameter that occurs twice.
        case repeatedParameter(String)
        /// A parameter without a value.
        case emptyParameter(String)
        /// A percent sign without two hexadecimal digits in the value of this parameter.
        case percentEncoding(String)
    }

    /// The beginning of the given text, safe to print, without keys and passwords.
    public let given: String
    /// The fault.
    public let problem: Problem

    init(text: String, problem: Problem) {
        self.given = Self.excerpt(text)
        self.problem = problem
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        if problem == .empty { return "the address of the relay is empty; \(Self.expected)" }
        return "\"\(given)\" is not the address of a relay: \(reason)"
    }

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo { ErrorInfo(.invalid, "invalidRelayAddress", message) }

    /// The same as ``message``.
    public var description: String { message }

    /// Leaves out what follows a `#`, which may be the secret of an invitation, and what precedes an `@`: a password.
    private static func excerpt(_ text: String) -> String {
        let scalars = text.unicodeScalars
        if scalars.contains("@") {
            let scheme = scalars.prefix { ("a"..."z").contains($0) || ("A"..."Z").contains($0) }
            let isScheme = scalars[scheme.endIndex...].starts(with: "://".unicodeScalars)
            return (isScheme ? AddressText.excerpt(String(scheme)) + "://" : "") + "…"
        }
        guard let hash = scalars.firstIndex(of: "#") else { return AddressText.excerpt(text) }
        return AddressText.excerpt(text[...hash]) + "…"
    }

    private static let expected =
        "expected https://<host>/r#<key> or simplex:/r#<key>?h=<host> (r for a relay, a for a contact address)"
    private static let key = "expected 43 characters of base64url without padding"

    private var reason: String {
        switch problem {
        case .empty: "it is empty; \(Self.expected)"
        case .tooLong(let count): "it has \(count) bytes; expected at most \(AddressText.longest)"
        case .character(let name): "it has the character \(name); expected a link without blanks and special characters"
        case .scheme: "it begins with neither https:// nor simplex:/; \(Self.expected)"
        case .serverAddress(let server): "it is the address of an \(server.shownName) server; \(Self.expected)"
        case .otherLink(let link): "it is \(link.shownName); \(Self.expected)"
        case .linkType(let type): "\"\(type)\" is no type of link; \(Self.expected)"
        case .noKey: "it has no key; \(Self.expected)"
        case .key(let problem): "its key \(problem.message); \(Self.key)"
        case .noHost: "it names no host; \(Self.expected)"
        case .host(let host, let problem): "its host \"\(host)\" \(problem.message); \(HostProblem.expected)"
        case .portBesideHost: "its port stands beside the host; expected it as a parameter, ?p=<port>"
        case .port(let port): "its port is \"\(port)\"; expected a number from 1 to 65535"
        case .keyHash(let problem): "its key hash (c=) \(problem.message); \(Self.key)"
        case .unknownParameter(let name): "it has an unknown parameter \"\(name)\"; expected h, p or c"
        case .repeatedParameter(let name): "its parameter \(name) is there twice; expected it once"
        case .emptyParameter(let name): "its parameter \(name) is empty; expected a value, or no such parameter"
        case .percentEncoding(let name):
            "its parameter \(name) has a percent sign without two hexadecimal digits; expected %XX or none"
        }
    }
}
