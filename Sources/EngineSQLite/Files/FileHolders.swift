package import ChatDBEngine
import ChatDBPOSIX

/// The other processes that have a database open, found without opening the database or its side files.
package struct FileHolders: Sendable, Hashable {
    /// The processes, by number; this process is never among them.
    package let holders: [FileHolder]
    /// The number of processes of other users that could not be examined. Those of them that hold a lock are among the
    /// holders all the same.
    package let unaskedProcesses: Int

    /// A clause about what is unknown for that reason; nil when all processes were examined.
    package var uncertainty: String? {
        switch unaskedProcesses {
        case 0: nil
        case 1: "1 process of another user could not be examined for having the database open"
        case let count: "\(count) processes of other users could not be examined for having the database open"
        }
    }

    /// The holders of a database and of its `-wal`, `-shm` and `-journal`. Missing files have none. Nil, which means
    /// unknown, where `/proc` does not exist (macOS, some containers).
    package static func of(databaseAt path: String) -> FileHolders? {
        #if os(Linux)
            return ProcessFiles.holders(of: FileIdentity.all(ofDatabaseAt: path))
        #else
            return nil
        #endif
    }

    /// The same for several databases. First it looks for holders of all of them together: nearly always there are
    /// none, and a look at every process takes longer than everything else a command does.
    package static func of(databasesAt paths: [String]) -> [FileHolders?] {
        #if os(Linux)
            let files = paths.map { FileIdentity.all(ofDatabaseAt: $0) }
            let all = ProcessFiles.holders(of: files.reduce(into: []) { $0.formUnion($1) })
            return files.map { all?.holders.isEmpty == true ? all : ProcessFiles.holders(of: $0) }
        #else
            return paths.map { _ in nil }
        #endif
    }
}

extension StoreError {
    /// An error of a lock, with the processes that hold it; any other error as it is.
    ///
    /// - Parameter path: the path of the database. It is nil for a database that only this process uses.
    func naming(holdersOf path: String?) -> StoreError {
        guard kind == .busy, engineCode != nil, let path else { return self }
        return StoreError(.busy, "the database is locked\(LockHolders.clause(path))", engineCode: engineCode)
    }
}

/// Who holds the lock of a database.
enum LockHolders {
    /// A clause that names the processes, or says why there is no name.
    static func clause(_ path: String) -> String {
        guard let found = FileHolders.of(databaseAt: path) else { return "; this system does not say by which program" }
        #if os(Linux)
            let lockers = ProcessFiles.lockers(ofDatabaseAt: path)
        #else
            let lockers: [FileHolder] = []
        #endif
        let own = getpid()
        let others = lockers.filter { $0.pid != own }
        if !others.isEmpty { return " by \(names(others))" }
        if !found.holders.isEmpty {
            return "; \(names(found.holders)) \(found.holders.count == 1 ? "has" : "have") it open"
        }
        if !lockers.isEmpty { return " by another connection of this process (\(own))" }
        if let doubt = found.uncertainty { return "; \(doubt)" }
        return "; no process of this machine has it open, so the lock is of another machine or container"
    }

    /// Whether no process holds a lock of the database; false if the system does not say.
    static func isNone(_ path: String) -> Bool {
        #if os(Linux)
            return ProcessFiles.lockers(ofDatabaseAt: path).isEmpty
        #else
            return false
        #endif
    }

    private static func names(_ holders: [FileHolder]) -> String { holders.map(\.description).joined(separator: ", ") }
}

#if os(Linux)
    extension FileIdentity {
        /// The identities of those of the database and its side files that are there.
        static func all(ofDatabaseAt path: String) -> Set<FileIdentity> {
            let file = SQLitePath.resolved(path)
            return Set(["", "-wal", "-shm", "-journal"].compactMap { FileIdentity(at: file + $0) })
        }

        /// Reads a field of `/proc/locks`: `08:01:1234`, major and minor number in hexadecimal, inode in decimal.
        init?(lockField: some StringProtocol) {
            let parts = lockField.split(separator: ":")
            guard parts.count == 3, let major = UInt64(parts[0], radix: 16), let minor = UInt64(parts[1], radix: 16),
                let inode = UInt64(parts[2])
            else { return nil }
            // Linux spreads both numbers over `dev_t`: 12 low bits of the major number above 8 low bits of the minor.
            self.init(
                device: (major & 0xFFF) << 8 | (major & ~0xFFF) << 32 | (minor & 0xFF) | (minor & ~0xFF) << 12,
                inode: inode)
        }
    }

    /// Reads from `/proc` which files other processes have open.
    enum ProcessFiles {
        static func holders(of files: Set<FileIdentity>, proc: String = "/proc") -> FileHolders? {
            guard let names = try? folderNames(proc), names.contains("self") else { return nil }
            let own = getpid()
            var found: Set<Int32> = []
            var unasked = 0
            if !files.isEmpty {
                for pid in names.compactMap({ Int32($0) }) where pid != own {
                    switch isOpen(files, in: "\(proc)/\(pid)/fd") {
                    case true?: found.insert(pid)
                    case false?: break
                    case nil: unasked += 1
                    }
                }
                // A process that holds a lock has the file open. The table adds only processes that could not be
                // examined. Reading it makes the kernel wait for every processor: 7 to 20 ms, *measured*.
                if unasked > 0 {
                    found.formUnion(lockers(of: files, table: text(at: proc + "/locks") ?? "").filter { $0 != own })
                }
            }
            let holders = found.map { FileHolder(pid: $0, program: program(of: $0, proc: proc)) }
            return FileHolders(holders: holders.sorted(), unaskedProcesses: unasked)
        }

        /// Whether one of the descriptors is one of the files; nil when the process could not be examined. A process
        /// that has ended meanwhile has no file open.
        private static func isOpen(_ files: Set<FileIdentity>, in folder: String) -> Bool? {
            guard let descriptors = opendir(folder) else { return errno == ENOENT || errno == ESRCH ? false : nil }
            defer { closedir(descriptors) }
            var info = stat()
            while let entry = readdir(descriptors) {
                // `.` and `..`: a look at these two is a quarter of all looks.
                if entry.pointee.d_name.0 == CChar(UInt8(ascii: ".")) { continue }
                let isThere = withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                        fstatat(dirfd(descriptors), $0, &info, 0) == 0
                    }
                }
                if isThere, files.contains(FileIdentity(info)) { return true }
            }
            return false
        }

        /// The processes that hold a lock on a database or its side files, this one among them.
        static func lockers(ofDatabaseAt path: String, proc: String = "/proc") -> [FileHolder] {
            lockers(of: FileIdentity.all(ofDatabaseAt: path), table: text(at: proc + "/locks") ?? "")
                .map { FileHolder(pid: $0, program: program(of: $0, proc: proc)) }.sorted()
        }

        /// The processes that hold a lock on one of the files, or wait for one. A lock that belongs to no process has
        /// the number -1.
        static func lockers(of files: Set<FileIdentity>, table: String) -> Set<Int32> {
            var pids: Set<Int32> = []
            for line in table.split(separator: "\n") {
                // `1: POSIX ADVISORY WRITE 4711 08:01:1234 0 EOF`, after `->` when it waits.
                let fields = line.split(separator: " ").filter { $0 != "->" }
                guard fields.count >= 6, let pid = Int32(fields[4]), pid > 0,
                    let file = FileIdentity(lockField: fields[5]), files.contains(file)
                else { continue }
                pids.insert(pid)
            }
            return pids
        }

        private static func program(of pid: Int32, proc: String) -> String {
            let name = text(at: "\(proc)/\(pid)/comm") ?? ""
            return name.hasSuffix("\n") ? String(name.dropLast()) : name
        }

        /// The text of a file in `/proc`, whose size is unknown before it is read; at most 4 MB.
        private static func text(at path: String) -> String? {
            let file = open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return nil }
            defer { close(file) }
            var bytes: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 65_536)
            while bytes.count < 4 << 20 {
                let got = read(file, &part, part.count)
                if got < 0, errno == EINTR { continue }
                if got <= 0 { break }
                bytes += part[..<got]
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
#endif
