public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The notes of a profile to itself: at most one folder. Rule: docs/domain.md, "Settings and tags".
public struct NoteFoldersRepo: Repository {
    package typealias Failure = SettingsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The folder of a profile, or nil: it is made with the first note.
    public func find(of user: UserID) throws(SettingsError) -> NoteFolder? {
        try first("SELECT \(NoteFolder.columns) FROM note_folders WHERE user_id = \(user)")
    }
}

/// Changes to the notes of a profile. Rule: docs/domain.md, "Settings and tags".
public struct NoteFoldersWriter: Writer {
    package typealias Failure = SettingsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// The folder of a profile, made where there is none. Throws `profileNotFound`.
    public func findOrCreate(of user: UserID) throws(SettingsError) -> NoteFolder {
        let number = newNumber(in: .noteFolders)
        try run(
            """
            INSERT INTO note_folders (\(number.column)user_id, chat_ts, created_at, updated_at)
            SELECT \(number.value)user_id, \(now), \(now), \(now) FROM users WHERE user_id = \(user)
            ON CONFLICT (user_id) DO NOTHING
            """)
        guard let folder = try NoteFoldersRepo(tx).find(of: user) else { throw .profileNotFound(user) }
        return folder
    }

    /// Marks the folder of a profile a favourite, or not; makes it where there is none. Throws `profileNotFound`.
    public func setFavourite(_ isFavourite: Bool, of user: UserID) throws(SettingsError) {
        try inList(of: user) { chat, list throws(ChatsError) in try list.setFavourite(chat, isFavourite, of: user) }
    }

    /// Changes the folder as the chat that it is.
    private func inList(
        of user: UserID, _ change: (ChatID, ChatListWriter) throws(ChatsError) -> Void
    ) throws(SettingsError) {
        let folder = try findOrCreate(of: user)
        do throws(ChatsError) {
            try change(.notes(folder.id), ChatListWriter(tx, clock: clock))
        } catch {
            throw .store(error.storeError ?? StoreError(.other, error.message))
        }
    }

    /// Marks the folder of a profile unread, or read; makes it where there is none. Throws `profileNotFound`.
    public func setUnread(_ isUnread: Bool, of user: UserID) throws(SettingsError) {
        try inList(of: user) { chat, list throws(ChatsError) in try list.setUnread(chat, isUnread, of: user) }
    }
}
