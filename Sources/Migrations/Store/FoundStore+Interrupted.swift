import ChatDBSchema

extension FoundStore {
    /// How far the recorded run came.
    func progress(of record: IntentRecord) -> IntentRecord.Progress {
        record.progress(parts.mapValues(\.place))
    }

    /// Why this build cannot complete the recorded run; nil when it can.
    func whyNotCompletable(_ record: IntentRecord, build: [DatabaseName: [Migration]]) -> String? {
        switch progress(of: record) {
        case .nothing, .everything:
            return nil
        case .unexplained:
            return "the databases are at versions that the run does not lead to"
        case .agentOnly:
            do {
                _ = try completion(of: record, build: build)
                return nil
            } catch {
                return "this build does not have the migrations to \(record.courses[.chat]?.to ?? "nothing")"
            }
        }
    }

    /// Per database that the recorded run has left behind, the steps that remain.
    func completions(of record: IntentRecord, build: [DatabaseName: [Migration]]) throws -> [DatabaseName: DatabasePlan]
    {
        guard progress(of: record) == .agentOnly else { return [:] }
        return [.chat: try completion(of: record, build: build)]
    }

    /// Whether there is an interrupted run that had begun to keep its changes.
    var willHaveCompleted: Bool {
        guard let interrupted, !interrupted.creates else { return false }
        return [.agentOnly, .everything].contains(progress(of: interrupted))
    }

    /// The steps that bring the chat database where the agent database is already.
    func completion(of record: IntentRecord, build: [DatabaseName: [Migration]]) throws -> DatabasePlan {
        let known = build[.chat] ?? []
        let ledger = parts[.chat]?.applied ?? []
        guard let course = record.courses[.chat] else {
            return DatabasePlan(steps: [], from: ledger.last?.name, to: ledger.last?.name, edited: [])
        }
        let target = known.prefix { migration in course.to.map { migration.name <= $0 } ?? false }
        guard target.last?.name == course.to else {
            throw MigrationError.unknownTarget(course.to ?? "", last: known.last?.name)
        }
        let steps = try Planner.steps(to: target, from: ledger, known: known)
        return DatabasePlan(steps: steps, from: course.from, to: course.to, edited: [])
    }

    /// The ledgers as they will be when an interrupted run has been completed.
    func ledgersAfterCompletion(build: [DatabaseName: [Migration]]) -> [DatabaseName: [LedgerEntry]] {
        var ledgers = parts.mapValues(\.applied)
        guard let record = interrupted, !record.creates, progress(of: record) == .agentOnly,
            let steps = try? completion(of: record, build: build).steps
        else { return ledgers }
        for step in steps {
            if let migration = step.migration {
                ledgers[.chat]?.append(
                    LedgerEntry(
                        name: migration.name, appliedAt: record.startedAt, down: migration.down?.text,
                        checksum: migration.checksum))
            } else {
                ledgers[.chat]?.removeLast()
            }
        }
        return ledgers
    }
}
