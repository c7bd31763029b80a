/// Profiles: alice (active), work, mask (hidden), lost (unknown to the agent).
extension SimplexRows {
    /// Preferences as the app writes those that it knows.
    static let preferences = #"{"calls":{"allow":"no"}}"#
    /// The same preferences as bob and the channel news sent them, with one that the app does not know.
    static let received = #"{"calls":{"allow":"no"},"dances":{"allow":"yes"}}"#

    var people: [Row] {
        let names = [(1, "alice"), (2, "work"), (3, "mask"), (4, "lost")]
        return names.flatMap { id, name in
            [
                Row(
                    "users",
                    [
                        "user_id": "\(id)", "contact_id": "\(id)", "local_display_name": "'\(name)'",
                        "active_user": id == 1 ? "1" : "0", "active_order": id == 1 ? "5" : "0",
                        "agent_user_id": id == 4 ? "99" : "\(id)",
                        "auto_accept_group_invitations": "1", "shown_badge_id": id == 1 ? "1" : "NULL",
                        "view_pwd_hash": id == 3 ? "x'0102'" : "NULL", "view_pwd_salt": id == 3 ? "x'03'" : "NULL",
                        "created_at": Self.time, "updated_at": Self.time,
                    ])
            ] + contact(id, name, of: id, isUser: true)
        }
            + contact(11, "bob", of: 1) + contact(12, "carol", of: 1) + contact(13, "gone", of: 1, deleted: true)
            + contact(21, "boss", of: 2)
    }

    private func contact(
        _ id: Int, _ name: String, of user: Int, isUser: Bool = false, deleted: Bool = false
    ) -> [Row] {
        [
            Row(
                "display_names",
                ["user_id": "\(user)", "local_display_name": "'\(name)'", "ldn_base": "'\(name)'", "ldn_suffix": "0"]),
            Row(
                "contact_profiles",
                [
                    "contact_profile_id": "\(id)", "display_name": "'\(name)'", "full_name": "''",
                    "user_id": "\(user)", "contact_link": Self.bytes("simplex:/a#x"), "local_alias": "NULL",
                    "preferences": "'\(Self.preferences)'",
                    "preferences_json": id == 11 ? "'\(Self.received)'" : "NULL",
                ]),
            Row(
                "contacts",
                [
                    "contact_id": "\(id)", "contact_profile_id": "\(id)", "user_id": "\(user)",
                    "local_display_name": "'\(name)'", "is_user": isUser ? "1" : "0", "deleted": deleted ? "1" : "0",
                    "contact_used": "NULL", "updated_at": Self.time,
                ]),
        ]
    }
}
