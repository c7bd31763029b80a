import Engine
import Repos
import Schema

/// Relays of a profile by what people call them: name, address, id, or a host that only one of them has.
enum RelayFinder {
    static func find(_ given: String, of user: User, in chat: any ReadTransaction) throws -> ChatRelay {
        let handle = Handle(given)
        let relays = ChatRelaysRepo(chat)
        if let name = handle.name, let relay = try one(try relays.find(named: name, of: user.id), given) {
            return relay
        }
        if let text = handle.other, let address = try? RelayAddress(text),
            let relay = try relays.find(sameAs: address, of: user.id)
        {
            return relay
        }
        if let id = handle.id, let relay = try relays.find(ChatRelayID(id), of: user.id) { return relay }
        let all = try relays.all(of: user.id)
        if let host = handle.other?.lowercased(),
            let relay = try one(all.filter { $0.host.lowercased() == host }, given)
        {
            return relay
        }
        throw NameError.notFound(
            code: "relayNotFound", message: "the profile \"\(user.name)\" has no relay \"\(handle.text)\"",
            name: handle.text, candidates: all.flatMap { [$0.name, $0.host] }, list: "chatdb relay list")
    }

    private static func one(_ found: [ChatRelay], _ given: String) throws -> ChatRelay? {
        if found.count > 1 {
            throw NameError.ambiguous(
                what: "relay", name: given, candidates: found.map { "id:\($0.id) (\($0.calledName))" })
        }
        return found.first
    }
}

extension ChatRelay {
    /// What it is called in lists: its name, which tells it from its operator's others as the shown name does not.
    var calledName: String { name.isEmpty ? shownName : name }
}
