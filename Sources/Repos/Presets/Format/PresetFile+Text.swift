package import ChatDBSchema

/// What of a preset is written beyond what everybody may see.
public struct PresetDisclosure: Sendable, Hashable {
    /// Passwords of servers. Without, a server that has one is marked as having one.
    public var secrets: Bool
    /// How the last tests went.
    public var testResults: Bool

    /// Nothing unless asked for.
    public init(secrets: Bool = false, testResults: Bool = false) {
        self.secrets = secrets
        self.testResults = testResults
    }
}

/// How a preset is spelt.
public enum PresetSpelling: String, Sendable, Hashable, CaseIterable {
    /// As JSON.
    case json
    /// As YAML.
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
    /// What is told of the operator itself, in the documented order.
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
        if !roles.isEmpty {
            let choices = [("storage", roles.storage), ("proxy", roles.proxy), ("names", roles.names)]
            members.append(
                .init("roles", .object(choices.compactMap { name, value in value.map { .init(name, .bool($0)) } })))
        }
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
