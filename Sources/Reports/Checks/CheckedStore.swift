package import ChatDBKit

/// A store and the findings of its check.
package struct CheckedStore {
    package let context: StoreContext
    package let status: StoreStatus
    package let checkup: CheckResult
    /// The missing parts of the databases' schemas.
    package let lost: [DatabaseName: [SchemaPart]]
    /// Notes about the check.
    package let notes: [String]
    /// The copies beside an encrypted store; none beside a plain one.
    package let copies: CopiesBesideStore
    /// Whether the store has hidden profiles, as far as it could be read.
    package let hasHiddenProfiles: Bool

    package var isOK: Bool { checkup.isOK }

    /// Checks a store of any version, which may be one database alone. Changes nothing.
    /// - Parameters:
    ///   - build: the migrations of the store; nil for chatdb's own.
    ///   - progress: is called with the number of checks that are done.
    package static func check(
        _ location: StoreLocation, with engine: any StorageEngine, build: [DatabaseName: [Migration]]? = nil,
        cancellation: Cancellation, progress: @escaping (Int) -> Void = { _ in }
    ) throws -> CheckedStore {
        let context = StoreContext(
            engine: engine.limited(queryTimeLimit: timeLimit), location: location,
            build: try build ?? MigrationSource.build.load(for: location.syntax))
        let (status, connections) = try context.openStatus()
        let store = Store(location, connections)
        defer { try? store.close() }
        return try check(store, status, context, cancellation: cancellation, progress: progress)
    }

    /// The time limit of a query: a healthy table has no row to show for a long time.
    package static let timeLimit = Duration.seconds(60)

    /// The same for an open store.
    package static func check(
        _ store: Store, _ status: StoreStatus, _ context: StoreContext, cancellation: Cancellation,
        progress: @escaping (Int) -> Void = { _ in }
    ) throws -> CheckedStore {
        if status.parts.isEmpty, let record = status.interruptedRestore {
            throw MigrationError.interruptedRestore(record)
        }
        try refuseUnchecked(status, at: context.location)
        let viewed = viewedStore(status, context)
        defer { try? viewed?.close() }
        let known = try Known(status, store, viewed, context, cancellation)
        let interrupt: @Sendable () -> Void = {
            store.interrupt()
            viewed?.interrupt()
        }
        var checkup = try cancellation.whileRegistered(interrupt) {
            try CheckResult(
                of: store, isOurs: status.kind == .chatdb,
                knowsTables: !isOfOtherProgram(status, known, context) && known.otherTables.isEmpty, viewed: viewed,
                given: known.found, givenRows: known.rows,
                unreadable: status.unreadable + (viewed?.missing ?? []).filter { status.readable[$0] != nil },
                damage: known.damage, unknown: known.leftOut, cancellation: cancellation
            ) { _, done, _ in progress(done) }
        }
        checkup = withLogs(checkup, status, context)
            .without(DatabaseName.allCases.filter { !context.location.databases.contains($0) })
        return CheckedStore(
            context: context, status: status, checkup: checkup, lost: known.lost,
            notes: known.notes + status.halfOfPairNotes(at: context.location) + store.notes
                + ForeignKeyNotes.notes(store),
            copies: CopiesBesideStore.besideEncrypted(context),
            hasHiddenProfiles: known.hasHiddenProfiles)
    }

    /// Adds the logs that damage a database: the database is damaged or cannot be read, and is in order without its
    /// log.
    private static func withLogs(
        _ checkup: CheckResult, _ status: StoreStatus, _ context: StoreContext
    ) -> CheckResult {
        guard let engine = context.engine as? SQLiteEngine else { return checkup }
        let ids = Set(checkup.findings.map(\.id))
        let wrong = DatabaseName.allCases.filter { database in
            ids.contains(StoreCheck.damageID(database)) || status.exchanged.contains(database)
                || status.unreadable.contains(database)
        }
        let logs = wrong.compactMap { database in
            engine.soundWithoutLog(context.location.path(of: database)).map { "\(database): its -wal \($0.sentence)" }
        }
        return logs.isEmpty || ids.contains(StoreCheck.foreignLog)
            ? checkup : checkup.adding(StoreCheck.foreignLog, logs)
    }

    /// Throws if neither database can be read, or if reading one may work later or elsewhere. Otherwise a database that
    /// cannot be read is a finding, and the other one is checked.
    private static func refuseUnchecked(_ status: StoreStatus, at location: StoreLocation) throws {
        if let problem = status.passingProblem { throw UnreadableFile(problem) }
        guard status.isUncheckable, let problem = status.problems.first else { return }
        throw UnreadableFile(problem, of: status, at: location)
    }
}

extension CheckedStore {
    /// Findings that come from opening the store, by the id of the check.
    package struct Known {
        /// Names of what was found.
        package var found: [String: [String]] = [:]
        /// The rows of these findings, as numbers.
        package private(set) var rows: [String: [FoundRow]] = [:]
        /// The damage that prevents the opening of a database.
        package private(set) var damage: [DatabaseName: DatabaseDamage] = [:]
        /// Reasons why a check could not run.
        package var leftOut: [String: CheckResult.LeftOut.Reason] = [:]
        /// The missing parts of the databases' schemas.
        package private(set) var lost: [DatabaseName: [SchemaPart]] = [:]
        package private(set) var notes: [String] = []
        /// Whether the store has hidden profiles.
        package private(set) var hasHiddenProfiles = false
        /// The databases whose lists of migrations have lost rows.
        package var lostMigrations: Set<DatabaseName> = []
        /// Those of them whose lists are empty, and whose tables are not chatdb's own.
        package var otherTables: Set<DatabaseName> = []

        package init(
            _ status: StoreStatus, _ store: Store, _ viewed: Store?, _ context: StoreContext,
            _ cancellation: Cancellation
        ) throws {
            try lostLedgers(status, store)
            pair(status, context)
            if let reason = status.simplexDisagreement { found[StoreCheck.mismatchedPair, default: []].append(reason) }
            try damagedPages(status, context, cancellation)
            damagedSchemas(status)
            logs(context)
            interruptions(status, context.location)
            for database in DatabaseName.allCases { try schema(of: database, status, store, context) }
            versions(status, store, context)
            warnings(status, store, viewed, context)
            try simplexValues(status, store)
            for (database, part) in status.inOrder {
                // A server has no file; its notes are about the connection.
                let isFile = context.location.server == nil
                let own = part.notes.filter { !isFile || $0.hasSuffix(FileDiagnosis.Warning.torn) }
                notes += own.map { "the \(database) database: \($0)" }
            }
            if status.kind == .simplex {
                notes.append("this is a store of SimpleX Chat; the rules of chatdb's own stores were not checked")
            }
        }

        /// Findings about the pair of files.
        private mutating func pair(_ status: StoreStatus, _ context: StoreContext) {
            let missing = context.location.databases.filter { status.parts[$0] == nil }
            found[StoreCheck.missingDatabase] = missing.map(\.rawValue)
            found[StoreCheck.unreadableDatabase] = status.unreadable.map(\.rawValue)
            notes += status.problems.map { UnreadableFile($0).info.message }
            if let misplaced = MisplacedFiles(status, context) {
                found[StoreCheck.copiedDatabase] = misplaced.names
            } else {
                found[StoreCheck.exchangedFiles] = status.exchanged.map(\.rawValue)
            }
            // Databases of SimpleX Chat without the list by which they are known are not of an unknown program.
            let isKnown = lostMigrations.contains { status.readable[$0]?.kind == .unknown }
            if status.isForeignPair, !isKnown {
                found[StoreCheck.foreignPair] = status.inOrder.map { "\($0.database): \($0.part.kind.rawValue)" }
            } else if !isKnown, status.interrupted?.creates != true {
                found[StoreCheck.unknownStore] = status.inOrder.filter {
                    $0.part.kind == .unknown && $0.part.database == nil
                }
                .map(\.database.rawValue)
            }
            if let database = status.withoutIdentity {
                found[StoreCheck.mismatchedPair] = ["\(database): its table store has no row"]
            } else if status.isMismatched {
                found[StoreCheck.mismatchedPair] = DatabaseName.allCases.map(\.rawValue)
            } else {
                found[StoreCheck.mismatchedPair] = status.withoutStoreRow.map { "\($0): its table store has no row" }
            }
            if let one = missing.first { leftOut[StoreCheck.mismatchedPair] = .missing(one) }
            if let one = status.unreadable.first { leftOut[StoreCheck.mismatchedPair] = .unreadable(one) }
        }

        /// The damaged pages because of which an encrypted database cannot be opened.
        private mutating func damagedPages(
            _ status: StoreStatus, _ context: StoreContext, _ cancellation: Cancellation
        ) throws {
            for database in DatabaseName.allCases {
                guard case .failure(let problem) = status.parts[database], problem.error.kind == .damaged,
                    let damaged = try (context.engine as? SQLiteEngine)?.damagedPages(
                        ofUnreadable: problem.path, cancellation: cancellation), damaged.count > 0
                else { continue }
                // Only the first are named, and the others are counted.
                let others = Array(repeating: "another page", count: damaged.count - damaged.first.count)
                found[StoreCheck.damagedPageID(database)] = damaged.first.map(\.name) + others
            }
        }

        /// Findings about logs that are useless, or that belong to another database.
        private mutating func logs(_ context: StoreContext) {
            for database in DatabaseName.allCases {
                let problem = (context.engine as? SQLiteEngine)?.logProblem(of: context.location.path(of: database))
                guard let problem else { continue }
                let id =
                    switch problem.kind {
                    case .foreign: StoreCheck.foreignLog
                    case .useless: StoreCheck.uselessLog
                    case .orphan: StoreCheck.orphanLog
                    }
                found[id, default: []].append("\(database): its -wal \(problem.sentence)")
            }
        }

        /// Findings about damaged schemas. SQLite reads the whole schema before the first table, so it opens no table
        /// without it.
        private mutating func damagedSchemas(_ status: StoreStatus) {
            for database in DatabaseName.allCases where found[StoreCheck.damagedPageID(database)] == nil {
                guard case .failure(let problem) = status.parts[database], problem.error.isOfSchema else { continue }
                var part = DatabaseDamage(.schema, name: problem.error.schemaReason)
                part.isReadable = false
                damage[database] = part
            }
        }

        private mutating func interruptions(_ status: StoreStatus, _ location: StoreLocation) {
            if let record = status.interrupted {
                found[StoreCheck.interruptedMigration] = [record.example(status.progressOfInterrupted)]
            }
            if let record = status.interruptedRestore {
                let isRestore = record.rewriting == nil
                found[isRestore ? StoreCheck.interruptedRestore : StoreCheck.interruptedPassphraseChange] = [
                    isRestore ? "restore" : "begun at \(record.startedAt)"
                ]
            }
            found[StoreCheck.abandonedFiles] = status.abandoned?.samples
            for error in status.unknownRecords {
                // A record that exists proves an interruption, even if it cannot be read.
                let isMigration = error == .unreadableIntentRecord(path: location.intentPath)
                found[isMigration ? StoreCheck.interruptedMigration : StoreCheck.interruptedRestore] = [
                    "its record cannot be read"
                ]
            }
        }

        /// Findings about the versions, which `inspect` warns of too.
        private mutating func versions(_ status: StoreStatus, _ store: Store, _ context: StoreContext) {
            simplexHistories(status)
            for (database, part) in status.inOrder where part.kind == .chatdb {
                if part.needsItsMigrations, context.hasOwnMigrations {
                    notes.append(part.otherMigrationsNote)
                } else if part.needsItsMigrations || part.isOfOtherHistory, !lostMigrations.contains(database) {
                    let names = part.outOfOrder.isEmpty ? part.unknown : part.outOfOrder
                    found[StoreCheck.otherHistory, default: []] += names.map { "\(database): \($0)" }
                } else if !part.unknown.isEmpty {
                    found[StoreCheck.newerVersion, default: []] += part.unknown.map { "\(database): \($0)" }
                } else if !part.pending.isEmpty, !lostMigrations.contains(database) {
                    found[StoreCheck.olderVersion, default: []].append(database.rawValue)
                }
            }
            views(status, store)
        }

        /// Findings about views that have the name of a table.
        private mutating func views(_ status: StoreStatus, _ store: Store) {
            for (database, part) in status.inOrder where part.isReadable(as: database) {
                let views = (try? store.connection(database).viewNames()) ?? []
                found[StoreCheck.viewForTable, default: []] += views.filter { name in
                    part.kind == .simplex
                        ? (try? SimpleXSchemas.known.get())?.hasTable(name, in: database) == true
                        : Catalogue.table(name, of: database) != nil
                }
            }
        }

        /// Findings about the histories of SimpleX Chat's databases. An older version is not a finding.
        private mutating func simplexHistories(_ status: StoreStatus) {
            let versions = status.readable.compactMapValues(\.simplexVersion)
            for database in DatabaseName.allCases {
                guard let version = versions[database] else { continue }
                found[StoreCheck.otherHistory, default: []] += version.differences.map { "\(database): \($0)" }
                found[StoreCheck.newerVersion, default: []] += version.newer.map { "\(database): \($0)" }
            }
            notes += SimpleXText.histories(versions)
        }

        /// The warnings of `inspect` about profiles. Hidden ones are counted and not named. The checks of rows find the
        /// active profiles themselves, and the channels without a relay.
        private mutating func warnings(
            _ status: StoreStatus, _ store: Store, _ viewed: Store?, _ context: StoreContext
        ) {
            guard let chat = status.readable[.chat], chat.isReadable(as: .chat), !otherTables.contains(.chat)
            else { return }
            let given = Set(StoreCheck.all.filter(\.isGiven).map(\.id))
            do {
                let other = chat.isAsThisBuild || viewed != nil ? nil : try context.openAsThisBuild(.chat)
                defer { try? other?.close() }
                let (facts, unreadable, relays) = try (other ?? (viewed ?? store).connection(.chat)).read { rows in
                    let listing = ListingTransaction(rows)
                    let all = try StoreFacts(of: listing, hidden: .shown)
                    return (all, listing.leftOut.rows, RelayToAdd.ofChannels(in: rows))
                }
                hasHiddenProfiles = facts.profiles.contains(where: \.user.isHidden)
                for warning in facts.warnings where given.contains(warning.kind.checkID) {
                    guard let profile = warning.user else { continue }
                    let user = profile.isHidden ? nil : profile.id.rawValue
                    var concerned = warning.channels.map {
                        FoundRow(
                            "groups", $0.rawValue, of: user, chatRelay: relays[$0.rawValue],
                            hasUsableRelay: warning.connecting.contains($0))
                    }
                    if warning.channels.isEmpty, let user { concerned = [FoundRow("users", user, of: user)] }
                    rows[warning.kind.checkID, default: []] += concerned
                    found[warning.kind.checkID, default: []] +=
                        concerned.isEmpty ? ["a hidden profile"] : concerned.map(\.name)
                }
                let names = unreadable.prefix(FoundRows.mostShown).map(\.name).joined(separator: ", ")
                for kind in facts.unknownWarnings where given.contains(kind.checkID) {
                    leftOut[kind.checkID] = .failed("rows that cannot be read may change it: \(names)")
                }
            } catch {
                let reason = (error as? any ChatDBError)?.info.message ?? "unexpected error (\(type(of: error)))"
                for id in StoreWarning.Kind.allCases.map(\.checkID) where given.contains(id) {
                    leftOut[id] = .failed(reason)
                }
            }
        }

        private mutating func schema(
            of database: DatabaseName, _ status: StoreStatus, _ store: Store, _ context: StoreContext
        ) throws {
            let id = StoreCheck.schemaDrift(database)
            let ids = [
                id, StoreCheck.schemaMissing(database), StoreCheck.schemaLost(database),
                StoreCheck.duplicateRow(database),
            ]
            func leaveOut(_ reason: CheckResult.LeftOut.Reason) { for id in ids { leftOut[id] = reason } }
            guard let part = status.readable[database] else {
                return leaveOut(status.parts[database] == nil ? .missing(database) : .unreadable(database))
            }
            found[StoreCheck.editedMigration, default: []] += part.edited
            if part.kind == .simplex {
                leaveOut(.otherProgram)
                return try simplexSchema(of: database, part, store)
            }
            guard part.kind == .chatdb else { return leaveOut(.otherProgram) }
            if let reason = part.unmadeSchema { return leaveOut(.failed(reason)) }
            do {
                let connection = try store.connection(database)
                let missing = try context.lostMigrations(of: database, in: connection, after: part.applied)
                if let lost = missing.max() {
                    let last = part.applied.map(\.name).max()
                    let gaps = missing.count { $0 < last ?? "" }
                    addLost(database, last, gaps: gaps, fitting: max(lost, last ?? ""))
                }
                if part.applied.isEmpty, !missing.isEmpty, !context.hasOwnMigrations { otherTables.insert(database) }
                if missing.isEmpty, context.build[database]?.isEmpty == false,
                    try context.hasUnlistedTables(connection, after: part.applied)
                {
                    addUnlisted(database, context)
                    let isOnServer = context.location.server != nil
                    notes.append(part.unlistedNote(hasFolder: !context.hasOwnMigrations, isOnServer: isOnServer))
                    return leaveOut(.otherMigrations)
                }
                let edited = EditedFiles(of: part, context)
                let drift = try context.schemaDrift(
                    of: database, in: connection, after: context.ledger(part.applied, with: missing)
                ).without { edited.add(named: $0) }
                let edits = part.applied.filter(\.isAcceptedEdit).map(\.name)
                // The data of a missing table or column is missing too, unless the edit of a file added it.
                let missingRows = drift.others.filter { edits.isEmpty && $0.tookRows && !edited.add($0) }
                found[StoreCheck.schemaMissing(database)] = missingRows.map(\.sentence)
                found[id] = drift.others.filter { !missingRows.contains($0) }.map(\.sentence)
                if !edits.isEmpty, !drift.others.isEmpty {
                    notes.append(
                        "the schema of the \(database) database may differ because edited migrations were accepted: "
                            + edits.joined(separator: ", "))
                }
                lost[database] = drift.lost
                found[StoreCheck.schemaLost(database)] =
                    drift.lost.map(\.name).filter { !drift.blocked.contains($0) }
                found[StoreCheck.duplicateRow(database)] = drift.duplicates
                if let reason = drift.unasked { leftOut[StoreCheck.duplicateRow(database)] = .failed(reason) }
            } catch MigrationError.needsDowngrade(let names) {
                leaveOut(.otherVersion)
                notes.append(
                    "the \(database) database is newer than \(context.owner), by \(names.joined(separator: ", ")): "
                        + "its schema was not compared")
            } catch MigrationError.differentHistory {
                if part.needsItsMigrations, context.hasOwnMigrations { return leaveOut(.otherMigrations) }
                leaveOut(.otherVersion)
                notes.append(
                    "the \(database) database has another history than \(context.owner): its schema was not compared")
            }
        }
    }
}

extension StoreStatus {
    /// The databases that were read, chat first.
    fileprivate var inOrder: [(database: DatabaseName, part: FoundDatabase)] {
        DatabaseName.allCases.compactMap { database in readable[database].map { (database, $0) } }
    }
}
