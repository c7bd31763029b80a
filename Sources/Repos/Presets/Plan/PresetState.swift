import ChatDBEngine
import ChatDBReposChat
import ChatDBSchema

/// The state against which a plan is made: the operators of the store and the entries of one profile, read in a fixed
/// number of statements.
struct PresetState: Sendable, Hashable {
    let operators: [ServerOperator]
    let servers: [ProtocolServer]
    let serversByKey: [ServerKey: ProtocolServer]
    /// Relays that are not deleted, with their use.
    let relays: [RelayWithUse]
    /// The same by address key.
    let relaysByKey: [String: RelayWithUse]
    /// Soft-deleted relays by address key, of several the newest.
    let deletedRelays: [String: RelayWithUse]
    /// The user's choices about entries that the profile had and does not have. An entry without a choice is new to the
    /// profile.
    let choices: [PresetEntryKey: PresetChoice]
    /// The names of the store's profiles, and how many are hidden: operators concern them all.
    private(set) var profiles: [String]
    private(set) var hiddenProfiles: Int

    init(of user: UserID, in chat: any ReadTransaction) throws(PresetError) {
        let repo = ChatRelaysRepo(chat)
        operators = try PresetError.from { try OperatorsRepo(chat).all() }
        servers = try PresetError.from { try ServersRepo(chat).all(of: user) }
        let all = try PresetError.from { try repo.usage(of: user, includingDeleted: true) }
        profiles = try PresetError.from { try UsersRepo(chat).all().map(\.name) }
        hiddenProfiles = try PresetError.from { try UsersRepo(chat).hiddenCount() }
        // A soft-deleted relay without a choice was deleted by the user, perhaps in another app.
        choices = Dictionary(
            all.filter(\.relay.isDeleted).map { ($0.relay.choiceKey, .deleted) },
            uniquingKeysWith: { first, _ in first }
        ).merging(try PresetError.from { try chat.presetChoices(of: user) }, uniquingKeysWith: { $1 })
        relays = all.filter { !$0.relay.isDeleted }
        serversByKey = Dictionary(servers.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        relaysByKey = Dictionary(relays.map { ($0.relay.addressKey, $0) }, uniquingKeysWith: { first, _ in first })
        deletedRelays = Dictionary(
            all.filter(\.relay.isDeleted).map { ($0.relay.addressKey, $0) },
            uniquingKeysWith: { $0.relay.id > $1.relay.id ? $0 : $1 })
    }

    /// The same without the other profiles.
    var alone: PresetState {
        var alone = self
        (alone.profiles, alone.hiddenProfiles) = ([], 0)
        return alone
    }

    /// The operator of the store for each operator of a preset, or nil. It has the same tag; for one without a tag, it
    /// has no tag either and the same domains or else the same trade name. No two are the same one.
    func matches(_ presets: [PresetOperator]) -> [ServerOperator?] {
        let tagged = Dictionary(
            operators.compactMap { stored in stored.tag.map { ($0, stored) } }, uniquingKeysWith: { first, _ in first })
        var matches = presets.map { preset in preset.tag.flatMap { tagged[$0] } }
        var untagged = operators.filter { $0.tag == nil }
        func match<Key: Hashable>(_ ofPreset: (PresetOperator) -> Key?, _ ofStored: (ServerOperator) -> Key) {
            // The first of several is the last to be popped.
            var free = Dictionary(grouping: untagged.reversed(), by: ofStored)
            for (index, preset) in presets.enumerated() where preset.tag == nil && matches[index] == nil {
                matches[index] = ofPreset(preset).flatMap { free[$0]?.popLast() }
            }
            let matched = Set(matches.compactMap { $0?.id })
            untagged.removeAll { matched.contains($0.id) }
        }
        match({ $0.domains.isEmpty ? nil : $0.domains }, \.domains)
        match(\.tradeName, \.tradeName)
        return matches
    }
}

/// The data of an operator in a file, without its switch.
enum OperatorFields {
    static func differences(of stored: PresetOperator, from preset: PresetOperator) -> [PresetChange.Field] {
        var fields = names(of: stored, from: preset)
        fields.note("smpRoles", stored.smpRoles, preset.smpRoles, shown)
        fields.note("xftpRoles", stored.xftpRoles, preset.xftpRoles, shown)
        return fields
    }

    /// Names and domains only, which is what follows a shipped preset.
    static func names(of stored: PresetOperator, from preset: PresetOperator) -> [PresetChange.Field] {
        var fields: [PresetChange.Field] = []
        fields.note("tradeName", stored.tradeName, preset.tradeName)
        fields.note("legalName", stored.legalName, preset.legalName) { PresetValue($0) }
        fields.note("domains", stored.domains, preset.domains)
        return fields
    }

    private static func shown(_ roles: ServerRoles) -> PresetValue {
        .texts([("storage", roles.storage), ("proxy", roles.proxy), ("names", roles.names)].filter(\.1).map(\.0))
    }
}

extension PresetOperator {
    /// The operator, with the store's data where the preset has none: missing data is no change.
    func completed(from stored: PresetOperator) -> PresetOperator {
        var preset = self
        preset.legalName = legalName ?? stored.legalName
        if domains.isEmpty { preset.domains = stored.domains }
        if !tellsRoles { (preset.smpRoles, preset.xftpRoles) = (stored.smpRoles, stored.xftpRoles) }
        return preset
    }
}
