public import ChatDBEngine
public import ChatDBReposChat
import ChatDBReposKit
public import ChatDBSchema

/// The servers and relays of a profile in the JSON in which SimpleX Chat takes them to set them: one group for each
/// operator and one for all else. Rule: docs/presets.md, "SimpleX Chat's JSON".
public struct SimplexServersExport {
    private let user: User
    private let rows: ProfileRows
    /// All operators of the store.
    private let operators: [ServerOperator]
    private let owners: PresetOwners
    private let acceptances: [ServerOperatorID: ConditionsAcceptance]

    /// Prepares the export of a profile. Throws `profileNotFound`, and for hidden profiles too unless they are shown.
    public init(
        of user: UserID, in chat: any ReadTransaction, hidden: HiddenProfiles = .leftOut
    ) throws(PresetError) {
        self.user = try PresetError.from { try UsersRepo(chat).get(user, hidden: hidden) }
        rows = ProfileRows(chat: chat, user: user)
        operators = try PresetError.from { try OperatorsRepo(chat).all() }
        owners = PresetOwners(operators.map { PresetOperator($0) }, operators, operators)
        let conditions = try PresetError.from { try OperatorsRepo(chat).conditions() }
        acceptances = Dictionary(
            conditions.operators.map { ($0.operator.id, $0.acceptance) }, uniquingKeysWith: { first, _ in first })
    }

    /// Writes the groups, one entry in memory at a time, on request within the app's whole answer. Passwords are
    /// written only on request. Without its password, a server is written as disabled, because it would fail at once in
    /// the app. An entry whose address is not valid is left out, with a note: the app cannot read it.
    public func write(
        withSecrets: Bool = false, inEnvelope: Bool = false, to sink: @escaping (_ bytes: [UInt8]) throws -> Void
    ) throws -> PresetExportNotes {
        var writer = JSONWriter(to: sink)
        var findings = Findings()
        if inEnvelope {
            writer.beginObject()
            try writer.member("type", "userServers")
            try writer.member(
                "user",
                [
                    "userId": .integer(user.id.rawValue), "agentUserId": .string("\(user.agentUserID)"),
                    "localDisplayName": .string(user.name), "activeUser": .bool(user.isActive),
                ])
            writer.name("userServers")
        }
        writer.beginArray()
        let present = try present()
        for place in operators.indices.map(Optional.some) + [nil] {
            try writeGroup(of: place, present, withSecrets: withSecrets, &findings, to: &writer)
        }
        writer.endArray()
        if inEnvelope { writer.endObject() }
        try writer.finish()
        return PresetExportNotes(
            leftOut: findings.leftOut, passwords: findings.passwords.count, withPassword: findings.passwords.first,
            servers: findings.servers, relays: findings.relays, operators: operators.count)
    }

    /// The facts to report.
    private struct Findings {
        var leftOut: [String] = []
        var passwords = PasswordsFound()
        var servers = PresetExportNotes.Number()
        var relays = PresetExportNotes.Number()
    }

    /// Whose entries each list has, by the places of the operators: a store may have very many operators, and the rows
    /// are not read for those that have none.
    private func present() throws -> [PresetEntries.List: Set<Int?>] {
        var present: [PresetEntries.List: Set<Int?>] = [:]
        for serverProtocol in ServerProtocol.allCases {
            try rows.forEachServer(serverProtocol) {
                present[.init(serverProtocol), default: []].insert(owners.owner(of: $0))
            }
        }
        try rows.forEachRelay { present[.relays, default: []].insert(owners.owner(of: $0)) }
        return present
    }

    /// Writes the entries of the operator at a position, or of none.
    private func writeGroup(
        of place: Int?, _ present: [PresetEntries.List: Set<Int?>], withSecrets: Bool, _ findings: inout Findings,
        to writer: inout JSONWriter
    ) throws {
        writer.beginObject()
        if let place { try writer.member("operator", json(operators[place])) }
        for serverProtocol in ServerProtocol.allCases {
            writer.name("\(serverProtocol.text)Servers")
            writer.beginArray()
            if present[.init(serverProtocol)]?.contains(place) == true {
                try rows.forEachServer(serverProtocol) { server in
                    guard owners.owner(of: server) == place else { return }
                    guard (try? server.address()) != nil else {
                        return findings.leftOut.append(PresetExportNotes.leftOut(server))
                    }
                    if server.password != nil { findings.passwords.add(server.primaryHost) }
                    findings.servers.add(isEnabled: server.isEnabled && (withSecrets || server.password == nil))
                    try writer.value(Self.json(server, withSecrets: withSecrets))
                }
            }
            writer.endArray()
        }
        writer.name("chatRelays")
        writer.beginArray()
        if present[.relays]?.contains(place) == true {
            try rows.forEachRelay { relay in
                guard owners.owner(of: relay) == place else { return }
                guard (try? RelayAddress(relay.address)) != nil else {
                    let name = relay.name.isEmpty ? relay.address : relay.name
                    return findings.leftOut.append(PresetExportNotes.leftOut(relay.id, named: name))
                }
                findings.relays.add(isEnabled: relay.isEnabled)
                try writer.value(Self.json(relay))
            }
        }
        writer.endArray()
        writer.endObject()
    }

    private func json(_ owner: ServerOperator) -> JSONValue {
        var members: [JSONValue.Member] = [.init("operatorId", .integer(owner.id.rawValue))]
        if let tag = owner.tag { members.append(.init("operatorTag", .string(tag.text))) }
        members.append(.init("tradeName", .string(owner.tradeName)))
        if let legalName = owner.legalName { members.append(.init("legalName", .string(legalName))) }
        members += [
            .init("serverDomains", JSONValue(owner.domains)),
            .init("conditionsAcceptance", Self.json(acceptances[owner.id] ?? .required(deadline: nil))),
            .init("enabled", .bool(owner.isEnabled)), .init("smpRoles", Self.json(owner.smpRoles)),
            .init("xftpRoles", Self.json(owner.xftpRoles)),
        ]
        return .object(members)
    }

    private static func json(_ acceptance: ConditionsAcceptance) -> JSONValue {
        switch acceptance {
        case .accepted(let time, let isAutomatic):
            let at = time.map { [JSONValue.Member("acceptedAt", .string($0.iso8601))] } ?? []
            return .object([.init("type", "accepted")] + at + [.init("autoAccepted", .bool(isAutomatic))])
        case .required(let deadline):
            let by = deadline.map { [JSONValue.Member("deadline", .string($0.iso8601))] } ?? []
            return .object([.init("type", "required")] + by)
        }
    }

    private static func json(_ roles: ServerRoles) -> JSONValue {
        roles.names
            ? ["storage": .bool(roles.storage), "proxy": .bool(roles.proxy), "names": true]
            : ["storage": .bool(roles.storage), "proxy": .bool(roles.proxy)]
    }

    private static func json(_ server: ProtocolServer, withSecrets: Bool) -> JSONValue {
        let choices = [
            ("storage", server.roles.storage), ("proxy", server.roles.proxy), ("names", server.roles.names),
        ]
        return .object(
            [
                .init("serverId", .integer(server.id.rawValue)),
                .init("server", .string(server.addressText(withPassword: withSecrets))),
                .init("preset", .bool(server.isPreset)),
            ] + member("tested", server.tested) + [
                .init("enabled", .bool(server.isEnabled && (withSecrets || server.password == nil))),
                .init("roles", .object(choices.flatMap { member($0, $1) })), .init("deleted", false),
            ])
    }

    private static func json(_ relay: ChatRelay) -> JSONValue {
        .object(
            [
                .init("chatRelayId", .integer(relay.id.rawValue)), .init("address", .string(relay.address)),
                .init("relayProfile", ["displayName": .string(relay.name), "fullName": ""]),
                .init("domains", JSONValue(relay.domains)), .init("preset", .bool(relay.isPreset)),
            ] + member("tested", relay.tested) + [.init("enabled", .bool(relay.isEnabled)), .init("deleted", false)])
    }

    /// The app leaves out what has no value.
    private static func member(_ name: String, _ value: Bool?) -> [JSONValue.Member] {
        value.map { [.init(name, .bool($0))] } ?? []
    }
}
