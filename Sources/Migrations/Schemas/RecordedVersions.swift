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
        guard let last = migrations.last else { return nil }
        let place = migrations.count - 1
        let found = recorded.values.first { $0.indices.contains(place) && $0[place].name == last.name }
        guard let versions = found?[...place], versions.last?.migrations == migrations.digest else { return nil }
        var objects: [String: String] = [:]
        for version in versions {
            for (object, sql) in version.changes { objects[object] = sql }
        }
        return kinds.flatMap { kind in
            objects.filter { $0.key.hasPrefix("\(kind) ") }.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// In the order in which objects can be created: a trigger may belong to a view.
    private static let kinds = ["table", "index", "view", "trigger"]

    /// A version, and how its schema differs from that of the version before.
    private struct Version {
        /// The name of the last migration.
        let name: String
        /// The digest of all migrations of the version.
        let migrations: String
        /// By kind and name, `table users`, the statement that creates an object; nil for an object that was removed.
        let changes: [String: String?]

        init?(json: JSONValue) {
            guard let name = json["name"]?.stringValue, let migrations = json["migrations"]?.stringValue,
                let members = json["changes"]?.members
            else { return nil }
            (self.name, self.migrations) = (name, migrations)
            changes = Dictionary(members.map { ($0.name, $0.value.stringValue) }, uniquingKeysWith: { $1 })
        }
    }

    private static let recorded: [DatabaseName: [Version]] = {
        guard let text = EmbeddedFiles.all.first(where: { $0.path == "versions.json" })?.content,
            let file = try? JSONValue(parsing: text)
        else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: DatabaseName.allCases.map { database in
                (database, (file[database.rawValue]?.arrayValue ?? []).compactMap(Version.init))
            })
    }()

    /// The statements that create the objects of a schema, by kind and name, as SQLite keeps them: a later `ALTER TABLE`
    /// depends on their form. SQLite itself makes the tables of a search index.
    static func statements(in transaction: any ReadTransaction) throws -> [String: String] {
        var found: [(kind: String, name: String, sql: String)] = []
        try transaction.forEach(transaction.dialect.definitions) { row in
            found.append((try row.get("type"), try row.get("name"), try row.get("sql")))
        }
        let indexes = found.filter { $0.sql.hasPrefix("CREATE VIRTUAL TABLE ") }.map { $0.name + "_" }
        found.removeAll { object in object.kind == "table" && indexes.contains(where: object.name.hasPrefix) }
        return Dictionary(uniqueKeysWithValues: found.map { ("\($0.kind) \($0.name)", $0.sql) })
    }

    /// The text of `migrations/versions.json`, made of the statements of each version.
    static func json(
        _ versions: [DatabaseName: [(migrations: [Migration], statements: [String: String])]]
    ) -> String {
        let members = DatabaseName.allCases.map { database in
            var before: [String: String] = [:]
            let entries = (versions[database] ?? []).map { version -> JSONValue in
                let now = version.statements
                let changed = Set(now.keys).union(before.keys).filter { now[$0] != before[$0] }.sorted()
                before = now
                return [
                    "name": JSONValue(version.migrations.last?.name), "migrations": .string(version.migrations.digest),
                    "changes": .object(changed.map { JSONValue.Member($0, JSONValue(now[$0])) }),
                ]
            }
            return JSONValue.Member(database.rawValue, .array(entries))
        }
        return JSONValue.object(members).text() + "\n"
    }
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
