package import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// The author of a reaction. Rule: docs/domain.md, "Chat items", Reactions.
public enum Reactor: Sendable, Hashable {
    /// The profile itself.
    case user
    /// The contact of the chat.
    case contact
    /// A member of the group.
    case member(GroupMemberID)
}

/// A reaction of one person to an item. Rule: docs/domain.md, "Chat items", Reactions.
public struct ItemReaction: Sendable, Hashable {
    /// Who reacted.
    public let reactor: Reactor
    /// The reaction, as it is stored.
    public let reaction: String
    /// The time of the reaction.
    public let time: StoredTime
}

extension ChatItemsRepo {
    /// Who reacted to an item, by time, or only those with one reaction. The list is empty when there are none. Throws
    /// `chatItemNotFound`.
    public func reactors(
        to id: ChatItemID, with reaction: String? = nil, of user: UserID
    ) throws(ChatsError) -> [ItemReaction] {
        _ = try get(id, of: user)
        let isAsked: Query = reaction.map { "AND reaction = \($0)" } ?? ""
        return try all(
            """
            SELECT group_member_id, reaction, reaction_sent, reaction_ts FROM chat_item_reactions
            WHERE chat_item_id = \(id) \(isAsked)
            ORDER BY reaction_ts, chat_item_reaction_id
            """)
    }
}

extension ItemReaction: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        let member: GroupMemberID? = try row.get("group_member_id")
        let isOwn: Bool = try row.get("reaction_sent")
        reactor = member.map { .member($0) } ?? (isOwn ? .user : .contact)
        reaction = try row.get("reaction")
        time = try row.time("reaction_ts")
    }
}

extension ChatItemsWriter {
    /// Adds a reaction and returns whether it is new: each person has each reaction to an item once.
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

    /// Removes a reaction and returns whether it existed. Throws as `react` does.
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
