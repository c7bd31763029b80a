extension Catalogue {
    /// Files sent and received in chats.
    static let chatFiles: [CatalogueTable] = [
        CatalogueTable(
            "files", "A file sent or received in a chat.",
            [
                .public("file_id", "the file's number"),
                .public("user_id", "the profile whose file it is"),
                .public("contact_id", "the contact in whose chat it is, or NULL"),
                .public("group_id", "the group it is in, or NULL"),
                .public("chat_item_id", "the item that shows it; NULL when that is gone"),
                .personal("file_name", "the name it is shown with"),
                .personal("file_path", "where it is on this device, or NULL"),
                .personal("file_size", "size in bytes"),
                .public("chunk_size", "size of a chunk, in bytes"),
                .public("protocol", "xftp, smp or local"),
                .public("ci_file_status", "how far the transfer has come"),
                .public("cancelled", "1 when either side has given up"),
                .personal("agent_snd_file_id", "the agent's id of the file when it is sent"),
                .public("agent_snd_file_deleted", "1 when the agent has removed it"),
                .secret("private_snd_file_descr", "the description by which the sender can delete it; has keys"),
                .secret("file_crypto_key", "key of the copy on this device"),
                .secret("file_crypto_nonce", "nonce of the copy on this device"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .public("note_folder_id", "the notes it is in, or NULL"),
            ]),
        CatalogueTable(
            "snd_files", "A file on its way to one recipient.",
            [
                .public("file_id", "the file"),
                .public("connection_id", "the recipient's connection"),
                .public("file_status", "how far it has come"),
                .public("group_member_id", "the member who receives it, or NULL"),
                .public("file_descr_id", "the description sent to them, or NULL"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "rcv_files", "A file on its way to the profile.",
            [
                .public("file_id", "the file"),
                .public("file_status", "how far it has come"),
                .public("group_member_id", "the member who sent it, or NULL"),
                .public("file_descr_id", "the description that came with it, or NULL"),
                .personal("agent_rcv_file_id", "the agent's id of the file when it is received"),
                .public("agent_rcv_file_deleted", "1 when the agent has removed it"),
                .public("to_receive", "1 when it shall be received once its description is complete"),
                .public("user_approved_relays", "1 when the user agreed to servers that are not known"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "xftp_file_descriptions", "Where the chunks of a file are, and how to decrypt them.",
            [
                .public("file_descr_id", "the description's number"),
                .public("user_id", "the profile that has it"),
                .secret("file_descr_text", "the description so far; has keys"),
                .public("file_descr_part_no", "number of the last part that has come"),
                .public("file_descr_complete", "1 when all parts have come"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
