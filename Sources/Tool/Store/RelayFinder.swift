import Engine
import Repos
import Schema

/// Relays of a profile by what people call them: name, id, address, or a host that only one of them has.
enum RelayFinder {
    static func find(_ given: String, of user: UserID, in chat: any ReadTransaction) throws -> ChatRelay {
        let handle = Handle(given)
        let relays = ChatRelaysRepo(chat)
        if let name = handle.name {
            if let relay = try one(try relays.find(named: name, of: user), given) { return relay }
            if let address = try? RelayAddress(name), let relay = try relays.find(sameAs: address, of: user) {
                return relay
            }
        }
        if let id = handle.id, let relay = try relays.find(ChatRelayID(id), of: user) { return relay }
        let all = try relays.all(of: user)
        if let name = handle.name?.lowercased(),
            let relay = try one(all.filter { $0.host.lowercased() == name }, given)
        {
            return relay
        }
        throw NameError.notFound(
            code: "relayNotFound", what: "relay", name: handle.text, candidates: all.flatMap { [$0.name, $0.host] },
            list: "chatdb relay list")
    }

    private static func one(_ found: [ChatRelay], _ given: String) throws -> ChatRelay? {
        if found.count > 1 {
            throw NameError.ambiguous(
                what: "relay", name: given, candidates: found.map { "id:\($0.id) \($0.shownName)" })
        }
        return found.first
    }
}
