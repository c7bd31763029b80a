package import ChatDBEngine
import ChatDBPOSIX

/// Makes an archive as the app exports it: both databases, the files of chats and the pictures of the app's settings,
/// each deflated, and no folders.
package struct ArchiveMaking {
    /// A file of the archive.
    package struct Item: Sendable, Hashable {
        /// The name in the archive.
        package let name: String
        /// The path of the file.
        package let path: String

        package init(name: String, path: String) {
            (self.name, self.path) = (name, path)
        }
    }

    private let items: [Item]
    private let cancellation: Cancellation

    package init(_ items: [Item], cancellation: Cancellation) {
        (self.items, self.cancellation) = (items, cancellation)
    }

    /// Gives out the bytes of the archive. Throws an `ArchiveError`, also if a file changes meanwhile, or the error of
    /// `sink`.
    package func write(to sink: ([UInt8]) throws -> Void) throws {
        var place: Int64 = 0
        func give(_ bytes: [UInt8]) throws {
            try cancellation.check()
            try sink(bytes)
            place += Int64(bytes.count)
        }
        var list: [[UInt8]] = []
        for item in items {
            try cancellation.check()
            var numbers = try DeflatedFile.numbers(of: item.path, at: place)
            // Readers refuse what would become too large, such as a file of zeros.
            let isStored = ArchiveLimits().forbid(numbers.size, from: numbers.compressedSize)
            if isStored { numbers.compressedSize = numbers.size }
            let header = try Self.header(of: item, isStored ? ArchiveMethods.stored : ArchiveMethods.deflated)
            try give(numbers.ownHeader(like: header))
            if isStored {
                try DeflatedFile.readStored(item.path) { try give($0) }
            } else {
                try DeflatedFile.read(item.path) { try give($0) }
            }
            guard place == numbers.end(afterHeader: header) else {
                throw ArchiveError(item.path, .damaged("it changed while chatdb read it"))
            }
            list.append(numbers.listed(header))
        }
        let start = place
        for header in list { try give(header) }
        try give(ArchiveEnding.bytes(entries: list.count, list: start, listSize: place - start))
    }

    /// The header of a file in the list, without its numbers.
    private static func header(of item: Item, _ method: UInt16) throws(ArchiveError) -> [UInt8] {
        var info = stat()
        guard stat(item.path, &info) == 0 else { throw ArchiveError(item.path, .unreadable(errno: errno)) }
        let name = Array(item.name.utf8)
        let (time, date) = DOSTime.numbers(of: info)
        var bytes: [UInt8] = []
        bytes.add(0x0201_4B50 as UInt32)
        // Made on Unix, by version 2.0 of the format, which is needed to read it.
        bytes.add(0x0314 as UInt16)
        bytes.add(20 as UInt16)
        // The name is UTF-8.
        bytes.add(name.allSatisfy { $0 < 0x80 } ? 0 : 1 << 11 as UInt16)
        for number in [method, time, date] { bytes.add(number) }
        // The checksum and the sizes.
        for _ in 0..<3 { bytes.add(0 as UInt32) }
        bytes.add(UInt16(clamping: name.count))
        // No extra fields, no comment, the first disk, and bytes and not text.
        for _ in 0..<4 { bytes.add(0 as UInt16) }
        // A regular file of its owner.
        bytes.add(0o100600 << 16 as UInt32)
        bytes.add(0 as UInt32)
        return bytes + name
    }
}

/// Times as the format has them: in steps of two seconds, from 1980 on.
private enum DOSTime {
    static func numbers(of info: stat) -> (time: UInt16, date: UInt16) {
        #if canImport(Darwin)
            var seconds = info.st_mtimespec.tv_sec
        #else
            var seconds = info.st_mtim.tv_sec
        #endif
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil, (80..<207).contains(parts.tm_year) else { return (0, 1 << 5 | 1) }
        let time = parts.tm_hour << 11 | parts.tm_min << 5 | parts.tm_sec / 2
        let date = (parts.tm_year - 80) << 9 | (parts.tm_mon + 1) << 5 | parts.tm_mday
        return (UInt16(clamping: time), UInt16(clamping: date))
    }
}

/// The files of a store beside its databases, as they are in an archive.
package struct ArchiveItems {
    /// The files of chats and the pictures, sorted by name.
    package private(set) var found: [ArchiveMaking.Item] = []
    /// The names, escaped and shortened, of what an archive cannot have: links, devices, and names that are not safe
    /// on every system.
    package private(set) var leftOut: [String] = []

    /// Finds the files in `simplex_v1_files` and `simplex_v1_assets` of a folder. Nil if the folder has neither.
    package init?(in folder: String) throws(ArchiveError) {
        let parts = [ArchiveName.files, ArchiveName.assets].filter {
            FileState(at: folder + "/" + $0) == .notRegular(.directory)
        }
        if parts.isEmpty { return nil }
        for part in parts { try add(part, in: folder) }
        found.sort { $0.name < $1.name }
        leftOut.sort()
    }

    private mutating func add(_ name: String, in folder: String) throws(ArchiveError) {
        let names: [String]
        do throws(FolderError) {
            names = try folderNames(folder + "/" + name)
        } catch {
            throw ArchiveError(folder + "/" + name, .unreadable(errno: error.errno))
        }
        for part in names {
            let (inner, path) = (name + "/" + part, folder + "/" + name + "/" + part)
            var info = stat()
            guard lstat(path, &info) == 0 else { throw ArchiveError(path, .unreadable(errno: errno)) }
            let isFolder = info.st_mode & S_IFMT == S_IFDIR
            let isUnsafe = ArchiveName.danger(in: Array((isFolder ? inner + "/" : inner).utf8)[...]) != nil
            if isUnsafe || !isFolder && info.st_mode & S_IFMT != S_IFREG {
                leftOut.append(ArchiveName.shown(Array(inner.utf8)))
            } else if isFolder {
                try add(inner, in: folder)
            } else {
                found.append(ArchiveMaking.Item(name: inner, path: path))
            }
        }
    }
}
