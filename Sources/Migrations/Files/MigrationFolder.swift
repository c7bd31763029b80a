import ChatDBEngine

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder of migration files, read with system calls: only regular files are opened.
struct MigrationFolder {
    /// Larger files are refused without reading them.
    static let largestFile = 16 * 1024 * 1024

    enum Content: Hashable {
        case text(String)
        /// The reason why the file is not a migration.
        case refused(String)
    }

    let path: String

    /// Nil when the path does not exist.
    static func open(_ path: String) throws(MigrationFileError) -> MigrationFolder? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let code = errno
            guard code == ENOENT else { throw .cannotRead(path: path, reason: systemMessage(code)) }
            return nil
        }
        guard isKind(status, S_IFDIR) else { throw .notAFolder(path: path) }
        return MigrationFolder(path: path)
    }

    func pathOf(_ name: String) -> String { path.hasSuffix("/") ? path + name : path + "/" + name }

    /// The names of its files, sorted, without hidden ones. Bytes that are not UTF-8 become U+FFFD: such a name does
    /// not match the pattern, and no file is opened by it.
    func names() throws(MigrationFileError) -> [String] {
        guard let folder = opendir(path) else { throw .cannotRead(path: path, reason: systemMessage(errno)) }
        defer { closedir(folder) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else { break }
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if bytes.first != UInt8(ascii: ".") { names.append(String(decoding: bytes, as: UTF8.self)) }
        }
        guard errno == 0 else { throw .cannotRead(path: path, reason: systemMessage(errno)) }
        return names.sorted()
    }

    func read(_ name: String) throws(MigrationFileError) -> Content {
        let file = pathOf(name)
        var status = stat()
        guard lstat(file, &status) == 0 else { throw .cannotRead(path: file, reason: systemMessage(errno)) }
        guard Self.isKind(status, S_IFREG) else { return .refused("it is not a regular file") }
        // The file may have been replaced since: do not follow a link, do not wait for a pipe.
        let descriptor = openForReading(file)
        guard descriptor >= 0 else { throw .cannotRead(path: file, reason: systemMessage(errno)) }
        defer { close(descriptor) }
        guard fstat(descriptor, &status) == 0 else { throw .cannotRead(path: file, reason: systemMessage(errno)) }
        guard Self.isKind(status, S_IFREG) else { return .refused("it is not a regular file") }
        guard status.st_size <= Self.largestFile else { return .refused(Self.tooLarge) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(Int(status.st_size) + 1, 1 << 20))
        while true {
            let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0) }
            guard count >= 0 else { throw .cannotRead(path: file, reason: systemMessage(errno)) }
            if count == 0 { break }
            bytes += buffer[..<count]
            guard bytes.count <= Self.largestFile else { return .refused(Self.tooLarge) }
        }
        return Self.text(bytes)
    }

    private static let tooLarge = "it is larger than \(largestFile / 1024 / 1024) MiB"

    /// The bytes as text, or the position of the first byte that is not UTF-8.
    static func text(_ bytes: [UInt8]) -> Content {
        let text = String(decoding: bytes, as: UTF8.self)
        let repaired = Array(text.utf8)
        guard bytes != repaired else { return .text(text) }
        var place = zip(bytes, repaired).prefix { $0 == $1 }.reduce(0) { count, _ in count + 1 }
        // U+FFFD may begin with the same bytes as the text it replaces.
        while place > 0, place < repaired.count, repaired[place] & 0xC0 == 0x80 { place -= 1 }
        return .refused("it is not UTF-8: byte \(place), counted from 0, cannot be read")
    }

    private static func isKind(_ status: stat, _ kind: mode_t) -> Bool { status.st_mode & S_IFMT == kind }
}

private func openForReading(_ path: String) -> Int32 {
    open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count >= 0 || errno != EINTR { return count }
    }
}
