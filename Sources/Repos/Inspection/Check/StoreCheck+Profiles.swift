import ChatDBEngine
import ChatDBReposChat
import ChatDBReposKit
import ChatDBSchema

/// Rule: docs/domain.md, "Profiles". Hidden profiles are counted and never named.
extension StoreCheck {
    private static let visible: Query = "CASE WHEN view_pwd_hash IS NULL THEN users.user_id END"

    private static let ownContact: Query = """
        contacts.contact_id = users.contact_id AND contacts.user_id = users.user_id AND contacts.is_user = 1
        """

    /// The checks of references report a profile with the contact of another profile.
    static let ofProfiles = [
        StoreCheck(
            "severalActiveProfiles", .error, "profiles that are active at the same time", isGeneral: true,
            rows: [
                """
                SELECT \(visible) FROM users
                WHERE active_user = 1 AND (SELECT count(*) FROM users AS other WHERE other.active_user = 1) > 1
                ORDER BY users.user_id
                """
            ],
            repair: .statement(
                "keeps the most recently used one active",
                """
                UPDATE users SET active_user = 0
                WHERE active_user = 1 AND user_id <> (
                    SELECT user_id FROM users WHERE active_user = 1 ORDER BY active_order DESC, user_id DESC LIMIT 1)
                """)),
        StoreCheck(
            "noActiveProfile", .warning, "stores that have profiles, but no active one", isGeneral: true,
            rows: [
                """
                SELECT NULL WHERE EXISTS (SELECT 1 FROM users WHERE view_pwd_hash IS NULL)
                    AND NOT EXISTS (SELECT 1 FROM users WHERE active_user = 1)
                """
            ],
            repair: Repair(act: "activates the most recently used one") { rows in
                guard let last = try UsersRepo(rows.chat).all().first else { return 0 }
                _ = try UsersWriter(rows.chat, clock: rows.clock).activate(last.id)
                return 1
            }),
        StoreCheck(
            "profileWithoutOwnContact", .error,
            "profiles whose own contact is missing, or is not marked as their own", isGeneral: true,
            needs: ["contacts"],
            rows: [
                """
                SELECT \(visible) FROM users
                WHERE NOT EXISTS (
                    SELECT 1 FROM contacts
                    WHERE contacts.contact_id = users.contact_id
                        AND (contacts.is_user = 1 OR contacts.user_id <> users.user_id))
                ORDER BY users.user_id
                """
            ]),
        StoreCheck(
            "strayOwnContact", .warning, "contacts that are marked as a profile's own, but belong to no profile",
            isGeneral: true, needs: ["users"],
            rows: [
                """
                SELECT contact_id FROM contacts
                WHERE is_user = 1 AND NOT EXISTS (
                    SELECT 1 FROM users LEFT JOIN contacts AS own ON own.contact_id = users.contact_id
                    WHERE users.contact_id = contacts.contact_id
                        OR users.user_id = contacts.user_id AND own.user_id <> users.user_id)
                ORDER BY contact_id
                """
            ]),
        // A crash can leave such profiles, or a program that copied a profile. Each of the two would take the other's
        // connections and messages.
        StoreCheck(
            "sharedAgentProfile", .error, "profiles that have the agent user of another profile", isGeneral: true,
            rows: [
                """
                SELECT \(visible) FROM users
                WHERE agent_user_id <> 0 AND EXISTS (
                    SELECT 1 FROM users AS other
                    WHERE other.agent_user_id = users.agent_user_id AND other.user_id <> users.user_id)
                ORDER BY users.user_id
                """
            ]),
        // `severalActiveProfiles` reports several active profiles.
        StoreCheck(
            "hiddenActiveProfile", .warning, "stores whose active profile is hidden", isGeneral: true,
            rows: [
                """
                SELECT NULL FROM users
                WHERE active_user = 1 AND view_pwd_hash IS NOT NULL
                    AND (SELECT count(*) FROM users AS other WHERE other.active_user = 1) = 1
                """
            ]),
        StoreCheck(
            "ownNameDiffers", .warning, "profiles whose name differs from that of their own contact", isGeneral: true,
            rows: [
                """
                SELECT \(visible) FROM users JOIN contacts ON \(ownContact)
                WHERE contacts.local_display_name <> users.local_display_name ORDER BY users.user_id
                """
            ]),
        StoreCheck(
            "halfHiddenProfile", .error, "profiles with the hash of a password but no salt, or with a salt but no hash",
            isGeneral: true,
            rows: ["SELECT NULL FROM users WHERE (view_pwd_hash IS NULL) <> (view_pwd_salt IS NULL)"]),
        StoreCheck(
            "hiddenProfileNotMuted", .warning, "hidden profiles whose notifications are on", isGeneral: true,
            rows: ["SELECT NULL FROM users WHERE view_pwd_hash IS NOT NULL AND show_ntfs = 1"],
            repair: .statement(
                "mutes them", "UPDATE users SET show_ntfs = 0 WHERE view_pwd_hash IS NOT NULL AND show_ntfs = 1")),
        StoreCheck(
            "severalAddresses", .warning, "additional addresses of a profile", isGeneral: true,
            rows: [
                """
                SELECT user_contact_link_id FROM user_contact_links
                WHERE group_id IS NULL AND EXISTS (
                    SELECT 1 FROM user_contact_links AS other
                    WHERE other.user_id = user_contact_links.user_id AND other.group_id IS NULL
                        AND other.user_contact_link_id < user_contact_links.user_contact_link_id)
                ORDER BY user_contact_link_id
                """
            ]),
    ]
}
