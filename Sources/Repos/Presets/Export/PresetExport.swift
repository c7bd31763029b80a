public import ChatDBEngine
public import ChatDBReposChat
public import ChatDBSchema

/// The servers and relays of a profile as a preset: operators as the store has them with the profile's preset entries,
/// all else as custom, entries by address. Nothing in it depends on ids or times, so the same state gives the same
/// preset. Soft-deleted relays are no part of it. Rule: docs/presets.md, "Export".
///
/// ```swift
/// let bytes = try store.read { chat in
///     var bytes: [UInt8] = []
///     _ = try PresetExport(of: user.id, in: chat).write { bytes += $0 }
///     return bytes
/// }
/// ```
public struct PresetExport {
    private let contents: ProfileContents

    /// Prepares the export of a profile. Throws `profileNotFound`, and for hidden profiles too unless they are shown.
    ///
    /// With an origin, the preset has the name of the profile and this time.
    public init(
        of user: UserID, in chat: any ReadTransaction, hidden: HiddenProfiles = .leftOut,
        _ selection: PresetSelection = PresetSelection(), origin: StoredTime? = nil
    ) throws(PresetError) {
        let profile = try PresetError.from { try UsersRepo(chat).get(user, hidden: hidden) }
        contents = ProfileContents(
            rows: ProfileRows(chat: chat, user: user), selection: selection,
            stored: try PresetError.from { try OperatorsRepo(chat).all() }, exportedAt: origin,
            profile: origin.map { _ in profile.name })
    }

    /// The preset in memory.
    public func file() throws(PresetError) -> ExportedPreset {
        try PresetError.from {
            var file = PresetFile(
                exportedAt: contents.exportedAt, profile: contents.profile, operators: contents.operators)
            file.tellsOperators = contents.tellsOperators
            for index in file.operators.indices { file.operators[index].entries = try entries(ofOperatorAt: index) }
            file.custom = try entries(ofOperatorAt: nil)
            return ExportedPreset(file: file, notes: contents.findings.notes)
        }
    }

    /// Writes the preset as text, one entry in memory at a time. Returns what is to be reported about it.
    public func write(
        _ disclosure: PresetDisclosure = PresetDisclosure(), _ spelling: PresetSpelling = .json,
        to sink: @escaping (_ bytes: [UInt8]) throws -> Void
    ) throws -> PresetExportNotes {
        try contents.write(disclosure, spelling, to: sink)
        let findings = contents.findings
        return PresetExportNotes(
            leftOut: findings.notes, passwords: findings.passwords.count,
            withPassword: findings.passwords.first, servers: findings.servers, relays: findings.relays,
            operators: contents.operators.count)
    }

    private func entries(ofOperatorAt index: Int?) throws -> PresetEntries {
        var entries = PresetEntries()
        entries.lists = contents.lists(ofOperatorAt: index)
        for serverProtocol in ServerProtocol.allCases {
            try contents.forEachServer(serverProtocol, ofOperatorAt: index) { entries.append($0) }
        }
        try contents.forEachRelay(ofOperatorAt: index) { entries.relays.append($0) }
        return entries
    }
}

/// A profile's preset in memory.
public struct ExportedPreset: Sendable, Hashable {
    /// The preset.
    public let file: PresetFile
    /// Notes on what could not be exported, a clause each; usually empty.
    public let notes: [String]
}

/// The facts to report about a preset that was written.
public struct PresetExportNotes: Sendable, Hashable {
    /// Notes on what could not be exported, a clause each; usually empty.
    public let leftOut: [String]
    /// The number of servers with a password.
    public let passwords: Int
    /// The primary hosts of the first of them.
    public let withPassword: [String]
    /// The servers of both protocols.
    public let servers: Number
    /// The relays.
    public let relays: Number
    /// The number of operators.
    public let operators: Int

    /// A number of entries.
    public struct Number: Sendable, Hashable {
        /// All of them.
        public internal(set) var all = 0
        /// Those that are disabled. Who imports the preset gets them disabled.
        public internal(set) var disabled = 0

        mutating func add(isEnabled: Bool) {
            all += 1
            if !isEnabled { disabled += 1 }
        }
    }

    /// The note on a server whose address cannot be read.
    static func leftOut(_ server: ProtocolServer) -> String {
        "the server \(server.id) is left out: its address is not valid"
    }

    /// The note on a relay whose address cannot be read.
    static func leftOut(_ relay: ChatRelayID, named name: String) -> String {
        "the relay \"\(name)\" (id \(relay)) is left out: its address is not valid"
    }
}

/// The servers with a password that an export has met. There may be very many, and so it has the first hosts only.
struct PasswordsFound {
    private(set) var count = 0
    private(set) var first: [String] = []
    private static let most = 3

    mutating func add(_ host: String) {
        count += 1
        if first.count < Self.most { first.append(host) }
    }
}

/// The part of a profile's configuration that is exported.
public struct PresetSelection: Sendable, Hashable {
    /// A kind of thing in a preset.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Relays.
        case relays
        /// SMP and XFTP servers.
        case servers
        /// Operators themselves. Those whose entries are exported are named with them in any case.
        case operators
    }

    /// The kinds that are exported.
    public var kinds: Set<Kind>
    /// Whether only what is no operator's preset is exported.
    public var customOnly: Bool
    /// Whether only entries that are enabled are exported.
    public var enabledOnly: Bool

    /// Everything unless narrowed.
    public init(kinds: Set<Kind> = Set(Kind.allCases), customOnly: Bool = false, enabledOnly: Bool = false) {
        self.kinds = kinds
        self.customOnly = customOnly
        self.enabledOnly = enabledOnly
    }
}

/// The entries of one profile as they are read.
struct ProfileContents: PresetContents {
    /// The notes that were made during the export.
    final class Findings {
        var notes: [String] = []
        var passwords = PasswordsFound()
        var servers = PresetExportNotes.Number()
        var relays = PresetExportNotes.Number()
    }

    let rows: ProfileRows
    let selection: PresetSelection
    /// All operators of the store.
    let stored: [ServerOperator]
    let exportedAt: StoredTime?
    let profile: String?
    let findings = Findings()

    /// The store does not have `use`, so it is never exported.
    var operators: [PresetOperator] {
        if selection.customOnly { return [] }
        return stored.map(PresetOperator.init)
    }

    var tellsOperators: Bool { !selection.customOnly }

    func lists(ofOperatorAt index: Int?) -> Set<PresetEntries.List> {
        var lists: Set<PresetEntries.List> = []
        if selection.kinds.contains(.servers) { lists = [.smpServers, .xftpServers] }
        if selection.kinds.contains(.relays) { lists.insert(.relays) }
        return lists
    }

    func forEachServer(
        _ serverProtocol: ServerProtocol, ofOperatorAt index: Int?, _ body: (PresetServer) throws -> Void
    ) throws {
        guard selection.kinds.contains(.servers) else { return }
        try rows.forEachServer(serverProtocol, narrowed(toPreset: index != nil)) { server in
            let owner = server.isPreset ? stored.owner(of: server) : nil
            guard owner == index.map({ stored[$0] }), !(selection.customOnly && server.isPreset) else { return }
            guard let address = try? server.address() else {
                findings.notes.append(PresetExportNotes.leftOut(server))
                return
            }
            if address.password != nil { findings.passwords.add(address.primaryHost) }
            findings.servers.add(isEnabled: server.isEnabled)
            try body(
                PresetServer(address: address, isEnabled: server.isEnabled, roles: server.roles, tested: server.tested))
        }
    }

    func forEachRelay(ofOperatorAt index: Int?, _ body: (PresetRelay) throws -> Void) throws {
        guard selection.kinds.contains(.relays) else { return }
        // Of very many relays only what is written is read, and in this order.
        let query: Query = """
            SELECT display_name, domains, preset, address, enabled, tested, chat_relay_id FROM chat_relays
            WHERE user_id = \(rows.user) AND deleted = 0\(narrowed(toPreset: index != nil))
            ORDER BY address_key
            """
        try rows.chat.forEach(query) { row in
            let name: String = try row.get("display_name")
            let domains = OperatorDomains.list(try row.get("domains"))
            let isPreset: Bool = try row.get("preset")
            let owner = isPreset ? stored.owner(ofRelayDomains: domains) : nil
            guard owner == index.map({ stored[$0] }), !(selection.customOnly && isPreset) else { return }
            let text: String = try row.get("address")
            guard let address = try? RelayAddress(text) else {
                let id: ChatRelayID = try row.get("chat_relay_id")
                findings.notes.append(PresetExportNotes.leftOut(id, named: name.isEmpty ? text : name))
                return
            }
            let isEnabled: Bool = try row.get("enabled")
            findings.relays.add(isEnabled: isEnabled)
            try body(
                PresetRelay(
                    name: name, address: address, domains: domains, isEnabled: isEnabled,
                    tested: row.get("tested")))
        }
    }

    /// Only preset entries can belong to an operator.
    private func narrowed(toPreset isPreset: Bool) -> Query {
        let preset: Query = isPreset ? " AND preset = 1" : ""
        return selection.enabledOnly ? preset + " AND enabled = 1" : preset
    }
}

/// The servers and relays of one profile as they are read, one at a time, in the order of their keys, which indexes
/// give.
struct ProfileRows {
    let chat: any ReadTransaction
    let user: UserID

    /// Calls `body` with the servers of one protocol, of which the condition holds.
    func forEachServer(
        _ serverProtocol: ServerProtocol, _ condition: Query = "", _ body: (ProtocolServer) throws -> Void
    ) throws {
        let query: Query = """
            SELECT \(ProtocolServer.columns) FROM protocol_servers
            WHERE user_id = \(user) AND protocol = \(serverProtocol.text)\(condition)
            ORDER BY host, port
            """
        try chat.forEach(query) { try body(ProtocolServer(row: $0)) }
    }

    /// Calls `body` with the relays that are not deleted.
    func forEachRelay(_ body: (ChatRelay) throws -> Void) throws {
        let query: Query = """
            SELECT \(ChatRelay.columns) FROM chat_relays
            WHERE user_id = \(user) AND deleted = 0
            ORDER BY address_key
            """
        try chat.forEach(query) { try body(ChatRelay(row: $0)) }
    }
}
