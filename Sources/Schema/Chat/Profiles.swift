/// The number of a profile: `users.user_id` of the chat database.
public typealias UserID = RowID<User>

/// A profile of the store, without the password hash of a hidden one. Rule: docs/domain.md, "Profiles".
public struct User: Sendable, Hashable {
    /// Its number in the chat database.
    public let id: UserID
    /// Its number in the agent database.
    public let agentUserID: AgentUserID
    /// The contact that stands for the profile itself.
    public let contactID: ContactID
    /// The name, unique among the profiles of the store.
    public let name: String
    /// Whether it is the active profile; at most one is.
    public let isActive: Bool
    /// The order of activation: the profile with the highest number was active last.
    public let activeOrder: Int64
    /// Whether it is left out of lists, exports and reports.
    public let isHidden: Bool
    /// Whether its messages may raise notifications; those of a hidden profile never do.
    public let showsNotifications: Bool
    /// Whether its contacts get delivery receipts, where nothing else is set for the contact.
    public let sendsReceiptsToContacts: Bool
    /// Whether members of its small groups get delivery receipts, where nothing else is set for the group.
    public let sendsReceiptsToSmallGroups: Bool
    /// Whether it joins a group as soon as a contact invites it.
    public let acceptsGroupInvitations: Bool

    package init(
        id: UserID, agentUserID: AgentUserID, contactID: ContactID, name: String, isActive: Bool, activeOrder: Int64,
        isHidden: Bool, showsNotifications: Bool, sendsReceiptsToContacts: Bool, sendsReceiptsToSmallGroups: Bool,
        acceptsGroupInvitations: Bool
    ) {
        self.id = id
        self.agentUserID = agentUserID
        self.contactID = contactID
        self.name = name
        self.isActive = isActive
        self.activeOrder = activeOrder
        self.isHidden = isHidden
        self.showsNotifications = showsNotifications
        self.sendsReceiptsToContacts = sendsReceiptsToContacts
        self.sendsReceiptsToSmallGroups = sendsReceiptsToSmallGroups
        self.acceptsGroupInvitations = acceptsGroupInvitations
    }
}

/// A profile with the number of its unread items. Rule: docs/domain.md, "Profiles".
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

/// Counts of what a profile has.
public struct UserContents: Sendable, Hashable {
    /// Contacts, without the profile's own and without soft-deleted ones.
    public let contacts: Int
    /// Groups, without channels.
    public let groups: Int
    /// Channels, its own and those of others.
    public let channels: Int
    /// Relays that are not soft-deleted.
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

extension CatalogueTable {
    /// Profiles, their names, and their settings.
    static let chatProfiles: [CatalogueTable] = [
        CatalogueTable(
            "users", "A profile of the person who uses the store.",
            [
                .public("user_id", "the profile's number"),
                .public("agent_user_id", "the number by which the agent database knows the profile"),
                .public("contact_id", "the profile's own row in contacts"),
                .personal("local_display_name", "the profile's name, unique in the store"),
                .public("active_user", "1 for the one active profile"),
                .public("active_order", "highest for the profile that was active last; lists are sorted by it"),
                .public("show_ntfs", "1 when its messages may raise a notification"),
                .public("send_rcpts_contacts", "1 when contacts get delivery receipts"),
                .public("send_rcpts_small_groups", "1 when members of small groups get delivery receipts"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .secret("view_pwd_hash", "of a hidden profile: SHA-512 over password then salt; else NULL"),
                .secret("view_pwd_salt", "of a hidden profile: 16 random bytes; else NULL"),
                .public("auto_accept_group_invitations", "1 when it joins a group as soon as a contact invites it"),
                .personal("ui_themes", "the colours of its chats: a JSON document; NULL for those of the app"),
            ]),
        CatalogueTable(
            "contact_profiles", "The profile that a person publishes: of a contact, a member, or the profile itself.",
            [
                .public("contact_profile_id", "the row's number"),
                .public("user_id", "the profile in whose lists it is"),
                .personal("display_name", "the name its owner chose"),
                .personal("full_name", "the longer name, may be empty"),
                .personal("short_descr", "a line about its owner"),
                .personal("image", "picture as data URI"),
                .personal("contact_link", "address at which its owner can be reached"),
                .personal("local_alias", "the name the profile gave to this person, may be empty"),
                .personal("preferences", "what its owner allows in a chat: a JSON document"),
                .public("incognito", "1 for a random profile made for one connection"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .personal("description", "a longer text about its owner"),
                .state("chat_peer_type", "bot for a program; human or NULL for a person", ChatPeerType.self),
            ]),
        CatalogueTable(
            "display_names", "A name taken within a profile, by a contact, a group or a member.",
            [
                .public("user_id", "the profile in which the name is unique"),
                .personal("local_display_name", "the name with its suffix, as shown"),
                .personal("ldn_base", "the name without suffix"),
                .public("ldn_suffix", "the number after the underscore; 0 for none"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "settings", "The settings of one profile.",
            [
                .public("settings_id", "the row's number"),
                .public("user_id", "the profile whose settings they are"),
                .public("chat_item_ttl", "seconds after which messages are removed; NULL keeps them"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "app_settings", "The one row of settings of the app's screens, for all profiles.",
            [
                .public("app_settings_id", "always 1"),
                .personal("app_settings", "the settings: a JSON document"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
