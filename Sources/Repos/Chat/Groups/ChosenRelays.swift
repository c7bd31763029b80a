import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

/// The relays that somebody chose for a channel. Rule: docs/domain.md, "Choosing relays".
enum ChosenRelays {
    /// Those of the numbers given, each once. Throws `noEnabledRelays` for none at all, `relayNotFound` and
    /// `relayDisabled` for one that a channel cannot choose.
    static func checked(
        _ chosen: [ChatRelayID], of user: UserID, in tx: any ReadTransaction
    ) throws(GroupsError) -> [ChatRelay] {
        if chosen.isEmpty { throw .relays(.noEnabledRelays) }
        let (all, choosable) = try asGroupsError { () throws(ChatRelaysError) in
            let relays = ChatRelaysRepo(tx)
            return (try relays.all(of: user), Set(try relays.choosable(of: user).map(\.id)))
        }
        var relays: [ChatRelay] = []
        for id in chosen where !relays.contains(where: { $0.id == id }) {
            guard let relay = all.first(where: { $0.id == id }) else { throw .relays(.relayNotFound(.id(id))) }
            guard choosable.contains(id) else { throw .relayDisabled(relay) }
            relays.append(relay)
        }
        return relays
    }
}
