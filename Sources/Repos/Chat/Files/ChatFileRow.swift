package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension ChatFile: RowRecord {
    static let columns: Query = """
        files.file_id, files.user_id, files.contact_id, files.group_id, files.note_folder_id, files.chat_item_id,
        files.file_name, files.file_path, files.file_size, files.chunk_size, files.protocol, files.ci_file_status,
        files.cancelled, files.agent_snd_file_id, files.agent_snd_file_deleted,
        CASE WHEN rcv_files.file_id IS NULL THEN 0 ELSE 1 END AS is_received,
        rcv_files.agent_rcv_file_id, rcv_files.agent_rcv_file_deleted, rcv_files.group_member_id AS sender_id
        """

    /// A file that is received has a row of `rcv_files`, one that is sent has none.
    static let tables: Query = "files LEFT JOIN rcv_files ON rcv_files.file_id = files.file_id"

    package init(row: ResultRow) throws(StoreError) {
        let isReceived: Bool = try row.get("is_received")
        let isAgentFileDeleted: Bool? = try row.get(isReceived ? "agent_rcv_file_deleted" : "agent_snd_file_deleted")
        let agentID: String? = try row.get(isReceived ? "agent_rcv_file_id" : "agent_snd_file_id")
        try self.init(
            id: row.get("file_id"), userID: row.get("user_id"), chat: row.fileChat(), itemID: row.get("chat_item_id"),
            name: row.get("file_name"), path: row.get("file_path"), size: row.get("file_size"),
            chunkSize: row.get("chunk_size"), fileProtocol: row.get("protocol"),
            direction: isReceived ? .received : .sent, status: row.get("ci_file_status"),
            isCancelled: row.get("cancelled"),
            agentID: agentID.map { AgentFileEntityID(text: $0) },
            isAgentFileDeleted: isAgentFileDeleted ?? false, sender: row.get("sender_id"))
    }
}

extension ResultRow {
    fileprivate func fileChat() throws(StoreError) -> FileChat? {
        if let id: ContactID = try get("contact_id") { return .contact(id) }
        if let id: GroupID = try get("group_id") { return .group(id) }
        if let id: NoteFolderID = try get("note_folder_id") { return .notes(id) }
        return nil
    }
}

extension FileRecipient: RowRecord {
    static let columns: Query = """
        snd_files.file_id, snd_files.connection_id, snd_files.group_member_id, snd_files.file_status,
        snd_files.file_descr_id
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            fileID: row.get("file_id"), connectionID: row.get("connection_id"), memberID: row.get("group_member_id"),
            status: row.get("file_status"), descriptionID: row.get("file_descr_id"))
    }
}

extension FileDescription: RowRecord {
    static let columns: Query = """
        xftp_file_descriptions.file_descr_id, xftp_file_descriptions.file_descr_text,
        xftp_file_descriptions.file_descr_part_no, xftp_file_descriptions.file_descr_complete
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("file_descr_id"), text: row.get("file_descr_text"), lastPart: row.get("file_descr_part_no"),
            isComplete: row.get("file_descr_complete"))
    }
}
