/// The link of a group or channel: a short one, a full one, or both of the same group.
///
/// - short: `https://<host>/<t>#<key>` or `simplex:/<t>#<key>?h=<host>`, `<t>` is `c` for a channel, `g` for a group
/// - full: `https://<host>/contact#/?…` or `simplex:/contact#/?…`
///
/// Two links are the same when their texts are. Rule: docs/domain.md, "Prepared groups".
public struct GroupLink: Hashable, Sendable, CustomStringConvertible {
    /// The full link, or nil.
    public let full: String?
    /// The short link, or nil; one of the two is there.
    public let short: String?

    /// Reads a link of either form. Blanks at both ends are dropped; the rest is kept as it was given.
    public init(_ given: String) throws(GroupLinkError) {
        let text = AddressText.trimmed(given)
        do throws(GroupLinkError.Problem) {
            let isShort = try GroupLinkParser.isShort(text)
            (full, short) = isShort ? (nil, text) : (text, nil)
        } catch {
            throw GroupLinkError(text: text, problem: error)
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

    /// What a database holds, unchecked; nil when it holds neither.
    package init?(storedFull full: String?, short: String?) {
        if full == nil, short == nil { return nil }
        (self.full, self.short) = (full, short)
    }

    /// The short link, or else the full one.
    public var text: String { short ?? full ?? "" }

    /// Whether it says that it is of a channel: a short link with `/c#`. A full link does not say.
    public var isOfChannel: Bool { short?.contains("/c#") == true }

    /// Both texts, those there are.
    public var texts: [String] { [full, short].compactMap(\.self) }

    /// The same as ``text``.
    public var description: String { text }
}

/// Tells short links of groups from full ones, and both from everything else.
enum GroupLinkParser {
    static func isShort(_ text: String) throws(GroupLinkError.Problem) -> Bool {
        if text.isEmpty { throw .empty }
        if text.utf8.count > AddressText.longest { throw .tooLong(text.utf8.count) }
        if let scalar = AddressText.foreignScalar(in: text) { throw .character(AddressText.name(of: scalar)) }
        let (isHTTPS, rest) = try path(of: text)
        guard let hash = rest.firstIndex(of: "#") else { throw .noKey }
        let fragment = rest[rest.index(after: hash)...]
        switch rest[..<hash] {
        case "c", "g":
            let key = fragment.prefix { $0 != "?" }
            do throws(KeyProblem) { try KeyText.check(key) } catch { throw .key(error) }
            // Without a host in front there is one behind.
            if !isHTTPS, linkHost(text) == text { throw .noHost }
            return true
        case "contact", "contact/":
            if fragment.isEmpty || fragment == "/" || fragment == "/?" { throw .noKey }
            return false
        case "r": throw .otherLink("the address of a relay")
        case "a": throw .otherLink("a contact address")
        case "i": throw .otherLink("a one-time invitation link")
        case "invitation", "invitation/": throw .otherLink("a one-time invitation link in its long form")
        default: throw .linkType(AddressText.excerpt(rest[..<hash], longest: 20))
        }
    }

    /// Whether the link names its host in front, and what follows the slash.
    private static func path(of text: String) throws(GroupLinkError.Problem) -> (isHTTPS: Bool, Substring) {
        let lower = text.prefix(9).lowercased()
        if lower.hasPrefix("simplex:/") { return (false, text.dropFirst(9)) }
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
        return (true, rest[rest.index(after: host.endIndex)...])
    }
}
