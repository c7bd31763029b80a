import ChatDBEngine
public import ChatDBSchema
import Foundation

/// The record of a restore that has begun to move files, or of a change of the passphrase. It is on the disk from before
/// the first move until after the last. After a crash between them, the next restore recognizes the state and completes
/// it.
public struct RestoreRecord: Sendable, Hashable {
    /// The start of the restore, ISO 8601 in UTC.
    public let startedAt: String
    /// The folder of the backup; empty for a change of the passphrase.
    public let backup: String
    /// The store's id; nil for SimpleX Chat's.
    public let storeID: String?
    /// The store's generation after the restore; nil for SimpleX Chat's.
    public let generation: Int64?
    /// The name of the folder beside the store that receives the replaced files.
    public let aside: String
    /// The versions of the restored databases; nil is the empty history.
    public let versions: [DatabaseName: String?]
    /// What the new files were made of; nil for a restore of a backup.
    public internal(set) var rewriting: Rewriting?

    /// A change of the passphrase: the new files have the content of the old ones in another form.
    public struct Rewriting: Sendable, Hashable {
        /// What the change does with the form of the files.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// Plain files are encrypted.
            case set
            /// Encrypted files get another passphrase.
            case change
            /// Encrypted files are made plain.
            case remove
        }

        /// What the change does.
        public let kind: Kind
        /// The SHA-256 of the old files.
        public let originals: [DatabaseName: String]
    }
}

extension RestoreRecord {
    /// The file's name in the folder of a restore.
    static let fileName = StoreLocation.restoreRecordName

    /// A chatdb that knows no changes of the passphrase does not take the record of one for that of a restore.
    private static let formatOfRewriting = "chatdb-passphrase"
    private static let format = "chatdb-restore"

    /// The record in a file; nil for other content.
    init?(json: JSONValue) {
        let format = json["format"]?.stringValue
        guard format == Self.format || format == Self.formatOfRewriting,
            let startedAt = json["startedAt"]?.stringValue,
            let backup = json["backup"]?.stringValue, let databases = json["databases"]?.members,
            let aside = json["replaced"]?.stringValue
        else { return nil }
        let (storeID, generation) = (json["storeId"]?.stringValue, json["generation"]?.integerValue)
        if (storeID == nil) != (generation == nil) { return nil }
        // It must be the name of a folder beside the store, not a path that leads elsewhere.
        if aside.isEmpty || aside.hasPrefix(".") || aside.contains("/") { return nil }
        var versions: [DatabaseName: String?] = [:]
        var originals: [DatabaseName: String] = [:]
        for member in databases {
            guard let database = DatabaseName(rawValue: member.name) else { return nil }
            versions[database] = .some(member.value["version"]?.stringValue)
            originals[database] = member.value["sha256"]?.stringValue
        }
        var rewriting: Rewriting?
        if format == Self.formatOfRewriting {
            guard let kind = json["change"]?.stringValue.flatMap(Rewriting.Kind.init(rawValue:)),
                originals.count == versions.count
            else { return nil }
            rewriting = Rewriting(kind: kind, originals: originals)
        }
        self.init(
            startedAt: startedAt, backup: backup, storeID: storeID, generation: generation, aside: aside,
            versions: versions, rewriting: rewriting)
    }

    /// The name of the store, with which the name of the folder of replaced files begins.
    package var storeName: String {
        let end = aside.range(of: ".replaced-", options: .backwards)?.lowerBound
        return end.map { String(aside[..<$0]) } ?? aside
    }

    /// The id and generation of the store after the restore; nil for SimpleX Chat's.
    var identity: StoreIdentity? {
        guard let storeID, let generation else { return nil }
        return StoreIdentity(storeID: storeID, generation: generation)
    }

    /// The record as JSON.
    var json: JSONValue {
        let databases = versions.sorted { $0.key.rawValue < $1.key.rawValue }.map { database, version in
            var members = [JSONValue.Member("version", JSONValue(version))]
            if let hash = rewriting?.originals[database] { members.append(.init("sha256", .string(hash))) }
            return JSONValue.Member(database.rawValue, .object(members))
        }
        var members: [JSONValue.Member] = [
            .init("format", .string(rewriting == nil ? Self.format : Self.formatOfRewriting)),
            .init("startedAt", .string(startedAt)), .init("backup", .string(backup)),
            .init("storeId", JSONValue(storeID)), .init("generation", JSONValue(generation)),
            .init("replaced", .string(aside)), .init("databases", .object(databases)),
        ]
        if let rewriting { members.append(.init("change", .string(rewriting.kind.rawValue))) }
        return .object(members)
    }
}
