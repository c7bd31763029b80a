import ChatDBKit

/// What `--version` says.
enum Version {
    /// This build's version.
    static let number = "0.1.0"

    /// With the SQLite it runs on, which support needs to know.
    static let text = "chatdb \(number) (SQLite \(SQLiteEngine.libraryVersion))"
}
