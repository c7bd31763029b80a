extension Catalogue {
    /// Chat relays, and the part each has in a channel.
    static let chatRelays: [CatalogueTable] = [
        CatalogueTable(
            "chat_relays", "A chat relay that a profile may choose for a new channel, or that was one.",
            [
                .public("chat_relay_id", "the relay's number"),
                .public("user_id", "the profile whose relay it is"),
                .personal("address", "link to the relay, as it was given"),
                .personal("display_name", "the relay's name, may be empty"),
                .personal("domains", "domains the relay serves, separated by commas; empty for none"),
                .public("preset", "1 when it came with an operator's preset, 0 for the user's own"),
                .public("tested", "result of the last test: 1 passed, 0 failed, NULL untested"),
                .personal("tested_at", "when it was last tested, UTC"),
                .public("enabled", "0 when the profile has switched it off"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .public("deleted", "1 when soft-deleted: offered no more, its channels keep it"),
                .personal("address_key", "type, key and primary host: what makes two addresses the same relay"),
            ]),
        CatalogueTable(
            "group_relays", "A relay of a channel, as the channel's owner sees it.",
            [
                .public("group_relay_id", "the row's number"),
                .public("group_id", "the channel"),
                .public("group_member_id", "the relay as a member of the channel"),
                .public("chat_relay_id", "the relay in the profile's list"),
                .public("relay_status", "how far it has come: new, invited, accepted, …, active, inactive, rejected"),
                .personal("relay_link", "the link at which the relay serves this channel, once accepted"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
