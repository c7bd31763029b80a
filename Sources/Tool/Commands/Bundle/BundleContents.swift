import ChatDBKit

/// The contents of a bundle. What comes from a column that is not public is a number, or a text that this build knows.
struct BundleContents {
    let manifest: BundleManifest
    let json: JSONValue

    /// Reads a store of any version, of which a part may be missing or damaged. Nothing of it changes.
    static func read(
        _ location: StoreLocation, with engine: any StorageEngine, includingHosts: Bool, _ output: Output
    ) throws -> BundleContents {
        // Before anything opens the files: closing a second descriptor drops the locks of the first.
        let journals = InspectFile.journalModes(of: location, with: engine)
        let context = StoreContext(
            engine: engine.limited(queryTimeLimit: CheckedStore.timeLimit), location: location,
            build: try MigrationSource.build.load(for: location.syntax))
        let (status, connections) = try context.openStatus()
        if status.readable.isEmpty, let problem = status.problems.first, problem.error.kind == .encrypted {
            throw problem.error.report(of: problem.path)
        }
        let store = Store(location, connections)
        defer { try? store.close() }
        var notes = status.pairWarnings
        let contents = contents(status, store, context, &notes)
        let numbers = BundleNumbers.read(status, with: engine, &notes)
        let manifest = BundleManifest(made: StoredTime(output.now()).iso8601, includesHosts: includingHosts)
        let profiles = BundleProfiles(
            contents?.profiles, among: contents?.operators ?? [],
            hosts: try BundleHosts(includesOthers: includingHosts))
        let schema = BundleSchema.differences(status, store, context, &notes)
        let findings = BundleFindings.json(store, status, context, output, &notes)
        let isMismatched = findings.arrayValue?.contains { $0["id"]?.stringValue == StoreCheck.mismatchedPair }
        let redaction = BundleRedaction(location)
        let timeline = StoreTimeline(
            status, at: location, chat: contents?.activity, agent: connections[.agent], named: false)
        notes += timeline.notes
        let json: JSONValue = [
            "manifest": manifest.json,
            "store": BundleStore(
                status: status, isMismatched: isMismatched ?? status.isMismatched, journals: journals,
                redaction: redaction
            ).json,
            "rows": numbers.rows, "otherTables": numbers.otherTables, "states": numbers.states,
            "profiles": profiles.profiles, "relays": profiles.relays,
            "servers": profiles.servers, "channels": profiles.channels,
            "inactiveRelays": profiles.inactiveRelays, "relaysOff": profiles.relaysOff,
            "incompleteRelays": profiles.incompleteRelays, "preparedGroups": profiles.preparedGroups,
            "unfinishedChannels": profiles.unfinishedChannels,
            "relayService": profiles.relayService, "unreadable": contents?.leftOut.json ?? .null,
            "timeline": timeline.json,
            "warnings": warnings(contents, status), "findings": findings, "schema": schema,
            "notes": JSONValue(
                (notes + (contents.map { $0.failures.map(\.publicText) + $0.notes } ?? [])).map(redaction.text)),
        ]
        return BundleContents(manifest: manifest, json: json)
    }

    /// What the chat database holds, of whatever version; nil when it cannot be read, or its program is not known.
    private static func contents(
        _ status: StoreStatus, _ store: Store, _ context: StoreContext, _ notes: inout [String]
    ) -> InspectContents? {
        guard let chat = status.readable[.chat], chat.isReadable(as: .chat) else { return nil }
        do {
            if chat.isAsThisBuild {
                return try store.read { InspectContents(of: $0, hidden: .leftOut) }
            }
            let connection = try context.openAsThisBuild(.chat)
            defer { try? connection.close() }
            let lacking = connection.notes.filter { !chat.notes.contains($0) }
            return try connection.read { InspectContents(of: $0, hidden: .leftOut, lacking: lacking) }
        } catch {
            // A message may have a text of the file.
            notes.append("profiles were not read: the error is \(ErrorReport(error).code)")
            return nil
        }
    }

    /// By kind: a sentence may have a name in it.
    private static func warnings(_ contents: InspectContents?, _ status: StoreStatus) -> JSONValue {
        let records = status.unknownRecords.map { ["kind": .string($0.code), "userId": .null] as JSONValue }
        return .array(
            records
                + (contents?.warnings ?? []).map { warning in
                    ["kind": .string(warning.kind.rawValue), "userId": JSONValue(warning.user?.id.rawValue)]
                })
    }
}
