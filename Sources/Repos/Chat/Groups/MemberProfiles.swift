import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// What members say of themselves. Rule: docs/domain.md, "Groups and channels", Profiles of members.
extension GroupMembersRepo {
    /// The profile of a member, as the group sees it: of the profile itself the random one, if it joined with one.
    /// Throws `memberNotFound`.
    public func profile(of id: GroupMemberID, of user: UserID) throws(GroupsError) -> ContactProfile {
        guard let profile = try profiles(of: [id], of: user)[id] else { throw .memberNotFound(.id(id)) }
        return profile
    }

    /// The profiles of several members, as their groups see them, in one statement. A member of another profile is not
    /// in it.
    public func profiles(
        of members: [GroupMemberID], of user: UserID
    ) throws(GroupsError) -> [GroupMemberID: ContactProfile] {
        let rows: [ProfileOfMember] = try all(
            """
            SELECT group_members.group_member_id, \(ContactProfile.columns) FROM group_members
            JOIN contact_profiles ON contact_profiles.contact_profile_id =
                coalesce(group_members.member_profile_id, group_members.contact_profile_id)
            WHERE group_members.group_member_id IN (\(tx.dialect.numbers(members.map(\.rawValue))))
                AND +group_members.user_id = \(user)
            """)
        return Dictionary(rows.map { ($0.member, $0.profile) }, uniquingKeysWith: { first, _ in first })
    }

    /// The security code that the profile compared with a member, or nil: that of the connection in use, and of a member
    /// without a connection that of the member. Throws `memberNotFound`.
    public func verifiedCode(of id: GroupMemberID, of user: UserID) throws(GroupsError) -> VerifiedCode? {
        if let connection = try connectionInUse(of: id, of: user) { return connection.verifiedCode }
        let code: CodeOfMember? = try first(
            """
            SELECT member_security_code, member_security_code_verified_at FROM group_members
            WHERE group_member_id = \(id) AND user_id = \(user)
            """)
        guard let code else { throw .memberNotFound(.id(id)) }
        return code.verified
    }

    /// The newest connection to a member.
    fileprivate func connectionInUse(of id: GroupMemberID, of user: UserID) throws(GroupsError) -> ChatConnection? {
        try first(
            """
            SELECT \(ChatConnection.columns) FROM connections
            WHERE group_member_id = \(id) AND +user_id = \(user)
            ORDER BY connection_id DESC LIMIT 1
            """)
    }
}

extension GroupMembersWriter {
    /// Stores the new profile that a member sent. If the name differs, the member gets the new name in the lists, and so
    /// does the contact who is this member; the old name is free then.
    ///
    /// Throws `memberNotFound`, `ownMembership` for the profile itself, and `invalidMemberName`; nothing has changed
    /// then.
    @discardableResult
    public func setProfile(
        _ given: ContactProfileContent, of id: GroupMemberID, of user: UserID
    ) throws(GroupsError) -> GroupMember {
        let member = try other(id, of: user)
        let stored: ContactProfile? = try GroupMembersRepo(tx).first(
            """
            SELECT \(ContactProfile.columns) FROM contact_profiles
            WHERE user_id = \(user) AND contact_profile_id = (
                SELECT contact_profile_id FROM group_members WHERE group_member_id = \(id))
            """)
        guard let stored else { throw .memberNotFound(.id(id)) }
        let profiles = ContactProfilesWriter(tx: tx, clock: clock)
        let old = member.localDisplayName
        try asGroupsError { () throws(ContactsError) in
            let content = try ContactProfilesWriter.checked(given)
            let name = try profiles.update(stored, to: content, localName: old, of: user)
            if name.hasBytes(of: old) { return }
            // A contact, or a request to be one, of the same person has the same row and the same name.
            for table in ["contacts", "contact_requests"] {
                try profiles.run(
                    """
                    UPDATE \(identifier: table) SET local_display_name = \(name), updated_at = \(now)
                    WHERE contact_profile_id = \(stored.id) AND user_id = \(user)
                    """)
            }
            try profiles.releaseUnused([old], of: user)
        }
        return try GroupMembersRepo(tx).get(id, of: user)
    }

    /// Blocks a member for all, as a moderator decided, or takes that back; nil when none ever did. Throws
    /// `memberNotFound`, and `ownMembership` for the profile itself.
    @discardableResult
    public func setRestriction(
        _ restriction: MemberRestriction?, of id: GroupMemberID, of user: UserID
    ) throws(GroupsError) -> GroupMember {
        _ = try other(id, of: user)
        return try set("member_restriction = \(restriction)", of: id, of: user)
    }

    /// Sets whether the profile sees the messages of a member. Throws `memberNotFound`, and `ownMembership` for the
    /// profile itself.
    @discardableResult
    public func setShowsMessages(
        _ isShown: Bool, of id: GroupMemberID, of user: UserID
    ) throws(GroupsError) -> GroupMember {
        _ = try other(id, of: user)
        return try set("show_messages = \(isShown)", of: id, of: user)
    }

    /// Stores the security code that the profile compared with a member, with the time, at the connection in use, or at
    /// the member without one; nil when the codes differ or are to be compared again. Throws `memberNotFound`,
    /// `ownMembership` for the profile itself, and `invalidVerifiedCode`; nothing has changed then.
    @discardableResult
    public func setVerifiedCode(
        _ given: String?, of id: GroupMemberID, of user: UserID
    ) throws(GroupsError) -> VerifiedCode? {
        _ = try other(id, of: user)
        if let connection = try GroupMembersRepo(tx).connectionInUse(of: id, of: user) {
            do throws(ConnectionsError) {
                return try ConnectionsWriter(tx, clock: clock).setVerifiedCode(given, of: connection.id, of: user)
                    .verifiedCode
            } catch {
                if case .invalidVerifiedCode(let problem) = error { throw .invalidVerifiedCode(problem) }
                throw .store(error.storeError ?? StoreError(.other, error.message))
            }
        }
        var code: String?
        if let given {
            code = try asGroupsError(GroupsError.invalidVerifiedCode) { () throws(NameProblem) in
                try NameRule.checked(given)
            }
        }
        let time: Query = code == nil ? "NULL" : now
        _ = try set(
            "member_security_code = \(code), member_security_code_verified_at = \(time)", of: id, of: user)
        return try GroupMembersRepo(tx).verifiedCode(of: id, of: user)
    }

    /// A member other than the profile itself. Throws `memberNotFound` and `ownMembership`.
    private func other(_ id: GroupMemberID, of user: UserID) throws(GroupsError) -> GroupMember {
        let member = try GroupMembersRepo(tx).get(id, of: user)
        if member.isOwn { throw .ownMembership(try GroupsRepo(tx).get(member.groupID, of: user).group) }
        return member
    }
}

/// Turns the errors of the rows that people share into errors of a group.
func asGroupsError<T>(_ body: () throws(ContactsError) -> T) throws(GroupsError) -> T {
    do throws(ContactsError) {
        return try body()
    } catch {
        if case .invalidContactName(let problem) = error { throw .invalidMemberName(problem) }
        throw .store(error.storeError ?? StoreError(.other, error.message))
    }
}

private struct ProfileOfMember: RowRecord {
    let member: GroupMemberID
    let profile: ContactProfile

    init(row: ResultRow) throws(StoreError) {
        member = try row.get("group_member_id")
        profile = try ContactProfile(row: row)
    }
}

private struct CodeOfMember: RowRecord {
    let verified: VerifiedCode?

    init(row: ResultRow) throws(StoreError) {
        verified = try VerifiedCode(row, "member_security_code")
    }
}
