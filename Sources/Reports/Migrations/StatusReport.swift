package import ChatDBKit

/// The versions of a store.
package struct StatusReport: Report {
    package let status: StoreStatus
    /// The requested database; nil for both.
    package var only: DatabaseName?
    /// The databases whose list of migrations lost rows.
    package var lost: [DatabaseName] = []
    /// The errors of a run that would accept the edited files of a database.
    package var refusedEdits: [DatabaseName: MigrationError] = [:]
    /// The databases whose schemas differ from those of their versions after an edit was accepted.
    package var drifted: [DatabaseName] = []
    /// The options for the next commands.
    package var given = GivenOptions.none

    package init(
        status: StoreStatus, only: DatabaseName? = nil, lost: [DatabaseName] = [],
        refusedEdits: [DatabaseName: MigrationError] = [:], drifted: [DatabaseName] = [], given: GivenOptions = .none
    ) {
        self.status = status
        self.only = only
        self.lost = lost
        self.refusedEdits = refusedEdits
        self.drifted = drifted
        self.given = given
    }

    package var json: JSONValue {
        var members = DatabaseName.allCases.compactMap { database in
            status.readable[database].map { JSONValue.Member(database.rawValue, json($0, of: database)) }
        }
        members.append(.init("kind", .string(status.kind.rawValue)))
        members.append(.init("mismatched", .bool(status.isMismatched)))
        members.append(.init("interrupted", status.interrupted.map(\.shown) ?? .null))
        members.append(.init("movedTo", JSONValue(status.movedTo)))
        return .object(members)
    }

    private func json(_ part: FoundDatabase, of database: DatabaseName) -> JSONValue {
        let compared = part.comparisonJSON(isFolderNamed: given.migrationsDir != nil)
        return [
            "version": JSONValue(part.version),
            "applied": .array(
                part.applied.map { entry in
                    [
                        "name": .string(entry.name), "at": JSONValue(StoredTime(text: entry.appliedAt)?.iso8601),
                        "note": JSONValue(entry.note),
                    ]
                }),
            "pending": compared.pending, "edited": compared.edited, "unknown": compared.unknown,
            "generation": JSONValue(part.identity?.generation), "outOfOrder": JSONValue(part.outOfOrder),
            "lostMigrations": .bool(lost.contains(database)),
            "history": part.simplexVersion?.historyJSON() ?? .null,
        ]
    }

    package var document: Document {
        let rows = DatabaseName.allCases.compactMap { database -> [Cell]? in
            guard let part = status.readable[database] else { return nil }
            if part.isNotAdopted { return [.text(database.rawValue), .text("not adopted")] + nothing(5) }
            let applied = part.applied.compactMap { StoredTime(text: $0.appliedAt)?.date }.max()
            let cells: [Cell] = [
                .text(database.rawValue), .text(part.version ?? "nothing"), .count(part.applied.count), .time(applied),
            ]
            // chatdb's own migrations are neither pending nor applied in such a database.
            if needsFolder(part) { return cells + nothing(3) }
            return cells
                + [part.pending, part.unknownMigrations, part.edited].map { .count($0.count, $0.isEmpty ? nil : .bad) }
        }
        return [
            .table(
                Table(
                    [
                        Column("Database"), Column("Version"),
                        Column("Applied", alignment: .right), Column("Last applied"),
                        Column("Pending", alignment: .right), Column("Unknown", alignment: .right),
                        Column("Edited", alignment: .right),
                    ], rows: rows, whenEmpty: "no database")),
            .notes(notes),
        ]
    }

    private func nothing(_ count: Int) -> [Cell] { Array(repeating: .text(nil), count: count) }

    /// Whether the migrations of a database are in a folder that was not named.
    private func needsFolder(_ part: FoundDatabase) -> Bool { given.migrationsDir == nil && part.needsItsMigrations }

    /// Where the known migrations come from.
    private var build: String { given.migrationsDir == nil ? "this build" : "the folder" }

    private var notes: [Note] {
        var notes: [Note] = []
        for database in DatabaseName.allCases {
            guard let part = status.readable[database] else {
                if status.parts[database] == nil, only == nil || only == database {
                    notes.append(.note("the \(database) database is missing"))
                }
                continue
            }
            if part.isNotAdopted {
                notes.append(
                    .note("another program made the \(database) database; \(HintedCommand.adopting) adopts it", given))
                continue
            }
            if needsFolder(part) {
                notes.append(
                    .note(
                        "the \(database) database has other migrations than chatdb's own; name their folder with "
                            + "--migrations-dir"))
                continue
            }
            if lost.contains(database) { notes.append(.warning(Hint.lostMigrations(of: database), given)) }
            let pending = part.pending.filter { !part.outOfOrder.contains($0) && !lost.contains(database) }
            if !pending.isEmpty {
                let others =
                    part.outOfOrder.isEmpty || lost.contains(database)
                    ? "" : ", and \(part.outOfOrder.joined(separator: ", ")) out of order"
                notes.append(.note("\(database) pending: \(pending.joined(separator: ", "))\(others)"))
            }
            if !part.outOfOrder.isEmpty, !lost.contains(database) {
                let isOne = part.outOfOrder.count == 1
                let last = part.version ?? "the last one"
                let advice = Hint.ofOutOfOrder(isOne: isOne, after: last, isBuild: given.migrationsDir == nil)
                let sentence =
                    "\(database) out of order: \(part.outOfOrder.joined(separator: ", ")) \(isOne ? "is" : "are") "
                    + "not applied, although \(last) is."
                notes.append(.warning("\(sentence) \(advice)", given))
            }
            if !part.unknown.isEmpty {
                notes.append(.warning("\(database) unknown to \(build): \(part.unknown.joined(separator: ", "))"))
            }
            if !part.unknown.isEmpty, !part.pending.isEmpty {
                notes.append(
                    .warning("\(database) has another history than \(build): chatdb cannot migrate it"))
            }
            if let refusal = refusedEdits[database], let hint = refusal.hintOfEdits {
                notes.append(.warning("\(refusal.info.message); \(hint)", given))
            } else {
                notes += StoreStatus.editedWarnings(part.edits, of: database).map { .warning($0, given) }
            }
            if drifted.contains(database) {
                notes.append(
                    .warning(
                        """
                        the \(database) database differs from its version's schema, which an accepted edit may explain; \
                        \(.schemaDiff) shows how
                        """, given))
            }
            if !part.editedDowns.isEmpty {
                notes.append(
                    .warning(
                        """
                        \(database) down SQL of \(build) that differs from that of the store: \
                        \(part.editedDowns.joined(separator: ", ")); a run down uses that of \(build), and \
                        \(.migrateRun, "--accept-edited") records it in the store
                        """, given))
            }
            for entry in part.applied {
                if let note = entry.note { notes.append(.note("\(database) \(entry.name): \(note)")) }
            }
            notes += part.notes.map { .note("\(database): \($0)") }
        }
        if status.kind == .simplex {
            notes.append(.note("this is a store of SimpleX Chat; chatdb reads it and never migrates it"))
            notes += SimpleXText.histories(status.readable.compactMapValues(\.simplexVersion)).map(Note.warning)
        }
        if let note = status.movedNote { notes.append(.note(note)) }
        notes += status.pairWarnings.map(Note.warning)
        if status.isMismatched { notes.append(.warning("the two databases do not belong together")) }
        for database in status.withoutStoreRow {
            notes.append(.warning(Hint.lostStoreRow(of: database), given))
        }
        if let record = status.interruptedRestore {
            let what = record.rewriting == nil ? "a restore" : "a change of the passphrase"
            notes.append(
                .warning(
                    "\(what) of \(record.startedAt) was interrupted; \(record.completion) completes it", given))
        }
        if let record = status.interrupted, record.copiedFrom != nil {
            notes.append(.warning(record.interruption(status.progressOfInterrupted)))
        } else if let record = status.interrupted {
            let sentence = record.interruption(status.progressOfInterrupted)
            let isWhole = only != nil || status.parts.count == DatabaseName.allCases.count || record.creates
            notes.append(
                .warning(
                    """
                    \(sentence); \(isWhole ? "" : "bring the missing file back, then ")\(record.completion) completes or \
                    undoes it
                    """, given))
        }
        return notes
    }
}
