import ChatDBEngine
import Synchronization

/// The databases this process has open. Closing any descriptor of a file drops all locks the process has on it, those of
/// SQLite too, and another program's write then goes through the middle of a transaction: so a file that is open here
/// must not be looked at or copied.
enum OpenDatabases {
    fileprivate static let counts = Mutex<[FileIdentity: Int]>([:])

    /// Runs `body`, which may open and close the file by other means than SQLite, unless the file is open here: nil then.
    /// Nothing is registered meanwhile.
    static func whenNotOpen<T: Sendable>(
        _ path: String, _ body: () throws(StoreError) -> T
    ) throws(StoreError) -> T? {
        try counts.withLock { counts throws(StoreError) in
            if let file = FileIdentity(at: path), counts[file] != nil { return nil }
            return try body()
        }
    }

    /// A file that SQLite has open, or is about to, with locks that count. Ends with the connection.
    final class Registration: Sendable {
        private let file: Mutex<FileIdentity?>

        init(_ path: String) {
            let file = FileIdentity(at: path)
            self.file = Mutex(file)
            if let file { counts.withLock { $0[file, default: 0] += 1 } }
        }

        deinit { end() }

        /// Called when the connection is closed; again does nothing.
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
