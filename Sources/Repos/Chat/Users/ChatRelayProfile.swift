import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// The profile that is a chat relay. Rule: docs/domain.md, "Relay operators".
extension UsersRepo {
    /// The profile that is the chat relay of the store, hidden or not; nil when none is. If another program made several
    /// profiles relays, the one with the lowest number.
    public func chatRelay() throws(UsersError) -> User? {
        try first("SELECT \(User.columns) FROM users WHERE is_user_chat_relay = 1 ORDER BY user_id LIMIT 1")
    }
}

extension UsersWriter {
    /// Makes a profile the chat relay of the store, or an ordinary profile again. An app serves one chat relay, so a
    /// store has one. A profile that serves groups, or has requests that wait, stays a relay.
    ///
    /// Throws `profileNotFound`, `otherChatRelay` when another profile is the relay, and `chatRelayInUse`; nothing
    /// changes then.
    @discardableResult
    public func setChatRelay(_ isOn: Bool, of id: UserID, hidden: HiddenProfiles = .leftOut) throws(UsersError) -> User
    {
        let users = UsersRepo(tx)
        let user = try users.get(id, hidden: hidden)
        if user.isChatRelay == isOn { return user }
        if isOn {
            if let other = try users.chatRelay() { throw .otherChatRelay(other, than: user) }
        } else {
            let groups = try users.count(
                """
                SELECT count(*) FROM groups
                WHERE user_id = \(id) AND relay_own_status IS NOT NULL
                    AND (relay_own_status IN ('accepted', 'acknowledged_roster', 'active')
                        OR relay_own_status = 'invited' AND relay_request_failed = 0
                            AND relay_request_err_reason IS NULL)
                """)
            if groups > 0 { throw .chatRelayInUse(user, groups: groups) }
        }
        try run("UPDATE users SET is_user_chat_relay = \(isOn), updated_at = \(now) WHERE user_id = \(id)")
        return try users.get(id, hidden: hidden)
    }
}
