/// How much a group or channel holds. Rule: docs/domain.md, "Groups and channels".
public struct GroupContents: Sendable, Hashable {
    /// Chat items, those marked deleted among them.
    public let chatItems: Int
    /// Of these, how many nobody has read yet.
    public let unread: Int
    /// Files sent and received.
    public let files: Int

    package init(chatItems: Int, unread: Int, files: Int) {
        self.chatItems = chatItems
        self.unread = unread
        self.files = files
    }
}
