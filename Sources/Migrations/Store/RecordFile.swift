package import ChatDBEngine
import ChatDBSchema
import Foundation

/// Files in which a run or a restore tells that it is under way.
private enum RecordFile {
    /// What a record says, or nil when there is none. A file that is no record is `unreadableIntentRecord`: somebody must
    /// look at it. Where one may not look, nobody knows whether there is a record: that is a question of permissions.
    static func read(_ path: String) throws(MigrationError) -> JSONValue? {
        let state = FileState(at: path)
        switch state {
        case .missing: return nil
        case .unreachable(let reason): throw .system(unreadable((path as NSString).deletingLastPathComponent, reason))
        // Reading a named pipe would wait for ever.
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
    /// The record at a path, or nil when there is none. A file that is no record is an error: somebody must look at it.
    static func read(_ path: String) throws(MigrationError) -> IntentRecord? {
        guard let json = try RecordFile.read(path) else { return nil }
        guard let record = IntentRecord(json: json) else { throw .unreadableIntentRecord(path: path) }
        return record
    }

    /// Whether there is a record, readable or not.
    static func isThere(_ location: StoreLocation) -> Bool {
        FileState(at: location.intentPath) != .missing
    }

    /// Puts the record on the disk: whole or not at all, and there to stay when this returns.
    func write(_ path: String) throws(StoreError) {
        try DurableFile.write(json.text(.pretty) + "\n", to: path)
    }

    /// Takes the record away.
    static func remove(_ path: String) throws(StoreError) {
        try DurableFile.remove(path)
    }
}

extension RestoreRecord {
    /// The record of a restore of this store, or nil when none was interrupted.
    static func read(at location: StoreLocation) throws(MigrationError) -> RestoreRecord? {
        let path = location.restoringPath + "/" + fileName
        guard let json = try RecordFile.read(path) else { return nil }
        guard let record = RestoreRecord(json: json) else { throw .unreadableIntentRecord(path: path) }
        return record
    }

    /// Throws `interruptedRestore` when there is a record: the files of the store may be of two pairs.
    package static func refuse(at location: StoreLocation) throws(MigrationError) {
        if let record = try read(at: location) { throw .interruptedRestore(record) }
    }
}
