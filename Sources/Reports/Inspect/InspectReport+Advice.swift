package import ChatDBKit

// The problems of a store, the most serious first, and notes.

extension InspectReport {
    package var warnings: [String] {
        var lines = status.problems.map { UnreadableFile($0).info.message }
        lines += contents?.failures.map(\.text) ?? []
        if let leftOut = contents?.leftOut.sentence { lines.append(leftOut) }
        for (database, part) in parts where part.kind == .chatdb {
            for view in views[database] ?? [] where Catalogue.table(view, of: database) != nil {
                lines.append("the \(database) database: \(view) is a view, not a table; chatdb did not run it")
            }
        }
        for database in location.databases where status.parts[database] == nil {
            lines.append("the \(database) database is missing (\(location.path(of: database)))")
        }
        if let record = status.interrupted {
            lines.append(record.interruption(status.progressOfInterrupted))
        }
        if let record = status.interruptedRestore {
            lines.append(record.interruption)
        }
        if let files = status.abandoned { lines.append(files.sentence) }
        if let note = status.movedNote { lines.append(note) }
        lines += status.pairWarnings
        if status.isMismatched { lines.append("the chat and the agent database do not belong together") }
        lines += status.withoutStoreRow.map { "the \($0) database has lost the row of its table store" }
        if let reason = status.simplexDisagreement {
            lines.append("the chat and the agent database do not belong together: \(reason)")
        }
        lines += versionWarnings + SimpleXText.histories(simplexVersions)
        for (database, part) in parts {
            for (names, clause) in [
                (part.edits.emptied, "have an empty file"),
                (part.edits.sinceAccepted, "differ from the text that was accepted last"),
                (part.edits.others, "were edited after being applied"),
            ] where !names.isEmpty {
                lines.append("migrations of the \(database) database \(clause): \(names.joined(separator: ", "))")
            }
        }
        lines += (contents?.warnings ?? []).map { warning in
            sentence(warning.message, about: warning)
        }
        for (database, count) in drift.sorted(by: { $0.key.rawValue > $1.key.rawValue })
        where count > 0 && !lostMigrations.contains(database) {
            let things = count == 1 ? "1 thing" : "\(count) things"
            lines.append("the schema of the \(database) database differs in \(things) from that of its version")
        }
        return lines
    }

    /// A sentence about a profile and its channels, with their names.
    private func sentence(_ message: String, about warning: StoreWarning) -> String {
        let text = message + channelsClause(warning)
        return warning.user.map { "\(InspectTables.short($0.name)): \(text)" } ?? text
    }

    /// The names of the channels of a warning, a sentence with a blank before it; empty for a warning without channels.
    private func channelsClause(_ warning: StoreWarning) -> String {
        let channels = contents?.profiles?.first { $0.user.id == warning.user?.id }?.channels ?? []
        let names = channels.filter { warning.channels.contains($0.group.id) }.map(\.group.calledName)
        if names.isEmpty { return "" }
        let most = 3
        let more = names.count > most ? " and \(names.count - most) more" : ""
        let shown = names.prefix(most).map(InspectTables.short).joined(separator: ", ")
        return " \(names.count == 1 ? "Channel" : "Channels"): \(shown)\(more)."
    }

    private var versionWarnings: [String] {
        let owner = migrationsDir == nil ? "this build" : "the folder"
        return parts.compactMap { database, part in
            let unknown = part.unknown.joined(separator: ", ")
            if needsFolder(part) { return nil }
            if part.needsItsMigrations || part.isOfOtherHistory {
                return "the \(database) database \(part.otherHistory(than: owner))"
            }
            if !unknown.isEmpty { return "the \(database) database is newer than \(owner): \(unknown)" }
            guard part.kind == .chatdb, !part.pending.isEmpty else { return nil }
            if lostMigrations.contains(database) {
                return "the list of migrations of the \(database) database seems to have lost rows: do not migrate it"
            }
            let count = part.pending.count == 1 ? "1 migration" : "\(part.pending.count) migrations"
            return "the \(database) database is older than \(owner) by \(count)"
        }
    }

    package var notes: [String] {
        var lines: [String] = []
        for (database, part) in parts {
            let all = part.notes + [files[database]?.meaning, tables(of: database)].compactMap { $0 }
            lines += all.map { "the \(database) database: \($0)" }
        }
        if let backup = status.interrupted?.backup { lines.append("the interrupted migration has a backup: \(backup)") }
        lines += versionNotes
        switch status.kind {
        case .simplex: lines += simplexNotes
        case .unknown where !parts.isEmpty && parts.allSatisfy({ $0.part.kind == .unknown && $0.part.database == nil }):
            lines.append("neither chatdb nor SimpleX Chat created this store")
        default: break
        }
        lines += parts.filter { needsFolder($0.part) }.map(\.part.otherMigrationsNote)
        lines += status.halfOfPairNotes(at: location)
        lines += takenNames
        lines += (contents?.unproven ?? []).map { sentence($0.unprovenMessage, about: $0) }
        if status.parts[.chat] == nil, location.databases.contains(.chat) {
            lines.append("profiles, relays and channels are not shown, because they are in the chat database")
        }
        return lines + (contents?.notes ?? []) + timeline.notes
    }

    /// The tables of databases that were not adopted which have a name of chatdb's own tables: the databases cannot be
    /// adopted.
    var takenNames: [String] {
        parts.filter(\.part.isNotAdopted).flatMap { database, _ in
            let tables = spaces[database]?.tables.map(\.name) ?? []
            return tables.filter { Ledger.tables.contains($0.lowercased()) }.sorted().map {
                "chatdb cannot adopt the \(database) database while it has the table \($0), a name of chatdb's own tables"
            }
        }
    }

    private var simplexNotes: [String] {
        ["in a store of SimpleX Chat, chatdb changes relays, servers and operators, and nothing else"]
    }

    /// The versions of SimpleX Chat's databases; empty for stores of other programs.
    package var simplexVersions: [DatabaseName: SimpleXVersion] { status.readable.compactMapValues(\.simplexVersion) }

    /// Notes about the size of the store.
    private func tables(of database: DatabaseName) -> String? {
        guard let space = spaces[database] else { return "the rows of its tables cannot be counted" }
        if !space.tables.isEmpty, space.tables.allSatisfy({ $0.rows == nil }) {
            return "the rows of its tables cannot be counted"
        }
        let free = space.freePages.multipliedReportingOverflow(by: space.pageSize).partialValue
        guard space.freePages > space.pages / 4, free > 1 << 20 else { return nil }
        return "\(CellText.size(free)) of it are free pages, which new rows will use"
    }

    package var parts: [(database: DatabaseName, part: FoundDatabase)] {
        DatabaseName.allCases.compactMap { database in status.readable[database].map { (database, $0) } }
    }
}
