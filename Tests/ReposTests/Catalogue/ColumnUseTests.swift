import ChatDBKit
import Testing

/// Rule: docs/repositories.md: no app needs SQL of its own.
@Suite struct ColumnUseTests {
    @Test("every column is written by one method and read by another, or has a reason not to be")
    func everyColumn() throws {
        let use = try ColumnUse.seen.get()
        #expect(use.columns.count > 400)
        for column in use.columns {
            let writers = use.writers[column] ?? []
            let reader = use.readers[column]
            if writers.isEmpty, UnusedColumns.notWritten[column.description] == nil {
                Issue.record("no method writes \(column)")
            }
            if reader.map({ writers == [$0] }) ?? true, UnusedColumns.notRead[column.description] == nil {
                Issue.record("no other method reads \(column)")
            }
        }
    }

    @Test("the reasons are about columns that exist and are not used")
    func reasons() throws {
        let use = try ColumnUse.seen.get()
        let unwritten = use.columns.filter { use.writers[$0]?.isEmpty ?? true }.map(\.description)
        let unread = use.columns.filter { column in
            use.readers[column].map { use.writers[column] == [$0] } ?? true
        }
        .map(\.description)
        #expect(Set(UnusedColumns.notWritten.keys).subtracting(unwritten).sorted() == [])
        #expect(Set(UnusedColumns.notRead.keys).subtracting(unread).sorted() == [])
    }
}

/// Columns that no method of the catalogue writes, or none reads, with the reasons. The times of rows, `created_at` and
/// `updated_at`, are left out: they are for support, which reads them with `chatdb query`.
private enum UnusedColumns {
    static let notWritten: [String: String] = [
        "chat contact_requests.contact_id": "Stores of SimpleX Chat have it; here, accepting a request removes it."
    ]

    static let notRead: [String: String] = [
        "chat connections.snd_file_id": oldFiles,
        "chat connections.rcv_file_id": oldFiles,
        "chat preset_choices.preset_choice_id": number,
        "chat chat_item_mentions.chat_item_mention_id": number,
        "chat chat_item_reactions.chat_item_reaction_id": number,
        "chat operator_usage_conditions.operator_usage_conditions_id": number,
        "chat settings.settings_id": number,
        "chat app_settings.app_settings_id": "The table has one row, whose number is 1.",
        "chat preset_choices.choice": "Presets read it: PresetChoicesTests.",
        "chat operator_usage_conditions.server_operator_tag":
            "It names the operator whose row was deleted; check and query show it.",
        "chat users.view_pwd_salt": "The calls hide the profile with a new salt. HiddenProfilesTests read it.",
        "chat groups.conn_full_link_to_connect_key": "Links are compared by text too. LinkSpellingTests read it.",
        "chat groups.conn_short_link_to_connect_key": "Links are compared by text too. LinkSpellingTests read it.",
        "chat groups.relay_request_group_link_key": "Links are compared by text too. RelayRequestsTests read it.",
        "agent rcv_file_chunk_replicas.replica_number": "It is the order of replicas, of which the rows have one.",
        "agent snd_file_chunk_replicas.replica_number": "It is the order of replicas, of which the rows have one.",
        "agent encrypted_rcv_message_hashes.encrypted_rcv_message_hash_id": number,
        "agent processed_ratchet_key_hashes.processed_ratchet_key_hash_id": number,
        "agent skipped_messages.skipped_message_id": number,
        "agent snd_file_chunk_replica_recipients.snd_file_chunk_replica_recipient_id": number,
        "agent ntf_servers.ntf_key_hash":
            "addServer compares it. An app connects to the server that its settings name, with this hash.",
    ]

    private static let number = "The number of a row to which nothing refers."
    private static let oldFiles =
        "Only old versions of SimpleX Chat write it. CrossStoreRepo.target reads it: CrossStoreTests."
}
