import Engine
import Schema

/// What a plan is made against: the operators of the store and the entries of one profile, read in five statements.
struct PresetState {
    let operators: [ServerOperator]
    let servers: [ProtocolServer]
    /// Relays that are not deleted, with their use.
    let relays: [RelayUsage]
    /// Soft-deleted relays by address key, of several the newest.
    let deletedRelays: [String: RelayUsage]

    init(of user: UserID, in chat: any ReadTransaction) throws(PresetError) {
        let repo = ChatRelaysRepo(chat)
        operators = try PresetError.from { try OperatorsRepo(chat).all() }
        servers = try PresetError.from { try ServersRepo(chat).all(of: user) }
        let all = try PresetError.from { try repo.usage(of: user, includingDeleted: true) }
        relays = all.filter { !$0.relay.isDeleted }
        deletedRelays = Dictionary(
            all.filter(\.relay.isDeleted).map { ($0.relay.addressKey, $0) },
            uniquingKeysWith: { $0.relay.id > $1.relay.id ? $0 : $1 })
    }

    /// The operator of the store that one of a preset is: that with its tag; without a tag, that with its domains, or
    /// else with its trade name, among those without a tag.
    func match(_ preset: PresetOperator) -> ServerOperator? {
        if let tag = preset.tag { return operators.first { $0.tag == tag } }
        let untagged = operators.filter { $0.tag == nil }
        return untagged.first { !preset.domains.isEmpty && $0.domains == preset.domains }
            ?? untagged.first { $0.tradeName == preset.tradeName }
    }
}
