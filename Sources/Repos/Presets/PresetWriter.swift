package import Schema

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

extension PresetFile {
    /// The preset as JSON with a newline at its end: the same preset gives the same bytes.
    public func text(_ disclosure: PresetDisclosure = PresetDisclosure()) -> String {
        json(disclosure).text(.pretty) + "\n"
    }

    /// The preset as a JSON value, keys in the documented order.
    package func json(_ disclosure: PresetDisclosure = PresetDisclosure()) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("format", .string(PresetReader.format)), .init("version", .integer(Self.version)),
        ]
        if let exportedAt { members.append(.init("exportedAt", .string(exportedAt.iso8601))) }
        if let profile { members.append(.init("profile", .string(profile))) }
        members.append(.init("operators", .array(operators.map { $0.json(disclosure) })))
        members.append(.init("custom", .object(custom.members(disclosure))))
        return .object(members)
    }
}

extension PresetOperator {
    func json(_ disclosure: PresetDisclosure) -> JSONValue {
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
        return .object(members + entries.members(disclosure))
    }

    private static func json(_ roles: ServerRoles) -> JSONValue {
        roles.names
            ? ["storage": .bool(roles.storage), "proxy": .bool(roles.proxy), "names": true]
            : ["storage": .bool(roles.storage), "proxy": .bool(roles.proxy)]
    }
}

extension PresetEntries {
    func members(_ disclosure: PresetDisclosure) -> [JSONValue.Member] {
        [
            .init("smpServers", .array(smpServers.map { $0.json(disclosure) })),
            .init("xftpServers", .array(xftpServers.map { $0.json(disclosure) })),
            .init("relays", .array(relays.map { $0.json(disclosure) })),
        ]
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
    func json(_ disclosure: PresetDisclosure) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("name", .string(name)), .init("address", .string(address.text)),
            .init("domains", JSONValue(domains)), .init("enabled", .bool(isEnabled)),
        ]
        if disclosure.testResults, let tested { members.append(.init("tested", .bool(tested))) }
        return .object(members)
    }
}
