package import ChatDBPOSIX

/// The kind of something that is not a regular file.
public enum FileKind: String, Sendable, Hashable, CaseIterable {
    /// A folder.
    case directory
    /// A named pipe: opening it waits for a writer.
    case fifo
    /// A socket.
    case socket
    /// A device that is read byte by byte, as `/dev/zero`.
    case characterDevice
    /// A disk or a part of one.
    case blockDevice
    /// A symbolic link that leads back to itself.
    case linkLoop
    /// A symbolic link that leads nowhere.
    case danglingLink
    /// Something this build does not know.
    case other

    /// Its name in a message, with the article.
    public var shownName: String {
        switch self {
        case .directory: "a directory"
        case .fifo: "a named pipe (FIFO)"
        case .socket: "a socket"
        case .characterDevice: "a character device"
        case .blockDevice: "a block device"
        case .linkLoop: "a symbolic link that leads back to itself"
        case .danglingLink: "a symbolic link that leads nowhere"
        case .other: "neither a file nor a directory"
        }
    }
}

/// The state of a path, found out without opening anything.
public enum FileState: Sendable, Hashable {
    /// Nothing.
    case missing
    /// A file of 0 bytes.
    case empty
    /// A file, or a symbolic link to one, with its size.
    case regular(bytes: Int64)
    /// Something that is not a regular file.
    case notRegular(FileKind)
    /// The state is unknown, mostly for lack of permission on a folder; the number of the system's error.
    case unreachable(errno: Int32)

    /// The state of the path now. A symbolic link to a file counts as the file.
    public init(at path: String) {
        var info = stat()
        guard lstat(path, &info) == 0 else {
            self = Self.failure(errno)
            return
        }
        if info.st_mode & S_IFMT == S_IFLNK, stat(path, &info) != 0 {
            let reason = errno
            self = reason == ENOENT || reason == ENOTDIR ? .notRegular(.danglingLink) : Self.failure(reason)
            return
        }
        switch info.st_mode & S_IFMT {
        case S_IFREG: self = info.st_size == 0 ? .empty : .regular(bytes: Int64(info.st_size))
        case S_IFDIR: self = .notRegular(.directory)
        case S_IFIFO: self = .notRegular(.fifo)
        case S_IFSOCK: self = .notRegular(.socket)
        case S_IFCHR: self = .notRegular(.characterDevice)
        case S_IFBLK: self = .notRegular(.blockDevice)
        default: self = .notRegular(.other)
        }
    }

    /// The size of a file; nil when there is no file.
    public var bytes: Int64? {
        switch self {
        case .empty: 0
        case .regular(let bytes): bytes
        case .missing, .notRegular, .unreachable: nil
        }
    }

    private static func failure(_ reason: Int32) -> FileState {
        switch reason {
        case ENOENT, ENOTDIR: .missing
        case ELOOP: .notRegular(.linkLoop)
        default: .unreachable(errno: reason)
        }
    }
}

/// The identity of a file: two paths with the same one lead to the same file.
package struct FileIdentity: Sendable, Hashable {
    package let device: UInt64
    package let inode: UInt64

    package init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }

    /// The identity in the answer of `stat`.
    package init(_ info: stat) {
        self.init(device: UInt64(truncatingIfNeeded: info.st_dev), inode: UInt64(info.st_ino))
    }

    /// The identity of the file at a path or of a link's target; nil when there is none. Opens nothing.
    package init?(at path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        self.init(info)
    }
}
