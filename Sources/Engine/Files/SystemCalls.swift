#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The system refused to tell.
package struct FolderError: Error, Hashable, Sendable {
    /// The number of the system's error.
    package let errno: Int32
}

/// The names in a folder, without `.` and `..`, in no order. Names that are not UTF-8 are left out, because
/// a path could not be made of them.
package func folderNames(_ path: String) throws(FolderError) -> [String] {
    guard let folder = opendir(path) else { throw FolderError(errno: errno) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
        let name = String(decoding: bytes, as: UTF8.self)
        if name != ".", name != "..", name.utf8.elementsEqual(bytes) { names.append(name) }
    }
    return names
}

/// What the system says about an error, `Permission denied`.
package func systemMessage(_ reason: Int32) -> String {
    strerror(reason).map { String(cString: $0) } ?? "error \(reason)"
}

/// The path from the root, so that it is never taken for an option, a URI or SQLite's `:memory:`.
/// Nothing when the process has no current folder.
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
