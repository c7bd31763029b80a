/// A profile, and how much in it is waiting to be read. Rule: docs/domain.md, "Profiles".
public struct UserInfo: Sendable, Hashable {
    /// The profile.
    public let user: User
    /// Unread chat items in chats that are not muted.
    public let unread: Int

    package init(user: User, unread: Int) {
        self.user = user
        self.unread = unread
    }
}

/// How much a profile has.
public struct UserContents: Sendable, Hashable {
    /// Contacts, without the profile's own and without soft-deleted ones.
    public let contacts: Int
    /// Groups that are no channels.
    public let groups: Int
    /// Channels, its own and those of others.
    public let channels: Int
    /// Relays to choose from: those that are not soft-deleted.
    public let relays: Int
    /// SMP and XFTP servers.
    public let servers: Int
    /// Chat items, those marked deleted among them.
    public let chatItems: Int
    /// Files sent and received.
    public let files: Int

    package init(
        contacts: Int, groups: Int, channels: Int, relays: Int, servers: Int, chatItems: Int, files: Int
    ) {
        self.contacts = contacts
        self.groups = groups
        self.channels = channels
        self.relays = relays
        self.servers = servers
        self.chatItems = chatItems
        self.files = files
    }
}
