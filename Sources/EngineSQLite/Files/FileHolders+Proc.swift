#if os(Linux)
    import ChatDBEngine

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    extension FileIdentity {
        /// The identities of the database and its side files, as far as they are there.
        static func all(ofDatabaseAt path: String) -> Set<FileIdentity> {
            let file = SQLitePath.resolved(path)
            return Set(["", "-wal", "-shm", "-journal"].compactMap { FileIdentity(at: file + $0) })
        }

        /// As `/proc/locks` writes it: `08:01:1234`, major and minor number in hexadecimal, inode in decimal.
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

    /// What `/proc` tells of the files of other processes.
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
                found.formUnion(lockers(of: files, table: text(at: proc + "/locks") ?? "").filter { $0 != own })
            }
            let holders = found.map { FileHolder(pid: $0, program: program(of: $0, proc: proc)) }
            return FileHolders(holders: holders.sorted(), unaskedProcesses: unasked)
        }

        /// Whether one of the descriptors is one of the files; nothing when the process may not be asked. A process
        /// that has ended meanwhile has nothing open.
        private static func isOpen(_ files: Set<FileIdentity>, in folder: String) -> Bool? {
            guard let descriptors = opendir(folder) else { return errno == EACCES || errno == EPERM ? nil : false }
            defer { closedir(descriptors) }
            var info = stat()
            while let entry = readdir(descriptors) {
                let isThere = withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                        fstatat(dirfd(descriptors), $0, &info, 0) == 0
                    }
                }
                if isThere, files.contains(FileIdentity(info)) { return true }
            }
            return false
        }

        /// The processes that hold a lock on one of the files, or wait for one. A lock that belongs to no process
        /// (`-1`) names nobody.
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

        /// A file of `/proc`, whose size is not known before it is read; at most 4 MB of it.
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
