public import ChatDBSchema

/// The record of a restore that has begun to move files. It is on the disk from before the first move until after the
/// last. After a crash between them, the next restore recognizes the state and completes it.
public struct RestoreRecord: Sendable, Hashable {
    /// The start of the restore, ISO 8601 in UTC.
    public let startedAt: String
    /// The folder of the backup.
    public let backup: String
    /// The store's id; nil for SimpleX Chat's.
    public let storeID: String?
    /// The store's generation after the restore; nil for SimpleX Chat's.
    public let generation: Int64?
    /// The name of the folder beside the store that receives the replaced files.
    public let aside: String
    /// The versions of the restored databases; nil is the empty history.
    public let versions: [DatabaseName: String?]
}

extension RestoreRecord {
    /// The file's name in the folder of a restore.
    static let fileName = "restore.json"

    /// The record in a file; nil for other content.
    init?(json: JSONValue) {
        guard json["format"]?.stringValue == "chatdb-restore", let startedAt = json["startedAt"]?.stringValue,
            let backup = json["backup"]?.stringValue, let databases = json["databases"]?.members,
            let aside = json["replaced"]?.stringValue
        else { return nil }
        let (storeID, generation) = (json["storeId"]?.stringValue, json["generation"]?.integerValue)
        if (storeID == nil) != (generation == nil) { return nil }
        // It must be the name of a folder beside the store, not a path that leads elsewhere.
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

    /// The id and generation of the store after the restore; nil for SimpleX Chat's.
    var identity: StoreIdentity? {
        guard let storeID, let generation else { return nil }
        return StoreIdentity(storeID: storeID, generation: generation)
    }

    /// The record as JSON.
    var json: JSONValue {
        let databases = versions.sorted { $0.key.rawValue < $1.key.rawValue }.map { database, version in
            JSONValue.Member(database.rawValue, ["version": JSONValue(version)])
        }
        return [
            "format": "chatdb-restore", "startedAt": .string(startedAt), "backup": .string(backup),
            "storeId": JSONValue(storeID), "generation": JSONValue(generation), "replaced": .string(aside),
            "databases": .object(databases),
        ]
    }
}
