public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The notes of a profile to itself: at most one folder. Rule: docs/domain.md, "Settings and tags".
public struct NoteFoldersRepo: Repository {
    package typealias Failure = SettingsError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The folder of a profile, or nil: it is made with the first note.
    public func find(of user: UserID) throws(SettingsError) -> NoteFolder? {
        try first("SELECT \(NoteFolder.columns) FROM note_folders WHERE user_id = \(user)")
    }
}
