import ChatDBKit

extension CheckedStore {
    /// What the migrations know of a store, by the id of the check.
    struct Known {
        /// What was found: names.
        private(set) var told: [String: [String]] = [:]
        /// What could not be found out, and why.
        private(set) var untold: [String: CheckResult.LeftOut.Reason] = [:]
        /// What the databases have lost of their schemas.
        private(set) var lost: [DatabaseName: [SchemaPart]] = [:]
        private(set) var notes: [String] = []

        init(_ status: StoreStatus, _ context: StoreContext) throws {
            pair(status)
            interruptions(status, context.location)
            for database in DatabaseName.allCases { try schema(of: database, status, context) }
            if status.kind == .simplex {
                notes.append("a store of SimpleX Chat: the rules that only chatdb keeps were not checked")
            }
        }

        /// Whether there is a pair, and what it is.
        private mutating func pair(_ status: StoreStatus) {
            let missing = DatabaseName.allCases.filter { status.parts[$0] == nil }
            told[StoreCheck.missingDatabase] = missing.map(\.rawValue)
            told[StoreCheck.unreadableDatabase] = status.unreadable.map(\.rawValue)
            notes += status.problems.map { $0.error.report(of: $0.path).message }
            told[StoreCheck.exchangedFiles] = status.exchanged.map(\.rawValue)
            if status.isForeignPair {
                told[StoreCheck.foreignPair] = status.inOrder.map { "\($0.database): \($0.part.kind.rawValue)" }
            } else {
                told[StoreCheck.unknownStore] = status.inOrder.filter {
                    $0.part.kind == .unknown && $0.part.database == nil
                }
                .map(\.database.rawValue)
            }
            if status.isMismatched { told[StoreCheck.mismatchedPair] = DatabaseName.allCases.map(\.rawValue) }
            if let one = missing.first { untold[StoreCheck.mismatchedPair] = .missing(one) }
            if let one = status.unreadable.first { untold[StoreCheck.mismatchedPair] = .unreadable(one) }
        }

        private mutating func interruptions(_ status: StoreStatus, _ location: StoreLocation) {
            if let record = status.interrupted {
                told[StoreCheck.interruptedMigration] = ["begun at \(record.startedAt)"]
            }
            if status.interruptedRestore != nil { told[StoreCheck.interruptedRestore] = ["restore"] }
            for error in status.unknownRecords {
                // A record that is there tells that something was interrupted, whatever it says.
                let isMigration = error == .unreadableIntentRecord(path: location.intentPath)
                told[isMigration ? StoreCheck.interruptedMigration : StoreCheck.interruptedRestore] = [
                    "its record cannot be read"
                ]
            }
        }

        private mutating func schema(of database: DatabaseName, _ status: StoreStatus, _ context: StoreContext) throws {
            let id = StoreCheck.schemaDrift(database)
            let ids = [
                id, StoreCheck.schemaMissing(database), StoreCheck.schemaLost(database),
                StoreCheck.duplicateRow(database),
            ]
            func leaveOut(_ reason: CheckResult.LeftOut.Reason) { for id in ids { untold[id] = reason } }
            guard let part = status.readable[database] else {
                return leaveOut(status.parts[database] == nil ? .missing(database) : .unreadable(database))
            }
            told[StoreCheck.editedMigration, default: []] += part.edited
            guard part.kind == .chatdb else { return leaveOut(.otherProgram) }
            do {
                let drift = try context.schemaDrift(of: database)
                told[StoreCheck.schemaMissing(database)] = drift.others.filter(\.tookRows).map(\.sentence)
                told[id] = drift.others.filter { !$0.tookRows }.map(\.sentence)
                lost[database] = drift.lost
                told[StoreCheck.schemaLost(database)] =
                    drift.lost.map(\.name).filter { !drift.blocked.contains($0) }
                told[StoreCheck.duplicateRow(database)] = drift.duplicates
                if let reason = drift.unasked { untold[StoreCheck.duplicateRow(database)] = .failed(reason) }
            } catch MigrationError.needsDowngrade(let names) {
                leaveOut(.otherVersion)
                notes.append(
                    "the \(database) database is newer than this build, by \(names.joined(separator: ", ")): "
                        + "its schema was not compared")
            } catch MigrationError.differentHistory {
                leaveOut(.otherVersion)
                notes.append(
                    "the \(database) database has another history than this build: its schema was not compared")
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

extension StructureDifference {
    /// Whether it is a table or a column that is not there, and what it held neither.
    fileprivate var tookRows: Bool { kind == .missing && (object == .table || object == .column) }
}
