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
        return SystemTrouble(number).advice.map { "\(message); \($0)" } ?? message
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

/// The path of a file or folder in a folder, which may be written with a slash at its end.
package func joinedPath(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
}

/// The folder of a path: the text before its last name; `.` for a name alone, and `/` for a path in the root.
package func parentFolder(of path: String) -> String {
    let path = withoutSlashes(path[...])
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(withoutSlashes(path[..<slash]))
}

/// The last name of a path; `/` for the root. Foundation's `lastPathComponent` crashes on a path of one character.
package func fileName(of path: String) -> String {
    let path = withoutSlashes(path[...])
    guard path != "/", let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return String(path) }
    return String(path[path.utf8.index(after: slash)...])
}

/// The path without slashes at its end; the root stays. A slash before a combining character is still a slash.
private func withoutSlashes(_ path: Substring) -> Substring {
    var path = path
    while path.utf8.last == UInt8(ascii: "/"), path.utf8.count > 1 {
        path = path[..<path.utf8.index(before: path.utf8.endIndex)]
    }
    return path
}
