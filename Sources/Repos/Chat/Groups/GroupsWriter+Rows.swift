import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

/// A group whose row is to be made; its profile was checked.
struct NewGroup {
    let profile: GroupProfile
    let isChannel: Bool
    let isCreating: Bool
    var link: GroupLink?
    var welcomeMessage: String?
}

extension GroupsWriter {
    /// Makes the rows of a group and its profile, with a name of its own in the profile.
    func insert(_ group: NewGroup, of user: UserID) throws(GroupsError) -> GroupID {
        let profile = group.profile
        let localName = try claimName(profile.displayName, of: user)
        let profileID = GroupProfileID(
            try insert(
                """
                INSERT INTO group_profiles (
                    user_id, display_name, full_name, short_descr, description, image, preferences,
                    created_at, updated_at)
                VALUES (
                    \(user), \(profile.displayName), \(profile.fullName), \(profile.shortDescription),
                    \(profile.welcome), \(profile.image), \(profile.preferences), \(now), \(now))
                """, returning: "group_profile_id"))
        return GroupID(
            try insert(
                """
                INSERT INTO groups (
                    user_id, group_profile_id, local_display_name, use_relays, creating_in_progress,
                    conn_full_link_to_connect, conn_short_link_to_connect, welcome_shared_msg_id,
                    chat_ts, created_at, updated_at)
                VALUES (
                    \(user), \(profileID), \(localName), \(group.isChannel), \(group.isCreating),
                    \(group.link?.full), \(group.link?.short), \(group.welcomeMessage), \(now), \(now), \(now))
                """, returning: "group_id"))
    }

    func checked(_ profile: GroupProfile) throws(GroupsError) -> GroupProfile {
        var profile = profile
        profile.displayName = try asGroupsError(GroupsError.invalidGroupName) { () throws(NameProblem) in
            try NameRule.checked(profile.displayName)
        }
        return profile
    }
}

extension Writer where Failure == GroupsError {
    /// Takes a name in the profile's lists for a new group or member; see `DisplayNamesWriter.claim`.
    func claimName(_ base: String, of user: UserID) throws(GroupsError) -> String {
        do throws(StoreError) {
            return try DisplayNamesWriter(tx: tx, clock: clock).claim(base, of: user)
        } catch {
            throw .store(error)
        }
    }
}
