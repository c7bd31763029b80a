extension Catalogue {
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
            ]),
        CatalogueTable(
            "contact_profiles", "What somebody says of themselves: a contact, a member, or the profile itself.",
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
