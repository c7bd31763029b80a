import ChatDBPOSIX

/// The kind of problem that an error number of the system stands for.
package enum SystemTrouble: Sendable, Hashable {
    /// The permissions of a file or its folders.
    case permission
    /// The disk, its cable or its controller.
    case disk
    /// A disk on the network, or a medium that was removed.
    case gone
    /// No room on the disk, or a quota.
    case noSpace
    /// The process or the system has too many files open.
    case tooManyFiles
    /// Anything else.
    case other

    /// The kind of problem of an error number.
    package init(_ number: CInt) {
        switch number {
        case EACCES, EPERM: self = .permission
        case EIO: self = .disk
        case ESTALE, ENOTCONN, EHOSTDOWN, EHOSTUNREACH, ENETDOWN, ENETUNREACH, ETIMEDOUT, ECONNRESET, ENXIO, ENODEV:
            self = .gone
        case ENOSPC, EDQUOT: self = .noSpace
        case EMFILE, ENFILE: self = .tooManyFiles
        default: self = .other
        }
    }

    /// A clause that says what the error means and what to do. It is nil for a full disk and for other errors, whose
    /// message says enough.
    package var advice: String? {
        switch self {
        case .permission: "check its permissions and those of its folders"
        case .disk:
            "the disk failed, which is no damage of the database: copy all files to another disk, and read the copy"
        case .gone: "the disk is no longer there: connect the network disk or the medium again, and try again"
        case .noSpace: nil
        case .tooManyFiles: "too many files are open: close other programs, or raise the limit (ulimit -n)"
        case .other: nil
        }
    }

    /// Whether the disk failed or is no longer there. The error then says nothing about the database.
    package var isOfDisk: Bool { self == .disk || self == .gone }
}
