import ChatDBPOSIX

/// Translates errors of the operating system into `StoreError`.
package enum SystemError {
    /// The error of the last system call. `what` says what could not be done.
    package static func current(_ what: String) -> StoreError {
        error(errno, what)
    }

    /// The error for an error number. `what` says what could not be done.
    package static func error(_ number: CInt, _ what: String) -> StoreError {
        let kind: StoreError.Kind =
            switch number {
            case ENOSPC, EDQUOT: .diskFull
            case EROFS, EACCES, EPERM: .readOnly
            case ENOENT: .missing
            default: .inputOutput
            }
        return StoreError(kind, "\(what): \(explained(number))", engineCode: Int(number), systemError: number)
    }

    /// The system's message for an error number, with what it means and what to do where that is known.
    package static func explained(_ number: CInt) -> String {
        let message = systemMessage(number)
        return Trouble(number).advice.map { "\(message); \($0)" } ?? message
    }

    /// What an error number is about.
    package enum Trouble: Sendable, Hashable {
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

        /// The trouble of an error number.
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

        /// What it means and what to do, a clause; nil when the message says enough.
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

        /// Whether it is the disk's: no answer about the database is then possible.
        package var isOfDisk: Bool { self == .disk || self == .gone }
    }
}

/// The system could not list a folder.
package struct FolderError: Error, Hashable, Sendable {
    /// The number of the system's error.
    package let errno: Int32
}

/// The names in a folder that begin with a prefix, without `.` and `..`, unordered. Names that are not UTF-8 are left
/// out, because a `String` cannot hold such a path.
package func folderNames(_ path: String, prefix: String = "") throws(FolderError) -> [String] {
    guard let folder = opendir(path) else { throw FolderError(errno: errno) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name: String? = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            // Of the names in a temporary folder nearly all are other programs'; no text is made of these.
            guard bytes.starts(with: prefix.utf8) else { return nil }
            return String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if let name, name != ".", name != ".." { names.append(name) }
    }
    return names
}

/// The system's message for an error number, such as `Permission denied`.
package func systemMessage(_ reason: Int32) -> String {
    strerror(reason).map { String(cString: $0) } ?? "error \(reason)"
}

/// The absolute path, which cannot be mistaken for an option, a URI or SQLite's `:memory:`. Nil when the process has no
/// current folder.
package func absolutePath(_ path: String) -> String? {
    if path.utf8.first == UInt8(ascii: "/") { return path }
    guard let here = getcwd(nil, 0) else { return nil }
    defer { free(here) }
    var relative = path[...]
    while relative.hasPrefix("./") { relative = relative.dropFirst(2).drop { $0 == "/" } }
    if relative == "." { relative = "" }
    let folder = String(cString: here)
    return folder.hasSuffix("/") ? folder + relative : folder + "/" + relative
}
