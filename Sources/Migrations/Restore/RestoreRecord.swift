package import ChatDBEngine
public import ChatDBSchema
import Foundation

/// The record of a restore that has begun to put files in their places: on the disk from before the first of them until
/// after the last, so that a crash between is known for what it is, and the next restore brings it to its end.
public struct RestoreRecord: Sendable, Hashable {
    /// When it began, ISO 8601 in UTC.
    public let startedAt: String
    /// The folder of the backup.
    public let backup: String
    /// The store's id.
    public let storeID: String
    /// The generation of the store after the restore.
    public let generation: Int64
    /// The folder beside the store that what was there is moved into, by its name.
    public let aside: String
    /// The versions of the restored databases; nil is the empty history.
    public let versions: [DatabaseName: String?]
}

extension RestoreRecord {
    /// Whether it is of the backup in this folder; a relative path begins in the current folder.
    public func isOf(_ folder: String) -> Bool {
        let given = BackupFolder.absolute(folder) as NSString
        return (backup as NSString).standardizingPath == given.standardizingPath
    }

    /// The file's name in the folder of a restore.
    static let fileName = "restore.json"

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

    private init?(json: JSONValue) {
        guard json["format"]?.stringValue == "chatdb-restore", let startedAt = json["startedAt"]?.stringValue,
            let backup = json["backup"]?.stringValue, let storeID = json["storeId"]?.stringValue,
            let generation = json["generation"]?.integerValue, let databases = json["databases"]?.members,
            let aside = json["replaced"]?.stringValue
        else { return nil }
        // The name of a folder beside the store, and nothing that leads elsewhere.
        if aside.isEmpty || aside.hasPrefix(".") || aside.contains("/") { return nil }
        var versions: [DatabaseName: String?] = [:]
        for member in databases {
            guard let database = DatabaseName(rawValue: member.name) else { return nil }
            versions[database] = .some(member.value["version"]?.stringValue)
        }
        self.init(
            startedAt: startedAt, backup: backup, storeID: storeID, generation: generation, aside: aside,
            versions: versions)
    }

    var json: JSONValue {
        let databases = versions.sorted { $0.key.rawValue < $1.key.rawValue }.map { database, version in
            JSONValue.Member(database.rawValue, ["version": JSONValue(version)])
        }
        return [
            "format": "chatdb-restore", "startedAt": .string(startedAt), "backup": .string(backup),
            "storeId": .string(storeID), "generation": .integer(generation), "replaced": .string(aside),
            "databases": .object(databases),
        ]
    }
}
