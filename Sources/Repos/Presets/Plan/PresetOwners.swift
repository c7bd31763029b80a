import ChatDBSchema

/// The operators of a preset to which the entries of a profile belong: by what the store says of operators, and else by
/// what the preset says. Rule: docs/domain.md, "Operators and servers", Whose is it?
struct PresetOwners {
    private let stored: Owners<ServerOperatorID>
    private let places: [ServerOperatorID: Int]
    private let listed: Owners<Int>

    init(_ presets: [PresetOperator], _ matches: [ServerOperator?], _ operators: [ServerOperator]) {
        stored = Owners(operators.map { ($0.id, $0.domains) })
        places = Dictionary(
            matches.enumerated().compactMap { place, match in match.map { ($0.id, place) } },
            uniquingKeysWith: { first, _ in first })
        listed = Owners(presets.enumerated().map { ($0, $1.domains) })
    }

    /// The place of the operator among the preset's, or nil.
    func owner(of server: ProtocolServer) -> Int? {
        stored.owner(ofHosts: server.hosts).flatMap { places[$0] } ?? listed.owner(ofHosts: server.hosts)
    }

    /// The same of a relay.
    func owner(of relay: ChatRelay) -> Int? {
        stored.owner(ofDomains: relay.domains).flatMap { places[$0] } ?? listed.owner(ofDomains: relay.domains)
    }
}

/// The operators by domain, so that a long list of operators is not searched for each entry.
private struct Owners<ID> {
    /// The first with a domain in lower case, and its place.
    private var first: [String: (place: Int, id: ID)] = [:]

    init(_ operators: [(id: ID, domains: [String])]) {
        for (place, (id, domains)) in operators.enumerated() {
            for domain in domains.map({ $0.lowercased() }) where !domain.isEmpty && first[domain] == nil {
                first[domain] = (place, id)
            }
        }
    }

    /// The first that has one of the hosts or what follows one of their dots.
    func owner(ofHosts hosts: [String]) -> ID? {
        best(
            hosts.lazy.flatMap { host in
                let labels = host.lowercased().split(separator: ".", omittingEmptySubsequences: false)
                return labels.indices.lazy.map { labels[$0...].joined(separator: ".") }
            })
    }

    /// The first that has one of the domains.
    func owner(ofDomains domains: [String]) -> ID? { best(domains.lazy.map { $0.lowercased() }) }

    private func best(_ names: some Sequence<String>) -> ID? {
        names.compactMap { first[$0] }.min { $0.place < $1.place }?.id
    }
}
