import ChatDBEngine
import ChatDBMigrationFiles
import ChatDBSchema
import Crypto

/// The schemas of all versions of this build's own migrations for SQLite, as `migrations/versions.json` records them.
/// SQLite creates the objects in less time than it runs the migrations: at each `ALTER TABLE`, it reads the whole schema
/// again.
///
/// A version is found by the names and checksums of its migrations. So an outdated record, which a test finds, only makes
/// commands slower. Rule: docs/migrations.md, "Drift".
enum RecordedVersions {
    /// The statements that create the objects of the schema after these migrations, in the order in which they can be
    /// created; nil for migrations of which the build has no record.
    static func definitions(after migrations: [Migration]) -> [String]? {
        let digest = migrations.digest
        for versions in recorded {
            guard let place = versions.firstIndex(where: { $0.migrations == digest }) else { continue }
            var objects: [String: String] = [:]
            for version in versions[...place] {
                for (object, sql) in version.changes { objects[object] = sql }
            }
            return kinds.flatMap { kind in
                objects.filter { $0.key.hasPrefix("\(kind) ") }.sorted { $0.key < $1.key }.map(\.value)
            }
        }
        return nil
    }

    /// In the order in which objects can be created: a trigger may belong to a view.
    private static let kinds = ["table", "index", "view", "trigger"]

    /// A version, and how its schema differs from that of the version before.
    private struct Version {
        /// The digest of all migrations of the version.
        let migrations: String
        /// By kind and name, `table users`, the statement that creates an object; nil for an object that was removed.
        let changes: [String: String?]

        init?(json: JSONValue) {
            guard let migrations = json["migrations"]?.stringValue, let members = json["changes"]?.members else {
                return nil
            }
            self.migrations = migrations
            changes = Dictionary(members.map { ($0.name, $0.value.stringValue) }, uniquingKeysWith: { $1 })
        }
    }

    /// The versions of each database, the oldest first.
    private static let recorded: [[Version]] = {
        guard let text = EmbeddedFiles.all.first(where: { $0.path == "versions.json" })?.content,
            let file = try? JSONValue(parsing: text)
        else { return [] }
        return DatabaseName.allCases.map { (file[$0.rawValue]?.arrayValue ?? []).compactMap(Version.init) }
    }()
}

extension [Migration] {
    /// A digest of the names and checksums.
    var digest: String {
        var digest = TextDigest()
        for migration in self {
            digest.add(migration.name)
            digest.add(migration.checksum)
        }
        return digest.text
    }
}

/// SHA-256 of a list of texts. Each is hashed with its length, so that different lists have different input.
struct TextDigest {
    private var hash = SHA256()

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { hash.update(bufferPointer: $0) }
            hash.update(bufferPointer: UnsafeRawBufferPointer(bytes))
        }
    }

    /// 64 lower-case hexadecimal digits.
    var text: String { hash.finalize().hexadecimal }
}
