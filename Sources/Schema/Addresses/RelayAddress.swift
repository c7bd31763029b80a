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

    /// The kind of thing the link leads to.
    public enum LinkType: String, Hashable, Sendable, CaseIterable {
        /// The address of a relay.
        case relay = "r"
        /// A contact address; a relay can have one too.
        case contact = "a"
    }

    /// The parts. A class, because presets have many addresses that are passed on often: a copy costs one reference.
    private let parts: Parts

    /// Parses an address. Removes white space at both ends and keeps the rest unchanged.
    public init(_ given: String) throws(RelayAddressError) {
        parts = try RelayAddressParser.parse(given)
    }

    /// The text that the user gave, without white space at both ends, and with the key hash without its `=`; stored and
    /// shown.
    public var text: String { parts.text }
    /// The form of the link.
    public var scheme: Scheme { parts.scheme }
    /// The kind of thing the link leads to.
    public var linkType: LinkType { parts.linkType }
    /// The port; nil for the default one.
    public var port: UInt16? { parts.port }
    /// The hash of the server's certificate, 43 characters of base64url without the `=`, which may be given; nil for
    /// servers that the app knows.
    public var keyHash: String? { parts.keyHash }
    /// A stable text that is the same for all addresses of one relay: type, key and lower-case primary host.
    /// Stored in `chat_relays.address_key`; its form never changes.
    public var addressKey: String { parts.addressKey ?? PlainRelayLink.addressKey(of: text) }

    /// 32 bytes as 43 characters of base64url.
    public var key: String { String(decoding: addressKey.utf8.dropFirst(2).prefix(KeyText.length), as: UTF8.self) }

    /// The host names as given, at least one; the first is primary.
    public var hosts: [String] { scheme == .https ? [primaryHost] + parts.listedHosts : parts.listedHosts }

    /// The first host name, as given.
    public var primaryHost: String {
        guard scheme == .https else { return parts.listedHosts.first ?? "" }
        return String(decoding: text.utf8.dropFirst(8).prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
    }

    /// Whether both lead to the same relay. Ignores scheme, further hosts, port and key hash.
    public func isSameRelay(as other: RelayAddress) -> Bool { addressKey == other.addressKey }

    /// The address in its canonical text: hosts in lower case, parameters in the order `h`, `p`, `c`,
    /// nothing percent-encoded. Parsing it gives an address with the same parts.
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

    /// Compares the texts: the same text has the same parts.
    public static func == (left: RelayAddress, right: RelayAddress) -> Bool { left.text == right.text }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension RelayAddress {
    /// The parsed parts of an address. A part that is a slice of `text` or `addressKey` is not stored again.
    final class Parts: Sendable {
        let text: String
        let scheme: Scheme
        let linkType: LinkType
        /// Nil for a plain link, from whose text it is taken.
        let addressKey: String?
        /// The hosts in the parameters: all of a `simplex:` link, the further ones of an `https` link.
        let listedHosts: [String]
        let port: UInt16?
        let keyHash: String?

        init(
            text: String, scheme: Scheme, linkType: LinkType, addressKey: String?, listedHosts: [String], port: UInt16?,
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

/// The parser of relay addresses. After the first check all is ASCII, so bytes are characters. It reads
/// bytes, because presets have many addresses and characters are slow.
enum RelayAddressParser {
    static func parse(_ given: String) throws(RelayAddressError) -> RelayAddress.Parts {
        let text = AddressText.trimmed(given)
        if let parts = PlainRelayLink.parts(of: text) { return parts }
        do throws(RelayAddressError.Problem) {
            return try parts(of: text)
        } catch {
            throw RelayAddressError(text: text, problem: error)
        }
    }

    static func parts(of text: String) throws(RelayAddressError.Problem) -> RelayAddress.Parts {
        if text.isEmpty { throw .empty }
        if text.utf8.count > AddressText.longest { throw .tooLong(text.utf8.count) }
        if let scalar = AddressText.foreignScalar(in: text) { throw .character(AddressText.name(of: scalar)) }

        let (scheme, host, rest) = try begin(of: Array(text.utf8)[...])
        guard let hash = rest.firstIndex(of: UInt8(ascii: "#")) else { throw .noKey }
        let type = try linkType(string(rest[..<hash]))
        let fragment = rest[(hash + 1)...]
        let question = fragment.firstIndex(of: UInt8(ascii: "?"))
        let key = fragment[..<(question ?? fragment.endIndex)]
        do throws(KeyProblem) { try KeyText.check(bytes: key) } catch { throw .key(error) }

        var parameters = Parameters()
        if let question { try parameters.read(string(fragment[(question + 1)...])) }
        let written =
            question.flatMap { question in
                parameters.isHashPadded ? string(Array(text.utf8)[...question]) + parameters.written : nil
            } ?? text
        guard let primaryHost = host ?? parameters.hosts.first.map({ Array($0.utf8)[...] }) else { throw .noHost }
        return RelayAddress.Parts(
            text: written, scheme: scheme, linkType: type, addressKey: addressKey(type, key, primaryHost),
            listedHosts: parameters.hosts, port: parameters.port, keyHash: parameters.keyHash)
    }

    private static func addressKey(
        _ type: RelayAddress.LinkType, _ key: ArraySlice<UInt8>, _ host: ArraySlice<UInt8>
    ) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(key.count + host.count + 3)
        bytes += type.rawValue.utf8
        bytes.append(UInt8(ascii: "#"))
        bytes += key
        bytes.append(UInt8(ascii: "@"))
        bytes += host
        for place in (bytes.count - host.count)..<bytes.count { bytes[place] = AddressText.lowercased(bytes[place]) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads the scheme and the host of an `https` link; returns them and the rest after the slash.
    private static func begin(
        of text: ArraySlice<UInt8>
    ) throws(RelayAddressError.Problem) -> (RelayAddress.Scheme, ArraySlice<UInt8>?, ArraySlice<UInt8>) {
        if AddressText.begins(text, with: "simplex:/") { return (.simplex, nil, text.dropFirst(9)) }
        guard AddressText.begins(text, with: "https://") else {
            for server in ServerProtocol.allCases where AddressText.begins(text, with: server.text + "://") {
                throw .serverAddress(server)
            }
            throw .scheme
        }
        let rest = text.dropFirst(8)
        let end = rest.firstIndex { isEndOfHost($0) } ?? rest.endIndex
        let host = rest[..<end]
        // Before the `@` may be a password: not shown.
        if host.contains(UInt8(ascii: "@")) { throw .host("…", .character("\"@\"")) }
        if host.last != UInt8(ascii: "]"), let colon = host.lastIndex(of: UInt8(ascii: ":")),
            AddressText.port(string(host[(colon + 1)...])) != nil
        {
            throw .portBesideHost
        }
        do throws(HostProblem) {
            try HostText.check(bytes: host)
        } catch {
            throw .host(AddressText.excerpt(string(host)), error)
        }
        guard end < rest.endIndex, rest[end] == UInt8(ascii: "/") else { throw .noKey }
        return (.https, host, rest[(end + 1)...])
    }

    private static func isEndOfHost(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    private static func linkType(_ text: String) throws(RelayAddressError.Problem) -> RelayAddress.LinkType {
        if let type = RelayAddress.LinkType(rawValue: text) { return type }
        let withoutSlash = text.hasSuffix("/") ? String(text.dropLast()) : text
        if let kind = RelayAddressError.OtherLink(rawValue: withoutSlash) { throw .otherLink(kind) }
        throw .linkType(AddressText.excerpt(text, longest: 20))
    }

    private static func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// The parameters after the key, each at most once.
private struct Parameters {
    var hosts: [String] = []
    var port: UInt16?
    var keyHash: String?
    /// Whether the key hash was given with its `=`.
    private(set) var isHashPadded = false
    private var seen: Set<String> = []
    private var texts: [String] = []

    /// The parameters as they were given, with the key hash without its `=`.
    var written: String { texts.joined(separator: "&") }

    mutating func read(_ text: String) throws(RelayAddressError.Problem) {
        for parameter in text.split(separator: "&", omittingEmptySubsequences: false) {
            let sides = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = AddressText.excerpt(sides[0], longest: 20)
            guard ["h", "p", "c"].contains(name) else { throw .unknownParameter(name) }
            guard seen.insert(name).inserted else { throw .repeatedParameter(name) }
            guard sides.count == 2, !sides[1].isEmpty else { throw .emptyParameter(name) }
            guard let value = AddressText.percentDecoded(sides[1]) else { throw .percentEncoding(name) }
            try set(name, value)
            texts.append(name == "c" ? "c=" + (keyHash ?? "") : String(parameter))
        }
    }

    private mutating func set(_ name: String, _ value: String) throws(RelayAddressError.Problem) {
        switch name {
        case "h":
            do throws(HostProblem) {
                hosts = try HostText.list(value)
            } catch {
                throw .host(AddressText.excerpt(value), error)
            }
        case "p":
            guard let number = AddressText.port(value) else { throw .port(AddressText.excerpt(value, longest: 20)) }
            port = number
        default:
            do throws(KeyProblem) { keyHash = try KeyText.checkedUnpadded(value) } catch { throw .keyHash(error) }
            isHashPadded = value.hasSuffix("=")
        }
    }
}
