import ChatDBSchema

/// The names of the migrations of SimpleX Chat's databases, in their order, as its ledgers have them. For a new version
/// of the app, add its names at the end.
enum SimpleXMigrations {
    /// The names of all known migrations of a database.
    static func known(of database: DatabaseName) -> [String] { database == .chat ? chat : agent }

    /// The names on a server, where the agent's have no `m`. The first migration makes the schema of its date.
    static func onServer(of database: DatabaseName) -> [String] {
        let first = firstOnServer(of: database)
        let later = known(of: database).map(SimpleXHistory.withoutMark).drop { $0.prefix(8) <= "20250130" }
        return [first] + later.filter { !onlyInFiles.contains($0) }
    }

    /// The first migration on a server.
    static func firstOnServer(of database: DatabaseName) -> String {
        database == .chat ? "20241220_initial" : "20241210_initial"
    }

    /// Migrations that a server does not need.
    private static let onlyInFiles: Set<String> = ["20261005_commands_autoincrement"]

    /// Migrations that were seen on a branch only. A store without them may be current.
    static let ofBranches: Set<String> = ["20260924_simplex_names"]

    private static func names(_ text: String) -> [String] {
        text.split { $0 == " " || $0 == "\n" }.map(String.init)
    }

    private static let chat = names(
        """
        20220101_initial 20220122_v1_1 20220205_chat_item_status 20220210_deduplicate_contact_requests
        20220224_messages_fks 20220301_smp_servers 20220302_profile_images 20220304_msg_quotes
        20220321_chat_item_edited 20220404_files_status_fields 20220514_profiles_user_id 20220626_auto_reply
        20220702_calls 20220715_groups_chat_item_id 20220811_chat_items_indices 20220812_incognito_profiles
        20220818_chat_notifications 20220822_groups_host_conn_custom_user_profile_id
        20220823_delete_broken_group_event_chat_items 20220824_profiles_local_alias 20220909_commands
        20220926_connection_alias 20220928_settings 20221001_shared_msg_id_indices
        20221003_delete_broken_integrity_error_chat_items 20221004_idx_msg_deliveries_message_id
        20221011_user_contact_links_group_id 20221012_inline_files 20221019_unread_chat
        20221021_auto_accept__group_links 20221024_contact_used 20221025_chat_settings 20221029_group_link_id
        20221112_server_password 20221115_server_cfg 20221129_delete_group_feature_items 20221130_delete_item_deleted
        20221209_verified_connection 20221210_idxs 20221211_group_description 20221212_chat_items_timed
        20221214_live_message 20221222_chat_ts 20221223_idx_chat_items_item_status 20221230_idxs
        20230107_connections_auth_err_counter 20230111_users_agent_user_id 20230117_fkey_indexes
        20230118_recreate_smp_servers 20230129_drop_chat_items_group_idx 20230206_item_deleted_by_group_member_id
        20230303_group_link_role 20230317_hidden_profiles 20230318_file_description 20230321_agent_file_deleted
        20230328_files_protocol 20230402_protocol_servers 20230411_extra_xftp_file_descriptions
        20230420_rcv_files_to_receive 20230422_profile_contact_links
        20230504_recreate_msg_delivery_events_cleanup_messages 20230505_chat_item_versions 20230511_reactions
        20230519_item_deleted_ts 20230526_indexes 20230529_indexes 20230608_deleted_contacts 20230618_favorite_chats
        20230621_chat_item_moderations 20230705_delivery_receipts 20230721_group_snd_item_statuses 20230814_indexes
        20230827_file_encryption 20230829_connections_chat_vrange 20230903_connections_to_subscribe
        20230913_member_contacts 20230914_member_probes 20230926_contact_status 20231002_conn_initiated
        20231009_via_group_link_uri_hash 20231010_member_settings 20231019_indexes 20231030_xgrplinkmem_received
        20231107_indexes 20231113_group_forward 20231114_remote_control 20231126_remote_ctrl_address
        20231207_chat_list_pagination 20231214_item_content_tag 20231215_recreate_msg_deliveries 20240102_note_folders
        20240104_members_profile_update 20240115_block_member_for_all 20240122_indexes 20240214_redirect_file_id
        20240222_app_settings 20240226_users_restrict 20240228_pq 20240313_drop_agent_ack_cmd_id 20240324_custom_data
        20240402_item_forwarded 20240430_ui_theme 20240501_chat_deleted 20240510_chat_items_via_proxy
        20240515_rcv_files_user_approved_relays 20240528_quota_err_counter 20240827_calls_uuid 20240920_user_order
        20241008_indexes 20241010_contact_requests_contact_id 20241023_chat_item_autoincrement_id
        20241027_server_operators 20241125_indexes 20241128_business_chats 20241205_business_chat_members
        20241222_operator_conditions 20241223_chat_tags 20241230_reports 20250105_indexes 20250115_chat_ttl
        20250122_chat_items_include_in_history 20250126_mentions 20250129_delete_unused_contacts 20250130_indexes
        20250402_short_links 20250512_member_admission 20250513_group_scope 20250526_short_links
        20250702_contact_requests_remove_cascade_delete 20250704_groups_conn_link_prepared_connection
        20250709_profile_short_descr 20250721_indexes 20250729_member_contact_requests 20250801_via_group_link_uri
        20250802_chat_peer_type 20250813_delivery_tasks 20250919_group_summary 20250922_remove_unused_connections
        20251007_connections_sync 20251017_chat_tags_cascade 20251117_member_relations_vector
        20251128_migrate_member_relations 20251230_strict_tables 20260108_chat_indices 20260122_has_link
        20260222_chat_relays 20260403_item_viewed 20260429_relay_request_retries 20260507_relay_inactive_at
        20260514_relay_request_group_link_index 20260515_public_group_access 20260516_supporter_badges
        20260529_delivery_job_senders 20260530_client_services 20260531_member_removed_at
        20260601_relay_sent_web_domain 20260602_group_roster 20260603_simplex_name 20260629_roster_catchup
        20260707_file_digest 20260714_member_security_code 20260715_profile_description 20260716_signed_history
        20260720_server_roles 20260723_contact_request_rejection 20260813_auto_accept_group_invitations
        20260822_forward_link 20260828_file_expiry 20260904_file_badges 20260915_user_badges
        20260918_badge_issue_errors 20260923_preferences_json 20260924_simplex_names
        """)

    private static let agent = names(
        """
        20220101_initial 20220301_snd_queue_keys 20220322_notifications 20220607_v2 m20220625_v2_ntf_mode
        m20220811_onion_hosts m20220817_connection_ntfs m20220905_commands m20220915_connection_queues m20230110_users
        m20230117_fkey_indexes m20230120_delete_errors m20230217_server_key_hash m20230223_files m20230320_retry_state
        m20230401_snd_files m20230510_files_pending_replicas_indexes m20230516_encrypted_rcv_message_hashes
        m20230531_switch_status m20230615_ratchet_sync m20230701_delivery_receipts m20230720_delete_expired_messages
        m20230722_indexes m20230814_indexes m20230829_crypto_files m20231222_command_created_at
        m20231225_failed_work_items m20240121_message_delivery_indexes m20240124_file_redirect
        m20240223_connections_wait_delivery m20240225_ratchet_kem m20240417_rcv_files_approved_relays
        m20240624_snd_secure m20240702_servers_stats m20240930_ntf_tokens_to_delete
        m20241007_rcv_queues_last_broker_ts m20241224_ratchet_e2e_snd_params m20250203_msg_bodies
        m20250322_short_links m20250702_conn_invitations_remove_cascade_delete m20251009_queue_to_subscribe
        m20251010_client_notices m20251230_strict_tables m20260410_receive_attempts m20260411_service_certs
        m20260712_address_dr_rpc m20260823_snd_files_entitlement m20260919_ratchet_verify_codes
        m20260929_ratchet_indexes m20261005_commands_autoincrement m20261008_rcv_switch_status
        """)
}
