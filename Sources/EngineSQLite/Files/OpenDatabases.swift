import ChatDBEngine
import Synchronization

/// The databases this process has open. Closing any descriptor of a file releases all locks the process has on it,
/// those of SQLite too, and another program can then write in the middle of a transaction. So chatdb must not read or
/// copy a file that is open here by other means than SQLite.
enum OpenDatabases {
    fileprivate static let counts = Mutex<[FileIdentity: Int]>([:])

    /// Runs `body`, which may open and close the file by other means than SQLite; returns nil without running it when
    /// the file is open here. No file is registered meanwhile.
    static func whenNotOpen<T: Sendable>(
        _ path: String, _ body: () throws(StoreError) -> T
    ) throws(StoreError) -> T? {
        try counts.withLock { counts throws(StoreError) in
            if let file = FileIdentity(at: path), counts[file] != nil { return nil }
            return try body()
        }
    }

    /// The entry of a file that SQLite opens, with locks. It ends with the connection.
    final class Registration: Sendable {
        private let file: Mutex<FileIdentity?>
        /// The path of the file.
        let path: String

        init(_ path: String) {
            self.path = path
            let file = FileIdentity(at: path)
            self.file = Mutex(file)
            if let file { counts.withLock { $0[file, default: 0] += 1 } }
        }

        deinit { end() }

        /// Called when the connection is closed. A second call does nothing.
        func end() {
            let ended = file.withLock { file in
                defer { file = nil }
                return file
            }
            guard let ended else { return }
            counts.withLock { counts in
                let rest = (counts[ended] ?? 1) - 1
                counts[ended] = rest > 0 ? rest : nil
            }
        }
    }
}
