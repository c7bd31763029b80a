import ChatDBKit

/// What the rules of soft delete say of the relays of two profiles and their channels, in the simplest way: a list of
/// everything that ever was.
struct RelayModel {
    struct Relay: Equatable {
        let id: ChatRelayID
        let user: UserID
        let host: String
        var isDeleted = false
        var isEnabled = true
    }

    struct Channel: Equatable {
        let id: GroupID
        let user: UserID
        let relays: [ChatRelayID]
        var isLeft = false
    }

    var relays: [Relay] = []
    var channels: [Channel] = []

    /// The relay of a profile at a host that is not deleted.
    func live(_ host: String, of user: UserID) -> Relay? {
        relays.first { $0.user == user && $0.host == host && !$0.isDeleted }
    }

    /// The newest deleted row of a profile at a host.
    func deleted(_ host: String, of user: UserID) -> Relay? {
        relays.filter { $0.user == user && $0.host == host && $0.isDeleted }.max { $0.id < $1.id }
    }

    func isReferenced(_ id: ChatRelayID) -> Bool { channels.contains { $0.relays.contains(id) } }

    func channelsUsing(_ id: ChatRelayID) -> Int { channels.count { !$0.isLeft && $0.relays.contains(id) } }

    mutating func update(_ id: ChatRelayID, _ change: (inout Relay) -> Void) {
        for index in relays.indices where relays[index].id == id { change(&relays[index]) }
    }

    mutating func delete(_ id: ChatRelayID) {
        if isReferenced(id) {
            update(id) { $0.isDeleted = true }
        } else {
            relays.removeAll { $0.id == id }
        }
    }

    mutating func deleteChannel(_ id: GroupID) {
        channels.removeAll { $0.id == id }
        relays = relays.filter { !$0.isDeleted || isReferenced($0.id) }
    }
}
