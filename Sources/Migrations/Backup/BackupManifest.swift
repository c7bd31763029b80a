import ChatDBEngine
public import ChatDBSchema
import Crypto
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The description of a backup, in `backup.json` beside its files.
public struct BackupManifest: Sendable, Hashable {
    /// One database of a backup.
    public struct Part: Sendable, Hashable {
        /// The file's name in the folder.
        public let file: String
        /// Its size.
        public let bytes: Int64
        /// SHA-256 over the file, hexadecimal.
        public let sha256: String
        /// The last migration applied; nil for none.
        public let version: String?
        /// Rows per table.
        public let counts: [String: Int]
    }

    /// The store's id and generation; nil where the database has none.
    public let identity: StoreIdentity?
    /// The time of the backup, ISO 8601 in UTC.
    public let createdAt: String
    /// The databases in the backup.
    public let parts: [DatabaseName: Part]
    /// The record of the interrupted migration of the store; nil without one.
    public internal(set) var interrupted: Record?
    /// The id of the store that the last adoption with this backup made of its databases. Nil without an adoption. If the
    /// adoption failed, no store has this id.
    package internal(set) var adoptedAs: String?

    /// The record of an interrupted migration, a file beside the databases.
    public struct Record: Sendable, Hashable {
        /// The file's name in the folder.
        public let file: String
        /// SHA-256 over the file, hexadecimal.
        public let sha256: String
    }
}

extension BackupManifest {
    /// The manifest as it is written.
    var json: JSONValue {
        let databases = parts.sorted { $0.key.rawValue < $1.key.rawValue }.map { database, part in
            JSONValue.Member(
                database.rawValue,
                [
                    "file": .string(part.file), "bytes": .integer(part.bytes), "sha256": .string(part.sha256),
                    "version": JSONValue(part.version),
                    "counts": .object(
                        part.counts.sorted { $0.key < $1.key }.map { .init($0.key, .integer(Int64($0.value))) }),
                ])
        }
        var members: [JSONValue.Member] = [
            .init("format", "chatdb-backup"), .init("formatVersion", 1), .init("storeId", JSONValue(identity?.storeID)),
            .init("generation", JSONValue(identity?.generation)), .init("createdAt", .string(createdAt)),
            .init("databases", .object(databases)),
        ]
        if let interrupted {
            members.append(
                .init("interrupted", ["file": .string(interrupted.file), "sha256": .string(interrupted.sha256)]))
        }
        if let adoptedAs { members.append(.init("adoptedAs", .string(adoptedAs))) }
        return .object(members)
    }

    /// The names of the files it consists of, besides its own.
    var files: [String] { parts.values.map(\.file) + [interrupted?.file].compactMap(\.self) }

    /// Whether a name is that of a file in the folder, and leads nowhere else.
    static func isFileName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && !name.contains("/") && !name.utf8.contains(0)
    }

    /// The manifest in a backup's folder; nil without a valid one.
    package static func read(inFolder path: String) -> BackupManifest? {
        let file = path + "/" + BackupFolder.manifestName
        // Reading a named pipe would wait forever.
        guard FileState(at: file).bytes != nil, let data = FileManager.default.contents(atPath: file),
            let json = try? JSONValue(parsing: data), json["format"]?.stringValue == "chatdb-backup",
            let createdAt = json["createdAt"]?.stringValue, let databases = json["databases"]?.members
        else { return nil }
        var parts: [DatabaseName: Part] = [:]
        for member in databases {
            guard let database = DatabaseName(rawValue: member.name), let file = member.value["file"]?.stringValue,
                let bytes = member.value["bytes"]?.integerValue, let sha256 = member.value["sha256"]?.stringValue
            else { return nil }
            var counts: [String: Int] = [:]
            for count in member.value["counts"]?.members ?? [] {
                counts[count.name] = count.value.integerValue.map(Int.init)
            }
            parts[database] = Part(
                file: file, bytes: bytes, sha256: sha256, version: member.value["version"]?.stringValue, counts: counts)
        }
        let identity = json["storeId"]?.stringValue.flatMap { id in
            json["generation"]?.integerValue.map { StoreIdentity(storeID: id, generation: $0) }
        }
        var manifest = BackupManifest(identity: identity, createdAt: createdAt, parts: parts)
        if let record = json["interrupted"] {
            guard let file = record["file"]?.stringValue, let sha256 = record["sha256"]?.stringValue else { return nil }
            manifest.interrupted = Record(file: file, sha256: sha256)
        }
        manifest.adoptedAs = json["adoptedAs"]?.stringValue
        return manifest
    }
}

/// The result of a backup.
public struct BackupReport: Sendable, Hashable {
    /// The absolute path of its folder.
    public let path: String
    /// Its description.
    public let manifest: BackupManifest
    /// The program that made its databases.
    public let kind: FoundDatabase.Kind
    /// The interrupted migration of the store, and of the backup; nil without one.
    public let interrupted: IntentRecord?
    /// Old backups that were removed because of the limit on their number.
    public let removedBackups: [String]
    /// Notes, a clause each: a missing database, or how a database had to be read.
    public let notes: [String]
}

/// SHA-256 of a file. Only for files that no connection of this process has open: closing the file would drop SQLite's
/// locks.
enum FileHash {
    static func sha256(of path: String) throws(StoreError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError.current("\(path) cannot be read") }
        defer { close(descriptor) }
        return try sha256(of: descriptor, path)
    }

    /// The hash of the content of a file that is open.
    static func sha256(of descriptor: CInt, _ path: String) throws(StoreError) -> String {
        var hash = SHA256()
        var place: off_t = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, place)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemError.current("\(path) cannot be read") }
            if count == 0 { break }
            hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            place += off_t(count)
        }
        return hash.finalize().hexadecimal
    }
}
