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

    /// What the user gave, without blanks at both ends: what is stored and shown.
    public let text: String
    /// The form of the link.
    public let scheme: Scheme
    /// What the link leads to.
    public let linkType: LinkType
    /// 32 bytes as 43 characters of base64url.
    public let key: String
    /// The names of the server as given, at least one; the first is primary.
    public let hosts: [String]
    /// The port; none is the default one.
    public let port: UInt16?
    /// The hash of the server's certificate, 43 characters of base64url; none for servers the app knows.
    public let keyHash: String?
    /// What makes two addresses the same relay, as one stable text: type, key and lower-case primary host.
    /// Stored in `chat_relays.address_key`; its form never changes.
    public let addressKey: String

    /// Reads an address. Blanks at both ends are dropped; the rest is kept as it was given.
    public init(_ given: String) throws(RelayAddressError) {
        self = try RelayAddressParser.parse(given)
    }

    init(
        text: String, scheme: Scheme, linkType: LinkType, key: String, hosts: [String], port: UInt16?, keyHash: String?
    ) {
        self.text = text
        self.scheme = scheme
        self.linkType = linkType
        self.key = key
        self.hosts = hosts
        self.port = port
        self.keyHash = keyHash
        let host = (hosts.first ?? "").lowercased()
        var text = ""
        // Presets have very many addresses: one piece of memory for each key.
        text.reserveCapacity(key.utf8.count + host.utf8.count + 3)
        for part in [linkType.rawValue, "#", key, "@", host] { text += part }
        addressKey = text
    }

    /// The name the server is known by, as given.
    public var primaryHost: String { hosts.first ?? "" }

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
}
