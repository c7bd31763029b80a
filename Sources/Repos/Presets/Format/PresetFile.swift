public import ChatDBSchema

/// The content of a preset: operators with their servers and relays, and the user's own entries.
public struct PresetFile: Sendable, Hashable {
    /// The version of the format this build writes, and the newest it reads.
    public static let version: Int64 = 1

    /// The time of the export; nil unless the export was asked to write it.
    public var exportedAt: StoredTime?
    /// The name of the exported profile; nil unless the export was asked to write it.
    public var profile: String?
    /// The operators, in their order.
    public var operators: [PresetOperator]
    /// The entries that belong to no operator's preset.
    public var custom: PresetEntries
    /// Whether it says which operators there are; one that does not has nothing against those there are.
    public var tellsOperators = true
    /// Whether it says nothing but addresses, as a list of them does: neither names nor what is enabled.
    public var hasAddressesOnly = false

    /// A preset of these parts.
    public init(
        exportedAt: StoredTime? = nil, profile: String? = nil, operators: [PresetOperator] = [],
        custom: PresetEntries = PresetEntries()
    ) {
        self.exportedAt = exportedAt
        self.profile = profile
        self.operators = operators
        self.custom = custom
    }
}

/// An operator with its preset entries.
public struct PresetOperator: Sendable, Hashable {
    /// The tag; nil for an operator that is identified by its domains or its trade name.
    public var tag: OperatorTag?
    /// The trade name.
    public var tradeName: String
    /// The name of the company, or nil.
    public var legalName: String?
    /// The domains of its servers and relays.
    public var domains: [String]
    /// Whether anything of it is used.
    public var isEnabled: Bool
    /// The roles of its SMP servers.
    public var smpRoles: ServerRoles
    /// The roles of its XFTP servers.
    public var xftpRoles: ServerRoles
    /// Whether the preset has the roles. Without them, an operator of the store keeps its roles.
    public var tellsRoles = true
    /// The number of its entries that a new profile uses; nil for all that are enabled. In shipped presets only.
    public var use: PresetUse?
    /// Its servers and relays.
    public var entries: PresetEntries

    /// An operator of these parts.
    public init(
        tag: OperatorTag?, tradeName: String, legalName: String? = nil, domains: [String] = [], isEnabled: Bool = true,
        smpRoles: ServerRoles = ServerRoles(storage: true, proxy: true),
        xftpRoles: ServerRoles = ServerRoles(storage: true, proxy: true), use: PresetUse? = nil,
        entries: PresetEntries = PresetEntries()
    ) {
        self.tag = tag
        self.tradeName = tradeName
        self.legalName = legalName
        self.domains = domains
        self.isEnabled = isEnabled
        self.smpRoles = smpRoles
        self.xftpRoles = xftpRoles
        self.use = use
        self.entries = entries
    }
}

/// The number of an operator's entries that a new profile uses.
public struct PresetUse: Sendable, Hashable {
    /// SMP servers.
    public var smp: Int
    /// XFTP servers.
    public var xftp: Int
    /// Relays.
    public var relays: Int

    /// Uses this number of each kind.
    public init(smp: Int, xftp: Int, relays: Int) {
        self.smp = smp
        self.xftp = xftp
        self.relays = relays
    }
}

/// Servers and relays.
public struct PresetEntries: Sendable, Hashable {
    /// One of the lists.
    public enum List: String, Sendable, Hashable, CaseIterable {
        /// SMP servers.
        case smpServers
        /// XFTP servers.
        case xftpServers
        /// Relays.
        case relays

        init(_ serverProtocol: ServerProtocol) {
            switch serverProtocol {
            case .smp: self = .smpServers
            case .xftp: self = .xftpServers
            }
        }
    }

    /// The lists that the preset has. A missing list is not an empty list: replacing does not change its kind of entry.
    public var lists = Set(List.allCases)
    /// SMP servers.
    public var smpServers: [PresetServer]
    /// XFTP servers.
    public var xftpServers: [PresetServer]
    /// Relays.
    public var relays: [PresetRelay]

    /// Servers and relays; none unless given.
    public init(smpServers: [PresetServer] = [], xftpServers: [PresetServer] = [], relays: [PresetRelay] = []) {
        self.smpServers = smpServers
        self.xftpServers = xftpServers
        self.relays = relays
    }

    /// The servers of one protocol.
    func servers(_ serverProtocol: ServerProtocol) -> [PresetServer] {
        switch serverProtocol {
        case .smp: smpServers
        case .xftp: xftpServers
        }
    }
}

/// A server in a preset.
public struct PresetServer: Sendable, Hashable {
    /// Its address, with the password if the preset has it.
    public var address: ServerAddress
    /// Whether it has a password that the preset leaves out.
    public var isPasswordOmitted: Bool
    /// Whether it is used.
    public var isEnabled: Bool
    /// The roles in which it differs from its operator.
    public var roles: ServerRoleChoices
    /// Whether its last test passed; nil when it is unknown.
    public var tested: Bool?

    /// A server of these parts.
    public init(
        address: ServerAddress, isPasswordOmitted: Bool = false, isEnabled: Bool = true,
        roles: ServerRoleChoices = ServerRoleChoices(), tested: Bool? = nil
    ) {
        self.address = address
        self.isPasswordOmitted = isPasswordOmitted
        self.isEnabled = isEnabled
        self.roles = roles
        self.tested = tested
    }
}

/// A relay in a preset.
public struct PresetRelay: Sendable, Hashable {
    /// Its name; an empty text for none.
    public var name: String
    /// Its address.
    public var address: RelayAddress
    /// Its domains.
    public var domains: [String]
    /// Whether new channels may choose it.
    public var isEnabled: Bool
    /// Whether its last test passed; nil when it is unknown.
    public var tested: Bool?

    /// A relay of these parts.
    public init(
        name: String, address: RelayAddress, domains: [String] = [], isEnabled: Bool = true, tested: Bool? = nil
    ) {
        self.name = name
        self.address = address
        self.domains = domains
        self.isEnabled = isEnabled
        self.tested = tested
    }
}

extension PresetOperator {
    /// An operator of a store, without entries. What `use` was is not stored.
    init(_ stored: ServerOperator) {
        self.init(
            tag: stored.tag, tradeName: stored.tradeName, legalName: stored.legalName, domains: stored.domains,
            isEnabled: stored.isEnabled, smpRoles: stored.smpRoles, xftpRoles: stored.xftpRoles)
    }
}

extension PresetRelay {
    /// A relay of a profile; nil when its stored address is not an address, which only another app can have written.
    init?(_ relay: ChatRelay) {
        guard let address = try? RelayAddress(relay.address) else { return nil }
        self.init(
            name: relay.name, address: address, domains: relay.domains, isEnabled: relay.isEnabled,
            tested: relay.tested)
    }
}

/// The parts that an export writes only on request.
public struct PresetDisclosure: Sendable, Hashable {
    /// Passwords of servers. Without, a server that has one is marked as having one.
    public var secrets: Bool
    /// The results of the last tests.
    public var testResults: Bool

    /// Writes none of these parts by default.
    public init(secrets: Bool = false, testResults: Bool = false) {
        self.secrets = secrets
        self.testResults = testResults
    }
}

/// The syntax of a preset.
public enum PresetSpelling: String, Sendable, Hashable, CaseIterable {
    /// JSON.
    case json
    /// YAML.
    case yaml
}

extension PresetContents {
    /// Writes the preset in one of the spellings.
    func write(
        _ disclosure: PresetDisclosure, _ spelling: PresetSpelling, to sink: @escaping ([UInt8]) throws -> Void
    ) throws {
        switch spelling {
        case .json:
            var writer = JSONWriter(to: sink)
            try write(disclosure, to: &writer)
        case .yaml:
            var writer = YAMLWriter(to: sink)
            try write(disclosure, to: &writer)
        }
    }
}

extension PresetFile {
    /// The preset as text with a newline at its end: the same preset gives the same bytes.
    public func text(
        _ disclosure: PresetDisclosure = PresetDisclosure(), _ spelling: PresetSpelling = .json
    ) -> String {
        var bytes: [UInt8] = []
        // Neither what is in memory nor the sink can fail.
        try? write(disclosure, spelling) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The same as a value.
    package func json(_ disclosure: PresetDisclosure = PresetDisclosure()) -> JSONValue {
        // What this build writes it reads.
        (try? JSONValue(parsing: text(disclosure))) ?? .null
    }
}

extension PresetOperator {
    /// The fields of the operator itself, in the documented order.
    var members: [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        if let tag { members.append(.init("tag", .string(tag.text))) }
        members.append(.init("tradeName", .string(tradeName)))
        if let legalName { members.append(.init("legalName", .string(legalName))) }
        members.append(.init("domains", JSONValue(domains)))
        members.append(.init("enabled", .bool(isEnabled)))
        members.append(.init("roles", ["smp": Self.json(smpRoles), "xftp": Self.json(xftpRoles)]))
        if let use {
            members.append(
                .init(
                    "use",
                    [
                        "smp": .integer(Int64(use.smp)), "xftp": .integer(Int64(use.xftp)),
                        "relays": .integer(Int64(use.relays)),
                    ]))
        }
        return members
    }

    private static func json(_ roles: ServerRoles) -> JSONValue {
        roles.names
            ? ["storage": .bool(roles.storage), "proxy": .bool(roles.proxy), "names": true]
            : ["storage": .bool(roles.storage), "proxy": .bool(roles.proxy)]
    }
}

extension PresetServer {
    func json(_ disclosure: PresetDisclosure) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("address", .string(address.text(withPassword: disclosure.secrets)))
        ]
        let hidesPassword = address.password != nil && !disclosure.secrets
        if hidesPassword || isPasswordOmitted { members.append(.init("password", "omitted")) }
        members.append(.init("enabled", .bool(isEnabled)))
        if disclosure.testResults, let tested { members.append(.init("tested", .bool(tested))) }
        // SimpleX Chat stores the three roles together, and XFTP servers have no role for names.
        let names = address.serverProtocol == .smp ? roles.names : nil
        let choices = [("storage", roles.storage), ("proxy", roles.proxy), ("names", names)]
            .compactMap { name, value in value.map { JSONValue.Member(name, .bool($0)) } }
        if !choices.isEmpty { members.append(.init("roles", .object(choices))) }
        return .object(members)
    }
}

extension PresetRelay {
    /// Member by member: there are very many relays, and a tree of each would be thrown away.
    func write(_ disclosure: PresetDisclosure, to writer: inout some DocumentWriter) throws {
        writer.beginObject()
        try writer.member("name", .string(name))
        try writer.member("address", .string(address.text))
        try writer.member("domains", JSONValue(domains))
        try writer.member("enabled", .bool(isEnabled))
        if disclosure.testResults, let tested { try writer.member("tested", .bool(tested)) }
        writer.endObject()
    }
}
