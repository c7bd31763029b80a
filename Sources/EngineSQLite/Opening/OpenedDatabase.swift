import ChatDBEncryption
import ChatDBEngine
import GRDB
import Synchronization

/// A database that SQLite has open, with what has to live as long as that: its entry in `OpenDatabases`, and the
/// private copy that is read in its place.
final class OpenedDatabase: Sendable {
    let queue: DatabaseQueue
    /// The time limit of its queries; nil for none.
    let timeLimit: QueryTimeLimit?
    /// Notes on how the database was read without changing it, a clause each; usually empty.
    let notes: [String]
    /// Whether the file is encrypted: its content must not get into another file.
    let isEncrypted: Bool
    private let registration: OpenDatabases.Registration?
    /// The codec of a database that this connection writes encrypted, as its URI names it; nil for other connections.
    private let codec: CodecVFS.Registration?
    /// The same codec for a second connection, which only reads.
    private let codecForReading: CodecVFS.Registration?
    /// The path of the file, if SQLite locks it. It is nil for a private copy, and for a file that is read without
    /// locks.
    var lockedPath: String? { registration?.path }
    private let privateCopy: Mutex<PrivateCopy?>

    init(
        _ queue: DatabaseQueue, registration: OpenDatabases.Registration? = nil, privateCopy: PrivateCopy? = nil,
        timeLimit: QueryTimeLimit? = nil, notes: [String] = [], isEncrypted: Bool = false,
        codec: (writing: CodecVFS.Registration, PageCodec)? = nil
    ) {
        self.queue = queue
        self.registration = registration
        self.privateCopy = Mutex(privateCopy)
        self.timeLimit = timeLimit
        self.notes = notes
        self.isEncrypted = isEncrypted || codec != nil
        self.codec = codec?.writing
        codecForReading = codec.map { DecryptingVFS.registration($0.1) }
    }

    /// The URI of an encrypted database that this connection writes, for a second connection that reads it; nil for
    /// other databases. It is valid as long as this object.
    var uriForReading: String? {
        codecForReading.flatMap { codec in lockedPath.map { SQLitePath.uri($0, codec.parameters) } }
    }

    /// Throws if the file is encrypted, for what would write its content into a plain file.
    func requirePlain() throws(StoreError) {
        guard isEncrypted else { return }
        throw StoreError(
            .encryptedUnsupported, "the database is encrypted, and its content would get into a file in plain text")
    }

    /// Closes the connection, and then releases the rest. A second call does nothing.
    func close() throws {
        try queue.close()
        registration?.end()
        privateCopy.withLock { $0 = nil }
    }

    /// Throws on a closed connection. Some of GRDB's calls end the process there.
    static func requireOpen(_ database: Database) throws {
        if database.sqliteConnection == nil { throw StoreError(.other, "the database is closed") }
    }
}
