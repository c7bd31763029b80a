/// Reads relay addresses. Everything is ASCII after the first check, so bytes and characters are the same; it looks at
/// bytes, because presets have very many addresses and characters are slow.
enum RelayAddressParser {
    static func parse(_ given: String) throws(RelayAddressError) -> RelayAddress {
        let text = AddressText.trimmed(given)
        do throws(RelayAddressError.Problem) {
            return try parts(of: text)
        } catch {
            throw RelayAddressError(text: text, problem: error)
        }
    }

    private static func parts(of text: String) throws(RelayAddressError.Problem) -> RelayAddress {
        if text.isEmpty { throw .empty }
        if text.utf8.count > AddressText.longest { throw .tooLong(text.utf8.count) }
        if let scalar = AddressText.foreignScalar(in: text) { throw .character(AddressText.name(of: scalar)) }

        let (scheme, host, rest) = try begin(of: text)
        guard let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) else { throw .noKey }
        let type = try linkType(rest[..<hash])
        let fragment = rest[rest.utf8.index(after: hash)...]
        let question = fragment.utf8.firstIndex(of: UInt8(ascii: "?"))
        let key = String(fragment[..<(question ?? fragment.endIndex)])
        do throws(KeyProblem) { try KeyText.check(key) } catch { throw .key(error) }

        var parameters = Parameters()
        if let question { try parameters.read(fragment[fragment.utf8.index(after: question)...]) }
        let hosts = (host.map { [$0] } ?? []) + parameters.hosts
        if hosts.isEmpty { throw .noHost }
        return RelayAddress(
            text: text, scheme: scheme, linkType: type, key: key, hosts: hosts, port: parameters.port,
            keyHash: parameters.keyHash)
    }

    /// The scheme, the host of an `https` link, and what follows the slash.
    private static func begin(
        of text: String
    ) throws(RelayAddressError.Problem) -> (RelayAddress.Scheme, String?, Substring) {
        if AddressText.begins(text, with: "simplex:/") { return (.simplex, nil, Substring(text.utf8.dropFirst(9))) }
        guard AddressText.begins(text, with: "https://") else {
            for server in ServerProtocol.allCases where AddressText.begins(text, with: server.text + "://") {
                throw .serverAddress(server)
            }
            throw .scheme
        }
        let rest = Substring(text.utf8.dropFirst(8))
        let end = rest.utf8.firstIndex { isEndOfHost($0) } ?? rest.endIndex
        let host = rest[..<end]
        // Before the `@` may be a password: not shown.
        if host.utf8.contains(UInt8(ascii: "@")) { throw .host("…", .character("\"@\"")) }
        if let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")), !host.hasSuffix("]"),
            AddressText.port(host[host.utf8.index(after: colon)...]) != nil
        {
            throw .portBesideHost
        }
        do throws(HostProblem) { try HostText.check(host) } catch { throw .host(AddressText.excerpt(host), error) }
        guard end < rest.endIndex, rest.utf8[end] == UInt8(ascii: "/") else { throw .noKey }
        return (.https, String(host), rest[rest.utf8.index(after: end)...])
    }

    private static func isEndOfHost(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    private static func linkType(_ text: Substring) throws(RelayAddressError.Problem) -> RelayAddress.LinkType {
        if let type = RelayAddress.LinkType(rawValue: String(text)) { return type }
        let withoutSlash = text.hasSuffix("/") ? text.dropLast() : text
        if let kind = RelayAddressError.OtherLink(rawValue: String(withoutSlash)) { throw .otherLink(kind) }
        throw .linkType(AddressText.excerpt(text, longest: 20))
    }
}

/// The parameters after the key, each at most once.
private struct Parameters {
    var hosts: [String] = []
    var port: UInt16?
    var keyHash: String?
    private var seen: Set<String> = []

    mutating func read(_ text: Substring) throws(RelayAddressError.Problem) {
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
