/// The link of a group or channel: a short one, a full one, or both of the same group.
///
/// - short: `https://<host>/<t>#<key>` or `simplex:/<t>#<key>?h=<host>`, `<t>` is `c` for a channel, `g` for a group
/// - full: `https://<host>/contact#/?…` or `simplex:/contact#/?…`, with a queue in `smp`
///
/// The site of the app, `simplex.chat`, is not a server: a short link to it needs `h=` too.
///
/// Two links are equal when their texts are. Two spellings of one link differ in their texts: ask
/// ``isSameGroup(as:)``. Rule: docs/domain.md, "Prepared groups".
public struct GroupLink: Hashable, Sendable, CustomStringConvertible {
    /// The full link; nil when only the short one is known.
    public let full: String?
    /// The short link; nil when only the full one is known.
    public let short: String?

    /// Parses a link of either form. Removes white space at both ends and keeps the rest unchanged.
    public init(_ given: String) throws(GroupLinkError) {
        let text = AddressText.trimmed(given)
        do throws(GroupLinkError.Problem) {
            let isShort = try GroupLinkParser.isShort(text)
            (full, short) = isShort ? (nil, text) : (text, nil)
        } catch {
            throw GroupLinkError(text: text, problem: error)
        }
    }

    /// Checks the link that a relay made for a channel: a short link of any kind, also one with `/r#` or `/a#`, or a
    /// full link. Removes white space at both ends.
    package static func checkLinkOfRelay(_ given: String) throws(GroupLinkError) {
        let text = AddressText.trimmed(given)
        do throws(GroupLinkError.Problem) {
            _ = try GroupLinkParser.isShort(text, ofRelay: true)
        } catch {
            throw GroupLinkError(text: text, problem: error, isOfRelay: true)
        }
    }

    /// Two forms of one link, in either order. Throws when both are of the same form.
    public init(_ first: String, _ second: String) throws(GroupLinkError) {
        let (one, other) = (try GroupLink(first), try GroupLink(second))
        guard let full = one.full ?? other.full, let short = one.short ?? other.short else {
            throw GroupLinkError(text: other.text, problem: .sameForm)
        }
        (self.full, self.short) = (full, short)
    }

    /// The stored texts, unchecked; nil when both are nil.
    package init?(storedFull full: String?, short: String?) {
        if full == nil, short == nil { return nil }
        (self.full, self.short) = (full, short)
    }

    /// The short link, or else the full one.
    public var text: String { short ?? full ?? "" }

    /// Whether the link is a short link of a channel, with `/c#`. A full link does not show its kind.
    public var isOfChannel: Bool { short?.contains("/c#") == true }

    /// Whether the link is a short link of a group, with `/g#`. A full link does not show its kind.
    package var isOfGroup: Bool { short?.contains("/g#") == true }

    /// The full link and the short link, as far as they are known.
    public var texts: [String] { [full, short].compactMap(\.self) }

    /// The keys of the full link and the short link, as far as they have one; see ``LinkKey``.
    package var keys: [String] { LinkKey.all(of: texts) }

    /// Whether both lead to the same group: they have a form in common, in any spelling. Ignores the scheme, the case
    /// of the host, further hosts, the port and the key hash. A full and a short link cannot be compared.
    public func isSameGroup(as other: GroupLink) -> Bool {
        let (texts, keys) = (Set(texts), Set(keys))
        return other.texts.contains(where: texts.contains) || other.keys.contains(where: keys.contains)
    }

    /// The same as ``text``.
    public var description: String { text }
}

/// The parser of group links: distinguishes short links, full links and everything else.
enum GroupLinkParser {
    /// - Parameter ofRelay: whether a relay made the link, which then may be a short link of any kind.
    static func isShort(_ text: String, ofRelay: Bool = false) throws(GroupLinkError.Problem) -> Bool {
        if text.isEmpty { throw .empty }
        if text.utf8.count > AddressText.longest { throw .tooLong(text.utf8.count) }
        if let scalar = AddressText.foreignScalar(in: text) { throw .character(AddressText.name(of: scalar)) }
        let rest = try path(of: text)
        guard let hash = rest.firstIndex(of: "#") else { throw .noKey }
        let fragment = rest[rest.index(after: hash)...]
        switch rest[..<hash] {
        case "c", "g",
            "r" where ofRelay, "a" where ofRelay:
            let key = fragment.prefix { $0 != "?" }
            do throws(KeyProblem) { try KeyText.check(key) } catch { throw .key(error) }
            // Without a server in front there is one behind.
            if LinkKey.of(text) == nil { throw .noHost }
            return true
        case "contact", "contact/":
            if fragment.isEmpty || fragment == "/" || fragment == "/?" { throw .noKey }
            if LinkKey.of(text) == nil { throw .noQueue }
            return false
        case "r": throw .otherLink("the address of a relay")
        case "a": throw .otherLink("a contact address")
        case "i": throw .otherLink("a one-time invitation link")
        case "invitation", "invitation/": throw .otherLink("a one-time invitation link in its long form")
        default: throw .linkType(AddressText.excerpt(rest[..<hash], longest: 20))
        }
    }

    /// The rest after the slash.
    private static func path(of text: String) throws(GroupLinkError.Problem) -> Substring {
        let lower = text.prefix(9).lowercased()
        if lower.hasPrefix("simplex:/") { return text.dropFirst(9) }
        guard lower.hasPrefix("https://") else { throw .scheme }
        let rest = text.dropFirst(8)
        let host = rest.prefix { !"/?#".contains($0) }
        // Before the `@` may be a password: not shown.
        if host.contains("@") { throw .host("…", .character("\"@\"")) }
        do throws(HostProblem) {
            try HostText.check(host)
        } catch {
            throw .host(AddressText.excerpt(host), error)
        }
        guard host.endIndex < rest.endIndex, rest[host.endIndex] == "/" else { throw .noKey }
        return rest[rest.index(after: host.endIndex)...]
    }
}

/// The reason why a text is not the link of a group or channel, with the expected form.
public struct GroupLinkError: ChatDBError, Hashable, Sendable, CustomStringConvertible {
    /// The fault.
    public enum Problem: Error, Hashable, Sendable {
        /// The text is empty or white space.
        case empty
        /// The text is too long; its number of bytes.
        case tooLong(Int)
        /// The readable name of a character that no link may have.
        case character(String)
        /// The text begins with neither `simplex:/` nor `https://`.
        case scheme
        /// The host as given, and its fault.
        case host(String, HostProblem)
        /// A short link without `h=`, of the scheme `simplex:` or to the site of the app, which is no server.
        case noHost
        /// A full link without a queue of a server.
        case noQueue
        /// The short link of a group, where a channel needs one of its own kind.
        case ofGroup
        /// Another link of the app, with its article.
        case otherLink(String)
        /// The text before the `#` is not a type of link.
        case linkType(String)
        /// The text has no `#`, or nothing after it.
        case noKey
        /// The key of a short link is not 32 bytes in base64url.
        case key(KeyProblem)
        /// Two links that are both short, or both full.
        case sameForm
    }

    /// The beginning of the given text, safe to print. Leaves out what follows a `#`, because it opens the group.
    public let given: String
    /// The fault.
    public let problem: Problem
    /// Whether the text was given as the link of a relay for a channel.
    private let isOfRelay: Bool

    package init(text: String, problem: Problem, isOfRelay: Bool = false) {
        let hash = text.firstIndex(of: "#")
        let isPassword = text.contains("@")
        given = isPassword ? "…" : AddressText.excerpt(text[..<(hash ?? text.endIndex)]) + (hash == nil ? "" : "#…")
        self.problem = problem
        self.isOfRelay = isOfRelay
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        if isOfRelay { return "\"\(given)\" is not the link of a relay for a channel: \(reason)" }
        if problem == .empty { return "the link of the group is empty; \(expected)" }
        if problem == .ofGroup {
            return "\"\(given)\" is the link of a group and not of a channel; expected https://<host>/c#<key>"
        }
        return "\"\(given)\" is not the link of a group or channel: \(reason)"
    }

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo { ErrorInfo(.invalid, "invalidGroupLink", message) }

    /// The same as ``message``.
    public var description: String { message }

    private var expected: String {
        "expected https://<host>/c#<key>, https://<host>/\(isOfRelay ? "r" : "g")#<key> or a full link, …/contact#/?…"
    }

    private var reason: String {
        switch problem {
        case .empty: "it is empty; \(expected)"
        case .tooLong(let count): "it has \(count) bytes; expected at most \(AddressText.longest)"
        case .character(let name): "it has the character \(name); expected a link without blanks and special characters"
        case .scheme: "it begins with neither https:// nor simplex:/; \(expected)"
        case .host(let host, let problem): "its host \"\(host)\" \(problem.message); \(HostProblem.expected)"
        case .noHost: "it names no host; expected ?h=<host> at its end"
        case .noQueue: "it names no queue of a server; expected smp=<queue> in it"
        case .ofGroup: "it is the link of a group"
        case .otherLink(let kind): "it is \(kind); \(expected)"
        case .linkType(let type): "\"\(type)\" is no type of link; \(expected)"
        case .noKey: "it has no key; \(expected)"
        case .key(let problem): "its key \(problem.message); expected 43 characters of base64url without padding"
        case .sameForm: "it is of the same form as the other link; expected a short and a full one"
        }
    }
}
