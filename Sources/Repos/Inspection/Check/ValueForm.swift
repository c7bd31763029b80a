import ChatDBEngine
package import ChatDBSchema

/// The form of the values that the records of this build read from a column. The same name has the same form in all
/// tables of a database. A test compares the names with the schema.
///
/// The forms hold for SimpleX Chat too. `item_deleted` is a number, because SimpleX Chat stores four kinds of deletion.
package enum ValueForm: Sendable, Hashable {
    /// A time as ``StoredTime`` reads it.
    case time
    /// 0 or 1.
    case `switch`
    /// A whole number.
    case number
    /// A text that SimpleX Chat stores as bytes.
    case id
    /// Bytes. A text in their place can be read too, because views read it as bytes.
    case bytes
    /// A text: records can read every value, because views read it as a text.
    case other

    /// The form of the columns with this name.
    package static func of(_ column: String, in database: DatabaseName) -> ValueForm {
        let names = database == .chat ? chat : agent
        return names[column] ?? .other
    }

    /// Whether a record cannot read a value. `UnreadableValues` selects only a part of the value in the row: a time, a
    /// switch, or the name of a type. NULL can be read: no table allows NULL where a record needs a value.
    func refuses(_ value: SQLValue) -> Bool {
        switch (self, value) {
        case (_, .null), (.other, _): false
        case (.time, .text(let text)): StoredTime(text: text) == nil
        case (.time, _): true
        case (.switch, _): Bool(sqlValue: value) == nil
        case (.number, _): value != .text("integer") && value != .text("null")
        case (.id, _), (.bytes, _): value == .text("integer") || value == .text("real")
        }
    }

    private static func forms(
        times: String, switches: String, numbers: String, ids: String = "", bytes: String
    ) -> [String: ValueForm] {
        var forms: [String: ValueForm] = [:]
        let lists = [(times, ValueForm.time), (switches, .switch), (numbers, .number), (ids, .id), (bytes, .bytes)]
        for (names, form) in lists {
            for name in names.split(separator: " ") { forms[String(name)] = form }
        }
        return forms
    }

    private static let chat = forms(
        times: """
            accepted_at broker_ts chat_ts created_at item_deleted_ts item_ts item_version_ts \
            member_security_code_verified_at notified_at quoted_sent_at reaction_ts relay_inactive_at \
            relay_request_execute_at security_code_verified_at support_chat_last_msg_from_member_ts support_chat_ts \
            tested_at timed_delete_at updated_at
            """,
        switches: """
            active_user agent_rcv_file_deleted agent_snd_file_deleted auto_accept auto_accept_group_invitations \
            auto_accept_incognito auto_accepted business_address cancelled conn_link_prepared_connection \
            conn_link_started_connection contact_grp_inv_sent contact_used creating_in_progress deleted enabled \
            failed favorite file_descr_complete fwd_from_msg_dir incognito is_user is_user_chat_relay \
            item_edited item_live item_sent job_scope_include_pending message_from_channel msg_sent preset \
            quoted_sent reaction_sent relay_request_failed role_names role_proxy role_storage send_rcpts \
            send_rcpts_contacts send_rcpts_small_groups show_messages show_ntfs smp_role_names smp_role_proxy \
            smp_role_storage tested to_receive to_subscribe unread_chat use_relays user_approved_relays user_mention \
            xftp_role_proxy xftp_role_storage
            """,
        numbers: """
            active_order agent_msg_id agent_user_id app_settings_id auth_err_counter author_group_member_id \
            chat_item_id chat_item_mention_id chat_item_reaction_id chat_item_ttl chat_item_version_id chat_relay_id \
            chat_tag_id chunk_size connection_id contact_group_member_id contact_id contact_profile_id \
            contact_request_id created_by_msg_id cursor_group_member_id custom_user_profile_id delivery_job_id \
            delivery_task_id enable_ntfs file_descr_id file_descr_part_no file_id file_size \
            forwarded_by_group_member_id fwd_from_chat_item_id fwd_from_contact_id fwd_from_group_id group_id \
            group_member_id group_profile_id group_relay_id group_scope_group_member_id invited_by \
            invited_by_group_member_id item_deleted item_deleted_by_group_member_id job_scope_support_gm_id ldn_suffix \
            member_profile_id message_id msg_delivery_id note_folder_id operator_usage_conditions_id preset_choice_id \
            public_member_count quota_err_counter rcv_file_id relay_request_delay relay_request_peer_chat_max_version \
            relay_request_peer_chat_min_version relay_request_retries sender_group_member_id server_operator_id \
            settings_id smp_server_id snd_file_id support_chat_items_member_attention support_chat_items_mentions \
            support_chat_items_unread tag_order timed_ttl usage_conditions_id user_contact_link_id user_id \
            via_user_contact_link
            """,
        ids: """
            business_member_id business_xcontact_id customer_member_id fwd_from_member_id fwd_from_public_group_id \
            fwd_from_shared_msg_id group_link_id member_id public_group_id quoted_member_id quoted_shared_msg_id \
            request_shared_msg_id shared_msg_id welcome_shared_msg_id xcontact_id
            """,
        bytes: "body file_crypto_key file_crypto_nonce view_pwd_hash view_pwd_salt")

    private static let agent = forms(
        times: """
            broker_ts created_at internal_ts ntf_sub_action_ts updated_at
            """,
        switches: """
            accepted deleted enable_ntfs failed ntf_failed rcv_primary received smp_failed snd_primary user_ack
            """,
        numbers: """
            chunk_no chunk_offset chunk_size command_id delay delete_errors e2e_version encrypted_rcv_message_hash_id \
            external_snd_id internal_id internal_rcv_id internal_snd_id last_external_snd_msg_id last_internal_msg_id \
            last_internal_rcv_msg_id last_internal_snd_msg_id msg_n num_recipients padded_msg_len \
            processed_ratchet_key_hash_id rcv_file_chunk_id rcv_file_chunk_replica_id rcv_file_id rcv_queue_id \
            receive_attempts replace_rcv_queue_id replace_snd_queue_id replica_number retries size skipped_message_id \
            snd_file_chunk_id snd_file_chunk_replica_id snd_file_chunk_replica_recipient_id snd_file_id \
            snd_message_body_id snd_message_delivery_id snd_queue_id user_id xftp_server_id
            """,
        bytes: """
            agent_msg broker_id command confirmation_id conn_id contact_conn_id corr_id cr_invitation device_token \
            digest e2e_dh_secret e2e_priv_key e2e_pub_key e2e_snd_pub_key external_prev_snd_hash hash header_key \
            internal_hash invitation_id key last_rcv_msg_hash last_snd_msg_hash msg_body msg_encrypt_key msg_key nonce \
            ntf_id ntf_private_key ntf_public_key ntf_sub_id own_conn_info previous_msg_hash ratchet_state \
            rcv_dh_secret rcv_file_entity_id rcv_id rcv_ntf_dh_secret rcv_private_key rcv_replica_id rcv_replica_key \
            recipient_conn_info replica_id replica_key sender_conn_info sender_key smp_ntf_id snd_file_entity_id \
            snd_id snd_key snd_private_key snd_public_key tkn_dh_secret tkn_id tkn_priv_dh_key tkn_priv_key \
            tkn_pub_dh_key tkn_pub_key x3dh_priv_key_1 x3dh_priv_key_2 x3dh_pub_key_1 x3dh_pub_key_2
            """)
}
