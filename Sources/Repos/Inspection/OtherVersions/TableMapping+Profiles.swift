extension TableMapping {
    /// Profiles, contacts, links to them, and the app's settings.
    static let profiles = [
        TableMapping(
            table: "users",
            // The first versions have one profile, which is always active.
            computed: [Computed("active_user", "1"), Computed("active_order", "1")], holds: "profiles",
            tells: [("active_user", "second profile"), ("view_pwd_hash", "hidden profiles")]),
        TableMapping(table: "contacts", holds: "contacts"),
        TableMapping(table: "contact_requests", ids: ["xcontact_id"]),
        TableMapping(table: "user_contact_links", ids: ["group_link_id"]),
        TableMapping(table: "app_settings", computed: [Computed("app_settings_id", "rowid")]),
    ]
}
