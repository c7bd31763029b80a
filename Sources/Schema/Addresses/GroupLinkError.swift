/// Why a text is not the link of a group or channel: what was given, what is wrong, what is expected.
public struct GroupLinkError: ChatDBError, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Problem: Error, Hashable, Sendable {
        /// Nothing, or blanks only.
        case empty
        /// So many bytes.
        case tooLong(Int)
        /// A character that no link has, named as people can read it.
        case character(String)
        /// Neither `simplex:/` nor `https://`.
        case scheme
        /// The host as given, and what is wrong with it.
        case host(String, HostProblem)
        /// A short `simplex:` link without `h=`.
        case noHost
        /// Another link of the app, with its article.
        case otherLink(String)
        /// What stands before the `#` is no type of link.
        case linkType(String)
        /// Nothing follows a `#`, or there is none.
        case noKey
        /// The key of a short link is not 32 bytes in base64url.
        case key(KeyProblem)
        /// Two links that are both short, or both full.
        case sameForm
    }

    /// The beginning of what was given, safe to print; what follows a `#` opens the group and is left out.
    public let given: String
    /// What is wrong.
    public let problem: Problem

    init(text: String, problem: Problem) {
        let hash = text.firstIndex(of: "#")
        let isPassword = text.contains("@")
        given = isPassword ? "…" : AddressText.excerpt(text[..<(hash ?? text.endIndex)]) + (hash == nil ? "" : "#…")
        self.problem = problem
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        if problem == .empty { return "the link of the group is empty; \(Self.expected)" }
        return "\"\(given)\" is not the link of a group or channel: \(reason)"
    }

    /// What a report says about the error.
    public var info: ErrorInfo { ErrorInfo(.invalid, "invalidGroupLink", message) }

    /// The same as ``message``.
    public var description: String { message }

    private static let expected =
        "expected https://<host>/c#<key>, https://<host>/g#<key> or a full link, …/contact#/?…"

    private var reason: String {
        switch problem {
        case .empty: "it is empty; \(Self.expected)"
        case .tooLong(let count): "it has \(count) bytes; expected at most \(AddressText.longest)"
        case .character(let name): "it has the character \(name); expected a link without blanks and special characters"
        case .scheme: "it begins with neither https:// nor simplex:/; \(Self.expected)"
        case .host(let host, let problem): "its host \"\(host)\" \(problem.message); \(HostProblem.expected)"
        case .noHost: "it names no host; expected ?h=<host> at its end"
        case .otherLink(let kind): "it is \(kind); \(Self.expected)"
        case .linkType(let type): "\"\(type)\" is no type of link; \(Self.expected)"
        case .noKey: "it has no key; \(Self.expected)"
        case .key(let problem): "its key \(problem.message); expected 43 characters of base64url without padding"
        case .sameForm: "it is of the same form as the other link; expected a short and a full one"
        }
    }
}
