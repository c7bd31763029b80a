import ChatDBEngine
public import ChatDBSchema

/// What a store is to whoever wants to read it with this build's questions.
public enum ReadableVersion: Sendable, Hashable {
    /// This build's version: it can be asked as it is.
    case current
    /// One of ours, older by these migrations.
    case older([String])
    /// One of ours between two versions, of which this build knows both: a run was interrupted.
    case interrupted(IntentRecord)
    /// SimpleX Chat's.
    case simplex([DatabaseName: SimpleXVersion])
}

extension StoreGate {
    /// Looks what the store is, without taking anything: for reading. Of an older version, between two versions, a store
    /// of SimpleX Chat, or one database alone can be read too; a newer one cannot, nor one that a run was making.
    ///
    /// Throws a `MigrationError`: `storeNotFound`, `needsDowngrade`, `interruptedMigration`, `notOurStore`, …
    public func reading() throws -> ReadableVersion {
        try requireStore()
        var context = context
        let missing = context.location.missing
        // Between two versions, one alone is not completed by any run: the other has to come back first.
        if missing.count == 1, let one = missing.first,
            try IntentRecord.read(context.location.intentPath)?.creates == false
        {
            throw MigrationError.incompleteStore(missing: one, path: context.location.path(of: one))
        }
        if missing.count == 1 { context.only = DatabaseName.allCases.first { !missing.contains($0) } }
        let view = try FoundStore.read(context)
        if let record = view.interrupted {
            try view.requireReadable(record, build: context.build)
            return .interrupted(record)
        }
        if let versions = try view.simplexVersions() { return .simplex(versions) }
        // A version is a question of names: edited files do not concern a reader.
        let plan = try view.plan(in: context, .leniently)
        try Confirmation.yesUp.check(plan)
        return plan.ups.isEmpty ? .current : .older(plan.ups)
    }
}

extension FoundStore {
    /// Throws `interruptedMigration` unless the record explains where the databases are, and this build knows the version
    /// of each.
    fileprivate func requireReadable(_ record: IntentRecord, build: [DatabaseName: [Migration]]) throws {
        try refuseStrangers(DatabaseName.allCases)
        if !record.creates, let reason = whyNotCompletable(record, build: build) {
            throw MigrationError.interruptedMigration(record, reason: reason)
        }
        let areKnown = parts.allSatisfy { database, part in
            let known = (build[database] ?? []).map(\.name)
            return known.starts(with: part.applied.map(\.name))
        }
        guard !record.creates, areKnown else {
            throw MigrationError.interruptedMigration(record, reason: MigrationError.comesFirst)
        }
    }

    /// The versions of a store of SimpleX Chat; nil when it is none. One database of the app and one of ours do not
    /// belong together, and files that were exchanged are not read as what they are called.
    fileprivate func simplexVersions() throws(MigrationError) -> [DatabaseName: SimpleXVersion]? {
        let foreign = parts.filter { $1.kind == .simplex }
        if foreign.isEmpty { return nil }
        guard foreign.count == parts.count else {
            throw .mismatchedPair(chat: parts[.chat]?.identity, agent: parts[.agent]?.identity)
        }
        for (database, part) in foreign where (SimpleXHistory.database(of: part.applied) ?? database) != database {
            throw .notOurs(database, path: part.path)
        }
        return Dictionary(
            uniqueKeysWithValues: foreign.map { ($0, SimpleXVersion($1.applied, of: $0)) })
    }
}
