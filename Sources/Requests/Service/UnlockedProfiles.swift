import ChatDBKit
import Synchronization

/// How often each profile was hidden, unhidden or deleted by this service. A client that unlocked a profile earlier has
/// not unlocked what its number stands for now.
final class HidingCounts: Sendable {
    private let counts = Mutex<[UserID: Int]>([:])

    func add(_ user: UserID) { counts.withLock { $0[user, default: 0] += 1 } }

    subscript(_ user: UserID) -> Int { counts.withLock { $0[user] ?? 0 } }
}

/// The hidden profiles that one client has unlocked with their password. For other clients they stay hidden.
final class UnlockedProfiles: Sendable {
    /// The profiles with their counts at the time.
    private let users = Mutex<[UserID: Int]>([:])

    /// What the repositories show the client.
    func profiles(_ hiding: HidingCounts) -> HiddenProfiles {
        let valid = users.withLock { users in users.filter { hiding[$0.key] == $0.value }.keys }
        return valid.isEmpty ? .leftOut : .unlocked(Set(valid))
    }

    /// Whether the client has unlocked a profile.
    func has(_ user: UserID, _ hiding: HidingCounts) -> Bool { users.withLock { $0[user] == hiding[user] } }

    /// Unlocks profiles until the client disconnects.
    func unlock(_ more: Set<UserID>, _ hiding: HidingCounts) {
        users.withLock { users in for user in more { users[user] = hiding[user] } }
    }
}
