/// The address of a relay: a short link, in either of its two forms.
///
/// - `simplex:/<t>#<key>?h=<host>[,<host>…][&p=<port>][&c=<key hash>]`
/// - `https://<host>/<t>#<key>[?h=<more hosts>][&p=<port>][&c=<key hash>]`
///
/// Two addresses of one relay may differ in their text: ask ``isSameRelay(as:)`` or compare ``addressKey``.
/// Rule: docs/domain.md, "Chat relays", Address.
public struct RelayAddress: Hashable, Sendable, CustomStringConvertible {
    /// The two forms of a link.
    public enum Scheme: String, Hashable, Sendable, CaseIterable {
        /// `simplex:/…`, which opens the app.
        case simplex
        /// `https://…`, which opens a page of the server.
        case https
    }

    /// What the link leads to.
    public enum LinkType: String, Hashable, Sendable, CaseIterable {
        /// The address of a relay.
        case relay = "r"
        /// A contact address, at which a relay can be found too.
        case contact = "a"
    }

    /// What was read. Presets have very many addresses, which are handed on again and again: each is one piece of memory.
    private let parts: Parts

    /// Reads an address. Blanks at both ends are dropped; the rest is kept as it was given.
    public init(_ given: String) throws(RelayAddressError) {
        parts = try RelayAddressParser.parse(given)
    }

    /// What the user gave, without blanks at both ends: what is stored and shown.
    public var text: String { parts.text }
    /// The form of the link.
    public var scheme: Scheme { parts.scheme }
    /// What the link leads to.
    public var linkType: LinkType { parts.linkType }
    /// The port; none is the default one.
    public var port: UInt16? { parts.port }
    /// The hash of the server's certificate, 43 characters of base64url; none for servers the app knows.
    public var keyHash: String? { parts.keyHash }
    /// What makes two addresses the same relay, as one stable text: type, key and lower-case primary host.
    /// Stored in `chat_relays.address_key`; its form never changes.
    public var addressKey: String { parts.addressKey }

    /// 32 bytes as 43 characters of base64url.
    public var key: String { String(decoding: addressKey.utf8.dropFirst(2).prefix(KeyText.length), as: UTF8.self) }

    /// The names of the server as given, at least one; the first is primary.
    public var hosts: [String] { scheme == .https ? [primaryHost] + parts.listedHosts : parts.listedHosts }

    /// The name the server is known by, as given.
    public var primaryHost: String {
        guard scheme == .https else { return parts.listedHosts.first ?? "" }
        return String(decoding: text.utf8.dropFirst(8).prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
    }

    /// Whether both lead to the same relay, whatever their scheme, further hosts, port and key hash.
    public func isSameRelay(as other: RelayAddress) -> Bool { addressKey == other.addressKey }

    /// The address in its canonical text: hosts in lower case, parameters in the order `h`, `p`, `c`,
    /// nothing percent-encoded. Reading it gives an address with the same parts.
    public var rendered: String {
        let names = hosts.map { $0.lowercased() }
        var parameters: [String] = []
        let begin: String
        switch scheme {
        case .simplex:
            begin = "simplex:"
            parameters.append("h=" + names.joined(separator: ","))
        case .https:
            begin = "https://" + (names.first ?? "")
            if names.count > 1 { parameters.append("h=" + names.dropFirst().joined(separator: ",")) }
        }
        if let port { parameters.append("p=\(port)") }
        if let keyHash { parameters.append("c=" + keyHash) }
        let link = "\(begin)/\(linkType.rawValue)#\(key)"
        return parameters.isEmpty ? link : link + "?" + parameters.joined(separator: "&")
    }

    /// The text as the user gave it.
    public var description: String { text }

    /// The same text has the same parts.
    public static func == (left: RelayAddress, right: RelayAddress) -> Bool { left.text == right.text }

    /// By the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension RelayAddress {
    /// What the text of an address says. What stands in one of its texts as it is has no text of its own.
    final class Parts: Sendable {
        let text: String
        let scheme: Scheme
        let linkType: LinkType
        let addressKey: String
        /// The hosts that the parameters name: all of a `simplex:` link, the further ones of an `https` link.
        let listedHosts: [String]
        let port: UInt16?
        let keyHash: String?

        init(
            text: String, scheme: Scheme, linkType: LinkType, addressKey: String, listedHosts: [String], port: UInt16?,
            keyHash: String?
        ) {
            self.text = text
            self.scheme = scheme
            self.linkType = linkType
            self.addressKey = addressKey
            self.listedHosts = listedHosts
            self.port = port
            self.keyHash = keyHash
        }
    }
}
