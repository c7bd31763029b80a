import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Who reacts to an item.
/// Rule: docs/domain.md, "Chat items", Reactions.
public enum Reactor: Sendable, Hashable {
    /// The profile itself.
    case user
    /// The contact whose chat it is.
    case contact
    /// A member of the group.
    case member(GroupMemberID)
}

extension ChatItemsWriter {
    /// Adds a reaction and answers whether it is new: everybody has each reaction to an item once.
    ///
    /// Throws `chatItemNotFound`, `chatItemDeleted`, `memberNotFound`, and `wrongReactor` for a contact outside of the
    /// chat with one.
    @discardableResult
    public func react(
        _ reaction: String, to id: ChatItemID, by reactor: Reactor, at time: StoredTime, of user: UserID
    ) throws(ChatsError) -> Bool {
        let member = try checked(reactor, reactingTo: id, of: user)
        return try run(
            """
            INSERT INTO chat_item_reactions (
                chat_item_id, group_member_id, reaction, reaction_sent, reaction_ts, created_at, updated_at)
            VALUES (\(id), \(member), \(reaction), \(reactor == .user), \(time.text), \(now), \(now))
            ON CONFLICT DO NOTHING
            """) == 1
    }

    /// Takes a reaction back and answers whether it was there. Throws as `react` does.
    @discardableResult
    public func unreact(
        _ reaction: String, to id: ChatItemID, by reactor: Reactor, of user: UserID
    ) throws(ChatsError) -> Bool {
        let member = try checked(reactor, reactingTo: id, of: user)
        let whose: Query = member.map { "group_member_id = \($0)" } ?? "group_member_id IS NULL"
        return try run(
            """
            DELETE FROM chat_item_reactions
            WHERE chat_item_id = \(id) AND reaction = \(reaction) AND reaction_sent = \(reactor == .user) AND \(whose)
            """) == 1
    }

    private func checked(
        _ reactor: Reactor, reactingTo id: ChatItemID, of user: UserID
    ) throws(ChatsError) -> GroupMemberID? {
        let item = try items.get(id, of: user)
        if item.isDeleted { throw .chatItemDeleted(id) }
        switch reactor {
        case .user: return nil
        case .contact:
            guard item.chat?.contactID != nil else { throw .wrongReactor(id) }
            return nil
        case .member(let member):
            try requireMember(member, in: item.chat, of: user)
            return member
        }
    }
}
