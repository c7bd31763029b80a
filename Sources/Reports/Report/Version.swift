import ChatDBKit

/// What `--version` says.
package enum Version {
    /// This build's version.
    package static let number = "0.1.0"

    /// With the SQLite it runs on, which support needs to know.
    package static let text = "chatdb \(number) (SQLite \(SQLiteEngine.libraryVersion))"
}
