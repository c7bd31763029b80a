import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// The profile with which a prepared group is joined. Rule: docs/domain.md, "Prepared groups", Choosing the profile.
extension GroupsWriter {
    /// Gives the membership of a prepared group a new random profile, or with nil the profile's own again. The previous
    /// random profile is removed.
    ///
    /// Throws `groupNotFound`, `notPrepared`, `alreadyStarted` and `invalidMemberName`; nothing has changed then.
    @discardableResult
    public func setIncognitoProfile(
        _ given: ContactProfileContent?, of id: GroupID, of user: UserID
    ) throws(GroupsError) -> GroupSummary {
        let group = try unstarted(id, of: user)
        try setIncognitoProfile(given, of: group)
        return try GroupsRepo(tx).get(id, of: user)
    }

    /// The same, after the checks.
    func setIncognitoProfile(_ given: ContactProfileContent?, of group: Group) throws(GroupsError) {
        let profiles = ContactProfilesWriter(tx: tx, clock: clock)
        try asGroupsError { () throws(ContactsError) in
            var new: ContactProfileID?
            if let given {
                new = try profiles.insert(
                    ContactProfilesWriter.checked(given), isIncognito: true, of: group.userID)
            }
            try profiles.run(
                """
                UPDATE group_members SET member_profile_id = \(new), updated_at = \(now)
                WHERE group_id = \(group.id) AND user_id = \(group.userID)
                    AND member_category = \(GroupMemberCategory.user)
                """)
            if let old = group.membership?.incognitoProfileID {
                try profiles.deleteUnused([old], of: group.userID)
            }
        }
    }

    /// Moves a prepared group to another profile of the store, with its members, items, messages and files; it gets a
    /// name in the lists of that profile. A random profile is removed, and so are the tags. Nothing changes when it is
    /// the same profile.
    ///
    /// Throws `groupNotFound`, `notPrepared`, `alreadyStarted`, `profileNotFound`, `duplicateGroupLink` when the other
    /// profile has a group with the link, and `ownAddress`; nothing has changed then.
    @discardableResult
    public func move(_ id: GroupID, to newID: UserID, of user: UserID) throws(GroupsError) -> GroupSummary {
        let group = try unstarted(id, of: user)
        let new = try requireProfile(newID)
        if newID == user { return try GroupsRepo(tx).get(id, of: user) }
        if let link = group.linkToConnect {
            switch try GroupsRepo(tx).plan(for: link, of: newID) {
            case .ownLink(let other), .known(let other), .connecting(let other), .prepared(let other):
                throw .duplicateGroupLink(other.group)
            case .ownAddress: throw .ownAddress(link)
            case .ok: break
            }
        }
        try setIncognitoProfile(nil, of: group)
        let name = try claimName(group.displayName, of: newID)
        try run(
            """
            UPDATE group_profiles SET user_id = \(newID), updated_at = \(now)
            WHERE user_id = \(user) AND group_profile_id = (
                SELECT groups.group_profile_id FROM groups WHERE groups.group_id = \(id))
            """)
        try run(
            """
            UPDATE groups SET user_id = \(newID), local_display_name = \(name), updated_at = \(now)
            WHERE group_id = \(id) AND user_id = \(user)
            """)
        let names = try moveMembers(of: group, to: new)
        for table in ["chat_items", "messages", "files"] {
            try run(
                """
                UPDATE \(identifier: table) SET user_id = \(newID), updated_at = \(now)
                WHERE group_id = \(id) AND user_id = \(user)
                """)
        }
        try run(
            """
            UPDATE xftp_file_descriptions SET user_id = \(newID), updated_at = \(now)
            WHERE user_id = \(user) AND file_descr_id IN (
                SELECT rcv_files.file_descr_id FROM files JOIN rcv_files ON rcv_files.file_id = files.file_id
                WHERE files.group_id = \(id)
                UNION ALL
                SELECT snd_files.file_descr_id FROM files JOIN snd_files ON snd_files.file_id = files.file_id
                WHERE files.group_id = \(id))
            """)
        try run("DELETE FROM chat_tags_chats WHERE group_id = \(id)")
        do throws(StoreError) {
            try DisplayNamesWriter(tx: tx, clock: clock).releaseUnused([group.localDisplayName] + names, of: user)
        } catch {
            throw .store(error)
        }
        return try GroupsRepo(tx).get(id, of: newID)
    }

    /// The profile's own membership becomes that of the new profile. The others get names in its lists, and a copy of
    /// their profile, because a contact of the old profile may have the same. Returns their names in the old lists.
    private func moveMembers(of group: Group, to new: User) throws(GroupsError) -> [String] {
        try run(
            """
            UPDATE group_members
            SET user_id = \(new.id), local_display_name = \(new.name), contact_id = \(new.contactID),
                contact_profile_id = (SELECT own.contact_profile_id FROM contacts own
                    WHERE own.contact_id = \(new.contactID)), updated_at = \(now)
            WHERE group_id = \(group.id) AND user_id = \(group.userID)
                AND member_category = \(GroupMemberCategory.user)
            """)
        let others: [MovedMember] = try GroupMembersRepo(tx).all(
            """
            SELECT group_members.group_member_id, group_members.local_display_name, \(ContactProfile.columns)
            FROM group_members
            JOIN contact_profiles ON contact_profiles.contact_profile_id = group_members.contact_profile_id
            WHERE group_members.group_id = \(group.id) AND +group_members.user_id = \(group.userID)
            ORDER BY group_members.group_member_id
            """)
        for other in others {
            let name = try claimName(other.profile.content.displayName, of: new.id)
            try asGroupsError { () throws(ContactsError) in
                let profiles = ContactProfilesWriter(tx: tx, clock: clock)
                let copy = try profiles.insert(other.profile.content, of: new.id)
                try profiles.run(
                    """
                    UPDATE group_members
                    SET user_id = \(new.id), local_display_name = \(name), contact_profile_id = \(copy),
                        contact_id = NULL, invited_by = NULL, updated_at = \(now)
                    WHERE group_member_id = \(other.id)
                    """)
                try profiles.deleteUnused([other.profile.id], of: group.userID)
            }
        }
        return others.map(\.name)
    }

    /// A prepared group that was not started, nor connected to. Throws `groupNotFound`, `notPrepared` and
    /// `alreadyStarted`.
    private func unstarted(_ id: GroupID, of user: UserID) throws(GroupsError) -> Group {
        let group = try GroupsRepo(tx).get(id, of: user).group
        if !group.isPrepared { throw .notPrepared(group) }
        let begun = try GroupsRepo(tx).count(
            """
            SELECT (SELECT count(*) FROM groups WHERE group_id = \(id) AND conn_link_prepared_connection = 1)
                + (SELECT count(*) FROM connections WHERE group_member_id IN (
                    SELECT group_member_id FROM group_members WHERE group_id = \(id)))
            """)
        if group.isStarted || begun > 0 { throw .alreadyStarted(group) }
        return group
    }
}

private struct MovedMember: RowRecord {
    let id: GroupMemberID
    let name: String
    let profile: ContactProfile

    init(row: ResultRow) throws(StoreError) {
        id = try row.get("group_member_id")
        name = try row.get("local_display_name")
        profile = try ContactProfile(row: row)
    }
}
