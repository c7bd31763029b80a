import ChatDBSchema

extension IntentRecord {
    /// How far an interrupted run came, by the versions the databases are at.
    enum Progress: Hashable {
        /// Neither was committed: there is nothing to complete.
        case nothing
        /// Agent is new and chat old.
        case agentOnly
        /// Both were committed: only the record is left.
        case everything
        /// Nothing a run of ours can leave.
        case unexplained
    }

    /// Where one database is found.
    struct Place {
        let version: String?
        let identity: StoreIdentity?
    }

    /// How far the run came.
    func progress(_ places: [DatabaseName: Place]) -> Progress {
        let generations = [DatabaseName.agent, .chat].map { places[$0]?.identity?.generation }
        let ids = [DatabaseName.agent, .chat].map { places[$0]?.identity?.storeID }
        guard ids.allSatisfy({ $0 == storeID }) else { return .unexplained }
        func isAt(_ version: (Course) -> String?, _ database: DatabaseName) -> Bool {
            guard let course = courses[database] else { return true }
            return places[database]?.version == version(course)
        }
        // The number is one of a file, and may be any.
        let old = generation &- 1
        switch (generations[0], generations[1]) {
        case (old, old) where isAt(\.from, .agent) && isAt(\.from, .chat): return .nothing
        case (generation, old) where isAt(\.to, .agent) && isAt(\.from, .chat): return .agentOnly
        case (generation, generation) where isAt(\.to, .agent) && isAt(\.to, .chat): return .everything
        default: return .unexplained
        }
    }

    /// The id and generation of a store that is between its two versions: those of agent, which is the new one. Nil when
    /// this record does not explain in what the databases differ.
    func identity(of places: [DatabaseName: Place]) -> StoreIdentity? {
        progress(places) == .agentOnly ? places[.agent]?.identity : nil
    }

    /// The record of the same run in a store of another generation.
    func with(generation: Int64) -> IntentRecord {
        IntentRecord(
            run: run, startedAt: startedAt, creates: creates, storeID: storeID, generation: generation,
            courses: courses, backup: backup)
    }
}
