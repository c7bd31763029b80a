/// Reads relay addresses. Everything is ASCII after the first check, so bytes and characters are the same; it looks at
/// bytes, because presets have very many addresses and characters are slow.
enum RelayAddressParser {
    static func parse(_ given: String) throws(RelayAddressError) -> RelayAddress.Parts {
        let text = AddressText.trimmed(given)
        do throws(RelayAddressError.Problem) {
            return try parts(of: text)
        } catch {
            throw RelayAddressError(text: text, problem: error)
        }
    }

    private static func parts(of text: String) throws(RelayAddressError.Problem) -> RelayAddress.Parts {
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
        guard let primaryHost = host ?? parameters.hosts.first.map({ Array($0.utf8)[...] }) else { throw .noHost }
        return RelayAddress.Parts(
            text: text, scheme: scheme, linkType: type, addressKey: addressKey(type, key, primaryHost),
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

    /// The scheme, the host of an `https` link, and what follows the slash.
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
    private var seen: Set<String> = []

    mutating func read(_ text: String) throws(RelayAddressError.Problem) {
        for parameter in text.split(separator: "&", omittingEmptySubsequences: false) {
            let sides = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = AddressText.excerpt(sides[0], longest: 20)
            guard ["h", "p", "c"].contains(name) else { throw .unknownParameter(name) }
            guard seen.insert(name).inserted else { throw .repeatedParameter(name) }
            guard sides.count == 2, !sides[1].isEmpty else { throw .emptyParameter(name) }
            guard let value = AddressText.percentDecoded(sides[1]) else { throw .percentEncoding(name) }
            try set(name, value)
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
            do throws(KeyProblem) { try KeyText.check(value) } catch { throw .keyHash(error) }
            keyHash = value
        }
    }
}
