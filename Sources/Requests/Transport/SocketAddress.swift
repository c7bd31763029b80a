import ChatDBPOSIX

/// The file of a Unix socket.
enum SocketAddress {
    /// How long to wait for another program that makes a socket in the same folder.
    private static let patience = Duration.seconds(5)

    static func address(_ path: String) throws(TransportError) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let longest = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard path.utf8.count <= longest else { throw .socketPathTooLong(path, longest: longest) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return address
    }

    /// Replaces the socket of a program that died, and listens. Throws if a program listens there, or if the file is no
    /// socket.
    ///
    /// Two programs at once would both find the socket of a dead program, and the second one would remove the socket of
    /// the first. So a program locks the folder until it listens. The lock leaves no file.
    static func listen(
        _ path: String
    ) throws(TransportError) -> (descriptor: CInt, identity: (device: UInt64, inode: UInt64)) {
        var address = try address(path)
        let folder = try lockFolder(of: path)
        defer { close(folder) }
        try removeStale(path, &address)
        return try listen(path, &address)
    }

    /// Opens and locks the folder of a path. Closing the descriptor frees the lock.
    private static func lockFolder(of path: String) throws(TransportError) -> CInt {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = errno
            throw reason == EMFILE || reason == ENFILE ? .noDescriptors(reason) : .cannotListen(path, errno: reason)
        }
        let deadline = ContinuousClock.now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let reason = errno
            guard reason == EWOULDBLOCK || reason == EINTR, ContinuousClock.now < deadline else {
                close(descriptor)
                throw .cannotListen(path, errno: reason)
            }
            usleep(10_000)
        }
        return descriptor
    }

    /// Removes the socket of a program that died. Throws if a program listens there, or if the file is no socket.
    private static func removeStale(_ path: String, _ address: inout sockaddr_un) throws(TransportError) {
        var info = stat()
        guard lstat(path, &info) == 0 else { return }
        guard info.st_mode & S_IFMT == S_IFSOCK else { throw .socketPathTaken(path) }
        let probe = try unblockedSocket()
        defer { close(probe) }
        // EAGAIN: a program listens, and many clients wait for it.
        if call(&address, { connect(probe, $0, $1) }) == 0 || errno != ECONNREFUSED { throw .socketInUse(path) }
        unlink(path)
    }

    /// Makes the socket, for its owner alone, and listens.
    private static func listen(
        _ path: String, _ address: inout sockaddr_un
    ) throws(TransportError) -> (descriptor: CInt, identity: (device: UInt64, inode: UInt64)) {
        let descriptor = try unblockedSocket()
        // With a mode that is set afterwards, others could connect in between.
        let mask = umask(0o177)
        let isBound = call(&address, { bind(descriptor, $0, $1) }) == 0
        let bindReason = errno
        umask(mask)
        var info = stat()
        guard isBound, lstat(path, &info) == 0, ChatDBPOSIX.listen(descriptor, 128) == 0 else {
            let reason = isBound ? errno : bindReason
            close(descriptor)
            if isBound { unlink(path) }
            throw reason == EADDRINUSE ? .socketInUse(path) : .cannotListen(path, errno: reason)
        }
        return (descriptor, (UInt64(truncatingIfNeeded: info.st_dev), UInt64(info.st_ino)))
    }

    /// A socket that blocks no call, and that no child process gets.
    private static func unblockedSocket() throws(TransportError) -> CInt {
        let descriptor = socket(AF_UNIX, streamType, 0)
        guard descriptor >= 0 else { throw .noDescriptors(errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        return descriptor
    }

    /// Removes the socket, unless another program has put its own there.
    static func remove(_ path: String, _ identity: (device: UInt64, inode: UInt64)) {
        var info = stat()
        guard lstat(path, &info) == 0, UInt64(truncatingIfNeeded: info.st_dev) == identity.device,
            UInt64(info.st_ino) == identity.inode
        else { return }
        unlink(path)
    }

    private static func call(
        _ address: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) -> CInt {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    #if canImport(Glibc)
        private static let streamType = CInt(SOCK_STREAM.rawValue)
    #else
        private static let streamType = SOCK_STREAM
    #endif
}
