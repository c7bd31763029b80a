package import ChatDBEngine
import ChatDBSchema
import Foundation

/// The files that record a run or a restore in progress.
private enum RecordFile {
    /// The content of a record, or nil without one. A file that is not a record throws `unreadableIntentRecord`: a
    /// person must look at it. Without the permission to read, chatdb cannot know whether there is a record, and
    /// reports the permissions.
    static func read(_ path: String) throws(MigrationError) -> JSONValue? {
        let state = FileState(at: path)
        switch state {
        case .missing: return nil
        case .unreachable(let reason): throw .system(unreadable(parentFolder(of: path), reason))
        // Reading a named pipe would block.
        case .notRegular: throw .unreadableIntentRecord(path: path)
        case .empty, .regular: break
        }
        guard access(path, R_OK) == 0 else { throw .system(unreadable(path, errno)) }
        guard let data = FileManager.default.contents(atPath: path), let json = try? JSONValue(parsing: data) else {
            throw .unreadableIntentRecord(path: path)
        }
        return json
    }

    private static func unreadable(_ path: String, _ reason: Int32) -> StoreError {
        StoreError(
            .inputOutput,
            "\(path) cannot be read: \(systemMessage(reason)); check its permissions and those of its folders",
            engineCode: Int(reason))
    }
}

extension IntentRecord {
    /// The record of an interrupted run of a store, or nil without one. A store on a server has none, and none is written
    /// or removed: both of its databases commit at once.
    package static func read(at location: StoreLocation) throws(MigrationError) -> IntentRecord? {
        location.server == nil ? try read(location.intentPath) : nil
    }

    /// The record at a path, or nil without one. A file that is not a record is an error: a person must look at it.
    static func read(_ path: String) throws(MigrationError) -> IntentRecord? {
        guard let json = try RecordFile.read(path) else { return nil }
        guard let record = IntentRecord(json: json) else { throw .unreadableIntentRecord(path: path) }
        return record
    }

    /// Whether there is a record, readable or not.
    static func isThere(_ location: StoreLocation) -> Bool {
        location.server == nil && FileState(at: location.intentPath) != .missing
    }

    /// Writes the record of a store.
    func write(at location: StoreLocation) throws(StoreError) {
        if location.server == nil { try write(location.intentPath) }
    }

    /// Writes the record atomically and durably.
    func write(_ path: String) throws(StoreError) {
        try DurableFile.write(json.text(.pretty) + "\n", to: path)
    }

    /// Removes the record of a store.
    static func remove(at location: StoreLocation) throws(StoreError) {
        if location.server == nil { try DurableFile.remove(location.intentPath) }
    }
}

extension RestoreRecord {
    /// The record of an interrupted restore of this store, or nil without one.
    package static func read(at location: StoreLocation) throws(MigrationError) -> RestoreRecord? {
        // A server restores its stores by its own means.
        if location.server != nil { return nil }
        let path = location.restoringPath + "/" + fileName
        guard let json = try RecordFile.read(path) else { return nil }
        guard let record = RestoreRecord(json: json) else { throw .unreadableIntentRecord(path: path) }
        return record
    }

    /// Throws `interruptedRestore` when there is a record: the two files of the store may be of different pairs.
    package static func refuse(at location: StoreLocation) throws(MigrationError) {
        if let record = try read(at: location) { throw .interruptedRestore(record) }
    }
}

/// The files of a restore, or of a change of the passphrase, that was killed before it wrote its record: new databases in
/// the folder `<prefix>.restoring`, and an empty folder for the replaced files. The store is as it was. The next restore
/// or change of the passphrase removes them.
package struct AbandonedFiles: Sendable, Hashable {
    /// The path of the folder for new databases. It may be missing if `databases` is empty.
    package let folder: String
    /// The names of the databases in it, chat first.
    package let databases: [String]
    /// The names of those that are not encrypted.
    package let plain: [String]
    /// The names of those that begin with zeros. SQLite writes the first page last, and the other pages may be plain or
    /// encrypted.
    package let unfinished: [String]
    /// The paths of the empty folders for replaced files.
    package let emptyFolders: [String]

    /// The files beside a store. Nil if there are none, if there is a record, and while a process has the lock of the
    /// store, which may be making the files.
    package init?(beside location: StoreLocation) {
        let folder = location.restoringPath
        guard location.server == nil else { return nil }
        emptyFolders = Self.emptyFolders(beside: location)
        guard FileState(at: folder) == .notRegular(.directory) || !emptyFolders.isEmpty else { return nil }
        let lock = StoreLock.shareExisting(location.lockPath, timeout: 0)
        defer { withExtendedLifetime(lock) {} }
        guard lock != nil || FileState(at: location.lockPath) == .missing,
            FileState(at: folder + "/" + StoreLocation.restoreRecordName) == .missing
        else { return nil }
        databases = location.databases.map { fileName(of: location.path(of: $0)) }
            .filter { FileState(at: folder + "/" + $0).bytes != nil }
        let beginnings = databases.map { ($0, Self.beginning(of: folder + "/" + $0)) }
        plain = beginnings.filter { $0.1 == Data("SQLite format 3\0".utf8) }.map(\.0)
        unfinished = beginnings.filter { !$0.1.isEmpty && $0.1.allSatisfy { $0 == 0 } }.map(\.0)
        self.folder = folder
        if databases.isEmpty, emptyFolders.isEmpty { return nil }
    }

    /// The paths of the empty folders for replaced files of a store, sorted.
    static func emptyFolders(beside location: StoreLocation) -> [String] {
        let names = (try? folderNames(location.folder, prefix: location.name + ".replaced-")) ?? []
        return names.sorted().map { location.folder + "/" + $0 }.filter { (try? folderNames($0))?.isEmpty == true }
    }

    /// The first 16 bytes of a file; none if it cannot be read. In an encrypted database, they are random.
    private static func beginning(of path: String) -> Data {
        guard let file = FileHandle(forReadingAtPath: path) else { return Data() }
        defer { try? file.close() }
        return (try? file.read(upToCount: 16)) ?? Data()
    }
}
