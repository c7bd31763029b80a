import ChatDBKit
import Synchronization

/// The hidden profiles that one client has unlocked with their password. For other clients they stay hidden.
final class UnlockedProfiles: Sendable {
    private let users = Mutex<Set<UserID>>([])

    /// What the repositories show the client.
    var profiles: HiddenProfiles {
        let users = users.withLock(\.self)
        return users.isEmpty ? .leftOut : .unlocked(users)
    }

    /// Whether the client has unlocked a profile.
    func has(_ user: UserID) -> Bool { users.withLock { $0.contains(user) } }

    /// Unlocks profiles until the client disconnects.
    func unlock(_ more: Set<UserID>) { users.withLock { $0.formUnion(more) } }
}
