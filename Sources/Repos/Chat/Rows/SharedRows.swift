package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension ChatConnection: RowRecord {
    static let columns: Query = """
        connections.connection_id, connections.user_id, connections.agent_conn_id, connections.conn_status,
        connections.conn_type, connections.contact_id, connections.group_member_id,
        connections.user_contact_link_id, connections.snd_file_id, connections.rcv_file_id,
        connections.via_user_contact_link, connections.custom_user_profile_id, connections.conn_req_inv,
        connections.local_alias, connections.to_subscribe, connections.security_code,
        connections.security_code_verified_at, connections.auth_err_counter, connections.quota_err_counter
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("connection_id"), userID: row.get("user_id"),
            agentID: AgentConnectionID(text: row.get("agent_conn_id")), status: row.get("conn_status"),
            type: row.get("conn_type"), owner: row.connectionOwner(), viaLink: row.get("via_user_contact_link"),
            incognitoProfileID: row.get("custom_user_profile_id"), invitation: row.get("conn_req_inv"),
            localAlias: row.get("local_alias"), isToSubscribe: row.get("to_subscribe"),
            verifiedCode: VerifiedCode(row, "security_code"), authenticationErrors: row.get("auth_err_counter"),
            quotaErrors: row.get("quota_err_counter"))
    }
}

extension VerifiedCode {
    /// The code of a column, with its time in the column of that name and `_verified_at`; nil without a code.
    init?(_ row: ResultRow, _ column: String) throws(StoreError) {
        guard let code: String = try row.get(column) else { return nil }
        self.init(code: code, verifiedAt: try row.optionalTime("\(column)_verified_at") ?? .init(microseconds: 0))
    }
}

extension ResultRow {
    /// The one owner a connection has, or nil; the database does not allow two.
    fileprivate func connectionOwner() throws(StoreError) -> ConnectionOwner? {
        if let id: ContactID = try get("contact_id") { return .contact(id) }
        if let id: GroupMemberID = try get("group_member_id") { return .member(id) }
        if let id: UserContactLinkID = try get("user_contact_link_id") { return .link(id) }
        if let id: FileID = try get("snd_file_id") { return .sentFile(id) }
        if let id: FileID = try get("rcv_file_id") { return .receivedFile(id) }
        return nil
    }
}

extension ChatRelay: RowRecord {
    package static let columns: Query = """
        chat_relays.chat_relay_id, chat_relays.user_id, chat_relays.address, chat_relays.address_key,
        chat_relays.display_name, chat_relays.domains, chat_relays.preset, chat_relays.tested, chat_relays.tested_at,
        chat_relays.enabled, chat_relays.deleted
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("chat_relay_id"), userID: row.get("user_id"), address: row.get("address"),
            addressKey: row.get("address_key"), name: row.get("display_name"),
            domains: OperatorDomains.list(row.get("domains")), isPreset: row.get("preset"),
            tested: row.get("tested"), testedAt: row.optionalTime("tested_at"), isEnabled: row.get("enabled"),
            isDeleted: row.get("deleted"))
    }
}

extension GroupRelay: RowRecord {
    static let columns: Query = """
        group_relays.group_relay_id, group_relays.group_id, group_relays.group_member_id,
        group_relays.chat_relay_id, \(countedStatus) AS relay_status, group_relays.relay_link
        """

    /// The status that counts: a relay whose member has left or was removed is inactive, whatever the row says, unless
    /// it refused. Other apps, and a crash of theirs, leave rows that say otherwise. Rule: docs/domain.md, "Group
    /// relays".
    package static let countedStatus = countedStatus(
        when: """
            EXISTS (
                SELECT 1 FROM group_members part WHERE part.group_member_id = group_relays.group_member_id
                    AND part.member_status IN (\(list: endedStatuses)))
            """)

    /// The same, where the member is joined as `group_members`.
    static let countedStatusOfMember = countedStatus(
        when: "group_members.member_status IN (\(list: endedStatuses))")

    private static let endedStatuses = GroupMemberStatus.known.filter(\.isHistory).map(\.text)

    private static func countedStatus(when hasEnded: Query) -> Query {
        """
        CASE WHEN group_relays.relay_status <> \(RelayStatus.rejected) AND \(hasEnded)
        THEN \(RelayStatus.inactive) ELSE group_relays.relay_status END
        """
    }

    /// The condition that a row of members is the relay of a row of relays, by the names of the two in the statement:
    /// its member, in the same channel, with the role relay. Rule: docs/domain.md, "Group relays", Incomplete rows.
    ///
    /// The CASE keeps the database from finding members by their channel or role, which many have, and not by their
    /// number. IS NOT NULL tells PostgreSQL that it holds for nearly all rows; of a CASE alone it expects a half.
    package static func isMember(_ member: Query, of row: Query) -> Query {
        """
        \(member).group_member_id = \(row).group_member_id
        AND CASE WHEN \(member).group_id = \(row).group_id AND \(member).member_role = \(GroupMemberRole.relay)
            THEN 1 END IS NOT NULL
        """
    }

    /// The condition that the member of a row of `group_relays` is in its channel, and has a role that this build does
    /// not know. Such a row lacks its member, but the member may be a relay in a newer app.
    package static let hasUnknownRole: Query = """
        EXISTS (
            SELECT 1 FROM group_members part WHERE part.group_member_id = group_relays.group_member_id
                AND CASE WHEN part.group_id = group_relays.group_id
                    AND part.member_role NOT IN (\(list: GroupMemberRole.known.map(\.text)))
                THEN 1 END IS NOT NULL)
        """

    /// The condition that a row of `group_relays` is the last that its relay has in the channel. A row without its
    /// member does not count.
    package static let isLatest: Query = """
        EXISTS (SELECT 1 FROM group_members part WHERE \(isMember("part", of: "group_relays"))) AND NOT EXISTS (
            SELECT 1 FROM group_relays later
            WHERE later.chat_relay_id = group_relays.chat_relay_id AND later.group_id = group_relays.group_id
                AND later.group_relay_id > group_relays.group_relay_id
                AND EXISTS (SELECT 1 FROM group_members part WHERE \(isMember("part", of: "later"))))
        """

    /// The statuses of a relay that does not serve the channel.
    static let failedTexts = RelayStatus.known.filter { !$0.isCurrent }.map(\.text)

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("group_relay_id"), groupID: row.get("group_id"), memberID: row.get("group_member_id"),
            chatRelayID: row.get("chat_relay_id"), status: row.get("relay_status"), relayLink: row.get("relay_link"))
    }
}

extension GroupMember: RowRecord {
    package static let columns: Query = """
        group_members.group_member_id, group_members.group_id, group_members.member_id,
        group_members.local_display_name, group_members.member_role, group_members.member_category,
        group_members.member_status, group_members.relay_link, group_members.member_restriction,
        group_members.show_messages, group_members.invited_by_group_member_id, group_members.invited_by,
        (SELECT inviter.is_user FROM contacts inviter
            WHERE inviter.contact_id = group_members.invited_by) AS is_invited_by_user,
        group_members.contact_id AS member_contact_id, group_members.member_profile_id
        """

    /// The condition that a row of `group_members` is a relay that the profile invited, that is in the channel or
    /// invited to it, and whose row of `group_relays` is lost. Rule: docs/domain.md, "Group relays", Lost rows.
    package static let isRelayWithoutRow: Query = """
        group_members.member_role = \(GroupMemberRole.relay)
        AND group_members.member_category = \(GroupMemberCategory.invitee)
        AND group_members.member_status NOT IN (\(list: GroupMemberStatus.known.filter(\.isHistory).map(\.text)))
        AND NOT EXISTS (
            SELECT 1 FROM group_relays WHERE group_relays.group_member_id = group_members.group_member_id)
        """

    /// The condition that the member `own` is the profile's own membership, and current.
    static let ownIsCurrent: Query = """
        own.member_category = 'user' AND own.member_status IN (\(list: GroupMemberStatus.currentTexts))
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("group_member_id"), groupID: row.get("group_id"), memberID: row.get("member_id"),
            localDisplayName: row.get("local_display_name"), role: row.get("member_role"),
            category: row.get("member_category"), status: row.get("member_status"),
            relayLink: row.get("relay_link"), restriction: row.get("member_restriction"),
            showsMessages: row.get("show_messages"), invitedBy: MemberInviter(row),
            contactID: row.get("member_contact_id"), incognitoProfileID: row.get("member_profile_id"))
    }
}

extension MemberInviter {
    /// The member, else the contact or the profile itself; nil when the row has neither.
    fileprivate init?(_ row: ResultRow) throws(StoreError) {
        if let member: GroupMemberID = try row.get("invited_by_group_member_id") {
            self = .member(member)
        } else if let contact: ContactID = try row.get("invited_by") {
            self = try row.get("is_invited_by_user") == true ? .user : .contact(contact)
        } else {
            return nil
        }
    }
}

extension ProtocolServer: RowRecord {
    package static let columns: Query = """
        smp_server_id, user_id, protocol, host, port, key_hash, basic_auth, preset, tested, enabled,
        role_storage, role_proxy, role_names
        """

    /// The condition that a server speaks a protocol of this version.
    package static let isKnown: Query = "protocol IN (\(list: ServerProtocol.allCases.map(\.text)))"

    package init(row: ResultRow) throws(StoreError) {
        guard let serverProtocol = ServerProtocol(rawValue: try row.get("protocol")) else {
            throw .unexpectedValue(column: "protocol", expected: "smp or xftp", found: "another text")
        }
        try self.init(
            id: row.get("smp_server_id"), userID: row.get("user_id"), serverProtocol: serverProtocol,
            hosts: OperatorDomains.list(row.get("host")), port: row.get("port"),
            keyHash: ServerKeyHash.text(row.get("key_hash")),
            password: row.get("basic_auth"), isPreset: row.get("preset"), tested: row.get("tested"),
            isEnabled: row.get("enabled"),
            roles: ServerRoleChoices(
                storage: row.get("role_storage"), proxy: row.get("role_proxy"), names: row.get("role_names")))
    }
}

extension ServerOperator: RowRecord {
    static let columns: Query = """
        server_operator_id, server_operator_tag, trade_name, legal_name, server_domains, enabled,
        smp_role_storage, smp_role_proxy, smp_role_names, xftp_role_storage, xftp_role_proxy
        """

    /// All operators, in the order in which they are compared with a server. Every repository that needs the operator
    /// of a server uses this query.
    static let list: Query = "SELECT \(columns) FROM server_operators ORDER BY server_operator_id"

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("server_operator_id"), tag: row.get("server_operator_tag"),
            tradeName: row.get("trade_name"), legalName: row.get("legal_name"),
            domains: OperatorDomains.list(row.get("server_domains")), isEnabled: row.get("enabled"),
            smpRoles: ServerRoles(
                storage: row.get("smp_role_storage"), proxy: row.get("smp_role_proxy"),
                names: row.get("smp_role_names")),
            xftpRoles: ServerRoles(storage: row.get("xftp_role_storage"), proxy: row.get("xftp_role_proxy")))
    }
}
