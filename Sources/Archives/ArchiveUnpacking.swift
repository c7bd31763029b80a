package import ChatDBEngine
import ChatDBPOSIX
package import ChatDBSchema
import Foundation

/// Writes the contents of an archive to the disk: the databases into a private folder, or everything into a new one.
/// Every file is for its owner alone and is proven whole; an existing file is never written.
package struct ArchiveUnpacking {
    package let reader: ArchiveReader
    package let contents: ArchiveContents
    private let cancellation: Cancellation?
    private let progress: (Int64) -> Void

    /// - Parameter progress: called now and then, with the number of bytes written so far.
    package init(
        _ reader: ArchiveReader, _ contents: ArchiveContents, cancellation: Cancellation? = nil,
        progress: @escaping (Int64) -> Void = { _ in }
    ) {
        self.reader = reader
        self.contents = contents
        self.cancellation = cancellation
        self.progress = progress
    }

    /// The prefix of the paths of both databases in a folder.
    package static func prefix(in folder: String) -> String { folder + "/simplex_v1" }

    /// Writes the databases into a private folder, encrypted as they are in the archive, under the names that they have
    /// there. Returns their paths. When this throws, none is left.
    package func databases(into folder: LockedFolder) throws -> [DatabaseName: String] {
        try LockedFolder.requireSpace(contents.databaseBytes, in: folder.path)
        let writer = EntryWriter(self)
        var paths: [DatabaseName: String] = [:]
        do {
            for (database, entry) in contents.databases {
                let path = path(of: database, in: folder.path)
                try writer.write(entry, to: path, isSynced: false)
                paths[database] = path
            }
        } catch {
            for path in paths.values { unlink(path) }
            throw error
        }
        return paths
    }

    /// Writes the databases, files and pictures into a folder, which is created unless it exists and is empty. The
    /// databases get their names last: a folder that has them has everything. When this throws, nothing is left.
    package func everything(into given: String) throws {
        let folder = try UnpackingFolder.path(given)
        let (isNew, lock) = try UnpackingFolder.make(folder)
        defer { close(lock) }
        do {
            try UnpackingFolder.requireSpace(contents.bytes, in: folder)
            try writeAll(into: folder)
        } catch {
            let databases = DatabaseName.allCases.map { path(of: $0, in: folder) }
            let others = [ArchiveName.files, ArchiveName.assets].map { "\(folder)/\($0)" }
            for path in databases + databases.map({ $0 + Self.unfinished }) + others {
                try? FileManager.default.removeItem(atPath: path)
            }
            if isNew { rmdir(folder) }
            throw error
        }
    }

    /// Reads every file and picture, and returns the names of those whose content is not what it should be, escaped and
    /// shortened. Throws when the archive cannot be read on.
    package func damagedFiles() throws -> [String] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var damaged: [String] = []
        var bytes = contents.databaseBytes
        try reader.verifyOthers()
        for entry in reader.directory.entries where entry.kind == .file || entry.kind == .asset {
            try cancellation?.check()
            do throws(ArchiveError) {
                try reader.verify(entry, in: buffer)
            } catch {
                guard case .damagedEntry(let name, _) = error.problem else { throw error }
                damaged.append(name)
            }
            bytes += entry.size
            progress(bytes)
        }
        return damaged
    }

    private static let unfinished = ".unpacking"

    private func writeAll(into folder: String) throws {
        let writer = EntryWriter(self)
        var parent = ""
        try reader.verifyOthers()
        for entry in reader.directory.entries where entry.kind == .file || entry.kind == .asset {
            let name = reader.directory.name(of: entry)
            let own = name.prefix(upTo: name.lastIndex(of: UInt8(ascii: "/")) ?? name.startIndex)
            if !own.elementsEqual(parent.utf8) {
                try UnpackingFolder.syncAll(parent, in: folder)
                parent = String(decoding: own, as: UTF8.self)
                try UnpackingFolder.makeAll(parent, in: folder)
            }
            try writer.write(entry, to: "\(folder)/\(String(decoding: name, as: UTF8.self))", isSynced: true)
        }
        try UnpackingFolder.syncAll(parent, in: folder)
        for (database, entry) in contents.databases {
            try writer.write(entry, to: path(of: database, in: folder) + Self.unfinished, isSynced: true)
        }
        for database in DatabaseName.allCases where contents.databases[database] != nil {
            let path = path(of: database, in: folder)
            guard rename(path + Self.unfinished, path) == 0 else {
                throw SystemError.current("\(path) cannot be created")
            }
        }
        try FileSync.folder(folder)
        // The folder above may be one that this user cannot read, and so cannot sync.
        try? FileSync.folder(parentFolder(of: folder))
    }

    private func path(of database: DatabaseName, in folder: String) -> String {
        let name = database == .chat ? ArchiveName.chat : ArchiveName.agent
        return "\(folder)/\(name)"
    }

    /// Writes entries one after the other, with one buffer.
    private final class EntryWriter {
        private let unpacking: ArchiveUnpacking
        private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        private var written: Int64 = 0

        init(_ unpacking: ArchiveUnpacking) { self.unpacking = unpacking }

        deinit { buffer.deallocate() }

        /// Writes the content of an entry into a new file. When this throws, the file is not left.
        /// - Parameter isSynced: the content survives a power cut. A private copy need not.
        func write(_ entry: ArchiveEntry, to path: String, isSynced: Bool) throws {
            let stream = try unpacking.reader.stream(of: entry)
            let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw SystemError.current("\(path) cannot be created") }
            defer { close(descriptor) }
            do {
                while true {
                    try unpacking.cancellation?.check()
                    let count = try stream.read(into: buffer)
                    if count == 0 { break }
                    try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: descriptor, path)
                    written += Int64(count)
                    unpacking.progress(written)
                }
                guard !isSynced || fsync(descriptor) == 0 else { throw SystemError.current("\(path) cannot be synced") }
            } catch {
                unlink(path)
                throw error
            }
        }

        private func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt, _ path: String) throws(StoreError) {
            var done = 0
            while done < bytes.count {
                let count = ChatDBPOSIX.write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
                if count < 0 {
                    if errno == EINTR { continue }
                    throw SystemError.current("\(path) cannot be written")
                }
                done += count
            }
        }
    }
}
