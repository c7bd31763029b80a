public import ChatDBSchema

/// The file `<prefix>.migrating`: it is on the disk from before the first of two commits until after the second, so
/// that a crash between them can be recognized.
public struct IntentRecord: Sendable, Hashable {
    /// The versions of one database before and after a run; nil is the empty history.
    public struct Course: Sendable, Hashable {
        /// The last migration before.
        public let from: String?
        /// The last migration after.
        public let to: String?
        /// The names of the steps, in their order.
        public let steps: [String]
        /// The checksums of the edited files that the run accepts, by migration.
        public internal(set) var accepted: [String: String] = [:]
    }

    /// A random id of the run.
    public let run: String
    /// The start of the run, ISO 8601 in UTC.
    public let startedAt: String
    /// Whether the run creates the store.
    public let creates: Bool
    /// The store's id.
    public let storeID: String
    /// The store's generation after the run.
    public let generation: Int64
    /// The versions of each database that the run changes.
    public let courses: [DatabaseName: Course]
    /// The folder of the backup; nil when none was made.
    public let backup: String?
    /// Why the run applies migrations out of order; nil if it does not.
    public internal(set) var outOfOrderReason: String?
    /// The store that a copy was made of; nil for a run that copies nothing. Only the same copy completes the run: an
    /// empty store in its place would have another id, and a complete copy has no mark in the store that it is of.
    public internal(set) var copiedFrom: String?
    /// Whether the store that the run creates is to be encrypted. A run that completes it must not make a plain one.
    public internal(set) var isEncrypted = false
}

extension IntentRecord {
    /// Whether none of the migrations of the run is chatdb's own: their folder completes it.
    package var isOfOtherMigrations: Bool {
        let names = courses.values.flatMap { [$0.from, $0.to].compactMap(\.self) + $0.steps }
        return !names.isEmpty && !names.contains(where: MigrationSource.ownNames.contains)
    }

    /// The progress of an interrupted run, determined from the versions of the databases.
    package enum Progress: Sendable, Hashable {
        /// Neither database was committed: nothing has to be completed.
        case nothing
        /// Agent is at the new version, chat at the old one.
        case agentOnly
        /// Both databases were committed: only the record is left.
        case everything
        /// No run of chatdb leaves these versions.
        case unexplained
    }

    /// The version and identity of one database.
    struct Place {
        let version: String?
        let identity: StoreIdentity?
    }

    /// The progress of the run.
    func progress(_ places: [DatabaseName: Place]) -> Progress {
        let generations = [DatabaseName.agent, .chat].map { places[$0]?.identity?.generation }
        let ids = [DatabaseName.agent, .chat].map { places[$0]?.identity?.storeID }
        guard ids.allSatisfy({ $0 == storeID }) else { return .unexplained }
        func isAt(_ version: (Course) -> String?, _ database: DatabaseName) -> Bool {
            guard let course = courses[database] else { return true }
            return places[database]?.version == version(course)
        }
        // The generation comes from a file and can be any number: the subtraction must not overflow.
        let old = generation &- 1
        switch (generations[0], generations[1]) {
        case (old, old) where isAt(\.from, .agent) && isAt(\.from, .chat): return .nothing
        case (generation, old) where isAt(\.to, .agent) && isAt(\.from, .chat): return .agentOnly
        case (generation, generation) where isAt(\.to, .agent) && isAt(\.to, .chat): return .everything
        default: return .unexplained
        }
    }

    /// The id and generation of a store between two versions: those of agent, which is at the new version. Nil when
    /// this record does not explain how the databases differ. The record of a run that creates the store never does.
    func identity(of places: [DatabaseName: Place]) -> StoreIdentity? {
        !creates && progress(places) == .agentOnly ? places[.agent]?.identity : nil
    }

    /// The record of the same run in a store of another generation.
    func with(generation: Int64) -> IntentRecord {
        IntentRecord(
            run: run, startedAt: startedAt, creates: creates, storeID: storeID, generation: generation,
            courses: courses, backup: backup, outOfOrderReason: outOfOrderReason, copiedFrom: copiedFrom,
            isEncrypted: isEncrypted)
    }
}

// MARK: JSON

extension IntentRecord {
    /// The record in a file; nil for other content.
    init?(json: JSONValue) {
        guard let run = json["run"]?.stringValue, let startedAt = json["startedAt"]?.stringValue,
            let creates = json["creates"]?.boolValue, let storeID = json["storeId"]?.stringValue,
            let generation = json["generation"]?.integerValue, let databases = json["databases"]?.members
        else { return nil }
        var courses: [DatabaseName: Course] = [:]
        for member in databases {
            guard let database = DatabaseName(rawValue: member.name),
                let steps = member.value["steps"]?.arrayValue?.compactMap(\.stringValue)
            else { return nil }
            courses[database] = Course(
                from: member.value["from"]?.stringValue, to: member.value["to"]?.stringValue, steps: steps,
                accepted: Dictionary(
                    (member.value["accepted"]?.members ?? []).compactMap { one in
                        one.value.stringValue.map { (one.name, $0) }
                    }, uniquingKeysWith: { first, _ in first }))
        }
        self.init(
            run: run, startedAt: startedAt, creates: creates, storeID: storeID, generation: generation,
            courses: courses, backup: json["backup"]?.stringValue,
            outOfOrderReason: json["outOfOrderReason"]?.stringValue, copiedFrom: json["copiedFrom"]?.stringValue,
            isEncrypted: json["encrypted"]?.boolValue ?? false)
    }

    /// The record as JSON.
    var json: JSONValue {
        let databases = courses.sorted { $0.key.rawValue < $1.key.rawValue }.map { database, course in
            JSONValue.Member(
                database.rawValue,
                [
                    "from": JSONValue(course.from), "to": JSONValue(course.to), "steps": JSONValue(course.steps),
                    "accepted": .object(
                        course.accepted.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }),
                ])
        }
        return [
            "run": .string(run), "startedAt": .string(startedAt), "creates": .bool(creates),
            "storeId": .string(storeID), "generation": .integer(generation), "databases": .object(databases),
            "backup": JSONValue(backup), "outOfOrderReason": JSONValue(outOfOrderReason),
            "copiedFrom": JSONValue(copiedFrom), "encrypted": .bool(isEncrypted),
        ]
    }
}
