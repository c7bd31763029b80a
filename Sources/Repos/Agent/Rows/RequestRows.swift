package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension Ratchet: RowRecord {
    static let columns: Query = """
        ratchets.conn_id, ratchets.x3dh_priv_key_1, ratchets.x3dh_priv_key_2, ratchets.x3dh_pub_key_1,
        ratchets.x3dh_pub_key_2, ratchets.ratchet_state, ratchets.e2e_version
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            connectionID: row.get("conn_id"), agreement: AgreementKeys(row: row), state: row.get("ratchet_state"),
            version: row.get("e2e_version"))
    }
}

extension AgreementKeys {
    /// Nil unless both private keys exist.
    fileprivate init?(row: ResultRow) throws(StoreError) {
        guard let private1: SecretBytes = try row.get("x3dh_priv_key_1"),
            let private2: SecretBytes = try row.get("x3dh_priv_key_2")
        else { return nil }
        try self.init(
            private1: private1, private2: private2, public1: row.get("x3dh_pub_key_1"),
            public2: row.get("x3dh_pub_key_2"))
    }
}

extension SkippedMessageKey: RowRecord {
    static let columns: Query = "skipped_messages.header_key, skipped_messages.msg_n, skipped_messages.msg_key"

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            headerKey: row.get("header_key"), messageNumber: row.get("msg_n"), messageKey: row.get("msg_key"))
    }
}

extension AgentConfirmation: RowRecord {
    static let columns: Query = """
        conn_confirmations.confirmation_id, conn_confirmations.conn_id, conn_confirmations.e2e_snd_pub_key,
        conn_confirmations.sender_key, conn_confirmations.ratchet_state, conn_confirmations.sender_conn_info,
        conn_confirmations.accepted, conn_confirmations.own_conn_info
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("confirmation_id"), connectionID: row.get("conn_id"), e2ePublicKey: row.get("e2e_snd_pub_key"),
            senderKey: row.get("sender_key"), ratchetState: row.get("ratchet_state"),
            senderInfo: row.get("sender_conn_info"), isAccepted: row.get("accepted"), ownInfo: row.get("own_conn_info"))
    }
}

extension AgentInvitation: RowRecord {
    static let columns: Query = """
        conn_invitations.invitation_id, conn_invitations.contact_conn_id, conn_invitations.cr_invitation,
        conn_invitations.recipient_conn_info, conn_invitations.accepted, conn_invitations.own_conn_info
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("invitation_id"), addressID: row.get("contact_conn_id"), invitation: row.get("cr_invitation"),
            senderInfo: row.get("recipient_conn_info"), isAccepted: row.get("accepted"),
            ownInfo: row.get("own_conn_info"))
    }
}

extension AgentCommand: RowRecord {
    static let columns: Query = """
        commands.command_id, commands.conn_id, commands.host, commands.port, commands.corr_id, commands.command_tag,
        commands.command, commands.failed
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("command_id"), connectionID: row.get("conn_id"), server: row.optionalServer(),
            correlationID: row.get("corr_id"), tag: row.get("command_tag"), command: row.get("command"),
            isFailed: row.get("failed"))
    }
}
