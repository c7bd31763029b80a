import Engine
import EngineSQLite
import Migrations
import Repos
import Schema

/// All that a bundle tells. What comes from a column that is not public is a number, or a text that this build knows.
struct BundleContents {
    let manifest: BundleManifest
    let json: JSONValue

    /// Reads a store of any version, of which a part may be missing or damaged. Nothing of it changes.
    static func read(_ location: StoreLocation, includingHosts: Bool, _ output: Output) throws -> BundleContents {
        // Before anything opens the files: closing a second descriptor drops the locks of the first.
        let journals = InspectFile.all(of: location).compactMapValues(\.journalMode)
        let build = try MigrationSource.build.load()
        let migrator = Migrator(engine: SQLiteEngine(), location: location, build: build)
        let status = try migrator.status()
        var notes: [String] = []
        let contents = contents(status, location, &notes)
        let numbers = BundleNumbers.read(status, migrator, &notes)
        let manifest = BundleManifest(made: StoredTime(output.now()).iso8601, includesHosts: includingHosts)
        let profiles = BundleProfiles(contents?.profiles, hosts: try BundleHosts(includesOthers: includingHosts))
        let schema = BundleSchema.differences(status, migrator, &notes)
        let findings = BundleFindings.json(location, output, &notes)
        let redaction = BundleRedaction(location)
        let json: JSONValue = [
            "manifest": manifest.json,
            "store": BundleStore(status: status, journals: journals, redaction: redaction).json,
            "rows": numbers.rows, "states": numbers.states, "profiles": profiles.profiles, "relays": profiles.relays,
            "servers": profiles.servers, "channels": profiles.channels,
            "warnings": warnings(contents), "findings": findings, "schema": schema,
            "notes": JSONValue((notes + (contents?.notes ?? [])).map(redaction.text)),
        ]
        return BundleContents(manifest: manifest, json: json)
    }

    /// What the chat database holds; nil when it cannot be read, or is not ours.
    private static func contents(
        _ status: StoreStatus, _ location: StoreLocation, _ notes: inout [String]
    ) -> InspectContents? {
        guard let chat = status.readable[.chat], chat.kind == .chatdb else { return nil }
        do {
            let connection = try SQLiteEngine().open(location.path(of: .chat), as: .untrusted)
            defer { try? connection.close() }
            return try connection.read { InspectContents(of: $0, hidden: .leftOut) }
        } catch {
            notes.append("profiles were not read: \(ErrorReport(error).message)")
            return nil
        }
    }

    private static func warnings(_ contents: InspectContents?) -> JSONValue {
        .array(
            (contents?.warnings ?? []).map { warning in
                ["kind": .string(warning.kind.rawValue), "userId": JSONValue(warning.user?.id.rawValue)]
            })
    }
}

/// Takes out of sentences where the store is.
struct BundleRedaction {
    private let prefix: String

    init(_ location: StoreLocation) { prefix = location.prefix }

    /// The sentence with `STORE` in the place of the store's path and of its name.
    func text(_ text: String) -> String {
        let name = prefix.split(separator: "/").last.map(String.init) ?? prefix
        var text = text.replacing(prefix, with: "STORE")
        for database in DatabaseName.allCases {
            text = text.replacing("\(name)_\(database).db", with: "STORE_\(database).db")
        }
        // Whatever path is left: the folder of a private copy, the file behind a link.
        return text.replacing(#/(^|[\s("'])/[^\s"')]+/#) { "\($0.output.1)PATH" }
    }
}
