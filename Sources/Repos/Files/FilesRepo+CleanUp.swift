import ChatDBEngine
public import ChatDBSchema

/// Rule: docs/domain.md, "Files", Clean-up.
extension FilesRepo {
    /// The files of a profile that no item shows any more, made before a time, by number; at most so many. What they
    /// have on this device can go, and then the rows, by `FilesWriter.delete`. The time spares a file whose item is
    /// still being made. None is an empty list.
    public func toCleanUp(
        of user: UserID, madeBefore time: StoredTime, limit: Int = 100
    ) throws(FilesError) -> [ChatFile] {
        try all(
            """
            SELECT \(ChatFile.columns) FROM \(ChatFile.tables)
            WHERE files.user_id = \(user) AND files.chat_item_id IS NULL AND files.created_at < \(time.text)
            ORDER BY files.file_id
            LIMIT \(PageSize.atLeastOne(limit))
            """)
    }

    /// The files of a profile whose transfer is over while the agent still has its part of them, by number; at most so
    /// many. One that was sent and not cancelled is not among them: its recipients may still come for it. None is an
    /// empty list.
    public func withAgentFileToDelete(of user: UserID, limit: Int = 100) throws(FilesError) -> [ChatFile] {
        try all(
            """
            SELECT \(ChatFile.columns) FROM \(ChatFile.tables)
            WHERE files.user_id = \(user) AND (
                (rcv_files.agent_rcv_file_id IS NOT NULL AND rcv_files.agent_rcv_file_deleted = 0
                    AND rcv_files.file_status IN (\(FileStatus.complete), \(FileStatus.cancelled)))
                OR (files.agent_snd_file_id IS NOT NULL AND files.agent_snd_file_deleted = 0 AND files.cancelled = 1))
            ORDER BY files.file_id
            LIMIT \(PageSize.atLeastOne(limit))
            """)
    }
}
