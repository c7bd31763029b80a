import ChatDBKit

/// The plan of a restore, and the data that the store would lose.
struct RestorePlanReport: Report {
    let plan: RestorePlan
    /// The prefix of the store.
    let store: String
    /// Whether `--force` was given, so that the objections prevent nothing.
    let isForced: Bool
    /// The options for the next commands.
    var given = GivenOptions.none

    /// The status of a restore without `--force`; nil if the restore does not need it.
    var refusal: ExitStatus? {
        plan.objections.first.map { ErrorReport(RestoreError.refused(plan.backup, $0)).exit }
    }

    var question: String {
        if plan.replaces.isEmpty { return "Create \(store) from this backup?" }
        let newer = plan.differences.filter { $0.isNewerInStore || ($0.rowsOnlyInStore ?? 0) > 0 }
        let rows = newer.reduce(0) {
            $0 + ($1.rowsOnlyInStore ?? max(0, ($1.store?.rows ?? 0) - ($1.backup?.rows ?? 0)))
        }
        let loss =
            switch (newer.count, rows) {
            case (0, _): contentLoss
            case (let tables, 0): ", which is newer in \(tables) table\(tables == 1 ? "" : "s"),"
            case (_, 1): ", which has a row that is not in the backup,"
            case (_, let rows): ", which has \(CellText.grouped(Int64(rows))) rows that are not in the backup,"
            }
        return "Replace the store \(store)\(loss) with this backup?"
    }

    /// Rows may differ without being more, or of a later time, and columns and tables may differ without any row.
    private var contentLoss: String {
        let tables = plan.differences.count
        return tables == 0 ? "" : ", which differs in \(tables) table\(tables == 1 ? "" : "s"),"
    }

    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("path", .string(plan.backup)), .init("createdAt", JSONValue(plan.createdAt)),
            .init("storeId", JSONValue(plan.identity?.storeID)),
            .init("generation", JSONValue(plan.identity?.generation)),
        ]
        for database in DatabaseName.allCases {
            members.append(.init(database.rawValue, ["version": JSONValue(plan.versions[database] ?? nil)]))
        }
        return [
            "backup": .object(members), "replaces": JSONValue(plan.replaces.map(\.rawValue)),
            "differences": differences, "generation": JSONValue(plan.generation),
            "pending": JSONValue(plan.pending), "interrupted": plan.interrupted.map(\.shown) ?? .null,
            "objections": JSONValue(plan.objections.map(\.key)),
            "notes": JSONValue(plan.notes), "losesMessages": JSONValue(plan.losesMessages),
        ]
    }

    /// The tables that differ; null if there are none because databases were not compared.
    var differences: JSONValue {
        let isCompared = plan.isCompared && !plan.replaces.isEmpty
        return plan.differences.isEmpty && !isCompared ? .null : .array(plan.differences.map(\.json))
    }

    /// The versions of the databases in the backup, which may be one alone.
    private var versions: [Field] {
        DatabaseName.allCases.filter(plan.versions.keys.contains).map { database in
            Field(
                "\(database == .chat ? "Chat" : "Agent") version",
                .text(Self.version(plan.versions[database] ?? nil, plan.identity)))
        }
    }

    /// The version of a database for people. A backup from before an adoption has neither an id nor migrations.
    static func version(_ name: String?, _ identity: StoreIdentity?) -> String {
        name ?? (identity == nil ? "not adopted" : "nothing")
    }

    var document: Document {
        let made = plan.createdAt.flatMap { StoredTime(iso8601: $0)?.date }
        return Document(
            [
                .fields(
                    [Field("Backup", .text(plan.backup)), Field("Made", made.map { .time($0) } ?? .text("unknown"))]
                        + versions),
                .heading("Differences"), .table(table),
            ] + [.notes(notes)])
    }

    private var notes: [Note] {
        var notes = limits
        notes += plan.objections.map { Note.warning($0.sentence) }
        if !isForced, let first = plan.objections.first, let hint = RestoreError.refused(plan.backup, first).hint {
            notes.append(.note(hint.text(given)))
        }
        // The differences are of the program's tables, and the adoption is in none of them.
        if plan.undoesAdoption {
            notes.append(.note(plan.isOfThisAdoption ? Self.adoption : Self.otherAdoption))
        } else if plan.kind == .unknown, !plan.replaces.isEmpty {
            notes.append(.note(plan.isCompared ? Self.notAdopted : Self.unknownAdoption))
        }
        notes += plan.notes.map(Note.note)
        if plan.losesMessages == true { notes.append(.warning("SimpleX Chat was used since the backup: \(Self.lost)")) }
        if plan.kind == .simplex, plan.losesMessages == nil {
            let unknown = "chatdb cannot tell whether SimpleX Chat was used since the backup; if so, "
            notes.append(.warning(unknown + Self.lost))
        }
        if plan.replaces.isEmpty { notes.append(.note("there is no store at \(store) now")) }
        if let record = plan.interrupted {
            notes.append(
                .warning(
                    "the backup was made in the middle of a migration begun at \(record.startedAt); after the "
                        + "restore, \(record.completion.text(given)) completes it"))
        } else if plan.isOlder {
            let newer = given.migrationsDir == nil ? "this build" : "the folder"
            let command = HintedCommand(.migratePlan, RestoredReport.consent(to: plan.outOfOrder)).text(given)
            let early = RestoredReport.clause(about: plan.outOfOrder)
            notes.append(
                .note("the backup is older than \(newer)\(early); \(command) shows after the restore what to do"))
        }
        return notes
    }

    private static let adoption = "the backup is from before the adoption; the restore undoes the adoption"

    private static let otherAdoption =
        "the restore undoes the adoption; the backup does not say that this adoption made it, so chatdb cannot tell "
        + "whether the backup is of this database"

    private static let notAdopted =
        "neither the store nor the backup is adopted, so chatdb cannot tell whether the backup is of this database"

    private static let unknownAdoption =
        "chatdb cannot tell whether the store is adopted; the backup is from before an adoption, and the restore undoes one"

    private static let lost =
        "what it has received since then is lost, and its encryption goes back to that time, so that messages can become "
        + "unreadable"

    /// What the comparison does not say; empty if nothing differs.
    var limits: [Note] {
        plan.differences.isEmpty
            ? []
            : [
                .note(
                    "chatdb compares the primary keys of a table and all of its rows together, but not row by row; rows "
                        + "with the same key may differ")
            ]
    }

    /// The tables that differ, and what the restore would do to each.
    var table: Table {
        Table(
            [
                Column("Database"), Column("Table"), Column("Rows", key: "storeRows", alignment: .right),
                Column("In backup", key: "backupRows", alignment: .right),
                Column("The restore", shrinking: .wrapped),
            ],
            rows: plan.differences.map { difference in
                [
                    .text(difference.database.rawValue), .text(difference.table), .count(difference.store?.rows),
                    .count(difference.backup?.rows),
                    .text(difference.effect, difference.losses.isEmpty ? nil : .bad),
                ]
            },
            whenEmpty: whenEqual)
    }

    private var whenEqual: String {
        if plan.replaces.isEmpty { return "nothing to compare the backup with" }
        if !plan.isCompared { return "not compared: chatdb cannot read all of the store" }
        return plan.leavesOutTables ? "no differences in the tables that can be read" : "no differences"
    }

    private var spreadsheet: Table {
        Table(
            [
                Column("Database"), Column("Table"), Column("In the store", key: "storeRows", alignment: .right),
                Column("In the backup", key: "backupRows", alignment: .right),
                Column("Store's latest", key: "storeLatest"), Column("Backup's latest", key: "backupLatest"),
                Column("Contents"),
            ],
            rows: plan.differences.map { difference in
                [
                    .text(difference.database.rawValue), .text(difference.table), .count(difference.store?.rows),
                    .count(difference.backup?.rows), .time(difference.store?.latest?.date),
                    .time(difference.backup?.latest?.date),
                    .text(difference.isContentDifferent.map { $0 ? "differ" : "equal" }),
                ]
            }, whenEmpty: "")
    }

    var csvTable: Table {
        let columns =
            spreadsheet.columns + [
                Column("Columns only in store"), Column("Columns only in backup"),
                Column("Rows only in store", alignment: .right), Column("Rows only in backup", alignment: .right),
            ]
        let rows = zip(spreadsheet.rows, plan.differences).map { row, difference in
            let names = [difference.columnsOnlyInStore, difference.columnsOnlyInBackup].map { names -> Cell in
                names.isEmpty ? .nothing : .text(names.joined(separator: " "))
            }
            return row + names + [Cell.count(difference.rowsOnlyInStore), Cell.count(difference.rowsOnlyInBackup)]
        }
        return Table(columns, rows: rows, whenEmpty: "")
    }
}

extension RestorePlan {
    /// Whether SimpleX Chat was used since the backup: it differs in more than relays, servers and operators. Nil for
    /// chatdb's own stores, and if a database could not be read.
    var losesMessages: Bool? {
        guard kind == .simplex else { return nil }
        let isUsed = differences.contains { $0.database == .agent || AppTable(rawValue: $0.table) == nil }
        return isUsed || isCompared ? isUsed : nil
    }
}

extension RestorePlan.Difference {
    /// What the restore does to the table, a clause; nil if nothing is known of it.
    fileprivate var effect: String? {
        let possible = mayLoseMore ? [rowsOnlyInStore == 0 ? "may lose changes" : "may lose rows or changes"] : []
        let lost = losses.isEmpty ? possible : ["loses " + losses.joined(separator: " and ")]
        let back = gains.isEmpty ? [] : ["brings back " + gains.joined(separator: " and ")]
        return lost.isEmpty && back.isEmpty ? nil : (lost + back).joined(separator: ", ")
    }

    /// What only the store has, as far as the keys, the counts, the latest times and the contents of the whole table
    /// show it.
    fileprivate var losses: [String] {
        guard let store else { return [] }
        guard let backup else { return [store.rows == 0 ? "the empty table" : "the table with its rows"] }
        var losses: [String] = []
        let newest = isLatestInStore ? store.latest.map { ", the newest of \($0.minute)" } ?? "" : ""
        if let rows = rowsOnlyInStore, rows > 0 {
            losses.append(counted(rows, "row") + newest)
        } else if rowsOnlyInStore == nil, store.rows > backup.rows {
            losses.append("at least \(counted(store.rows - backup.rows, "row"))\(newest)")
        } else if isLatestInStore || store.rows == backup.rows && isContentDifferent == true {
            losses.append((rowsOnlyInStore == 0 ? "changes of rows" : "rows or changes") + newest)
        }
        return losses + (columnsOnlyInStore.isEmpty ? [] : [Self.columns(columnsOnlyInStore)])
    }

    /// Whether rows or changes that only the store has can be hidden by more rows of the backup.
    private var mayLoseMore: Bool {
        guard let store, let backup else { return false }
        let isLarger = (rowsOnlyInBackup ?? max(0, backup.rows - store.rows)) > 0
        return store.rows > 0 && isLarger
    }

    /// What only the backup has.
    private var gains: [String] {
        guard let backup else { return [] }
        guard let store else { return ["the table"] }
        let least = backup.rows > store.rows ? ["at least \(counted(backup.rows - store.rows, "row"))"] : []
        let rows = rowsOnlyInBackup.map { $0 > 0 ? [counted($0, "row")] : [] } ?? least
        return rows + (columnsOnlyInBackup.isEmpty ? [] : [Self.columns(columnsOnlyInBackup)])
    }

    private var isLatestInStore: Bool {
        guard let latest = store?.latest else { return false }
        return backup?.latest.map { latest > $0 } ?? true
    }

    private static func columns(_ names: [String]) -> String {
        "the \(names.count == 1 ? "column" : "columns") \(names.joined(separator: ", "))"
    }

    fileprivate var json: JSONValue {
        [
            "database": .string(database.rawValue), "table": .string(table), "newerInStore": .bool(isNewerInStore),
            "contentDiffers": JSONValue(isContentDifferent), "columnsOnlyInStore": JSONValue(columnsOnlyInStore),
            "columnsOnlyInBackup": JSONValue(columnsOnlyInBackup), "rowsOnlyInStore": JSONValue(rowsOnlyInStore),
            "rowsOnlyInBackup": JSONValue(rowsOnlyInBackup), "store": store.map(\.json) ?? .null,
            "backup": backup.map(\.json) ?? .null,
        ]
    }
}

extension StoredTime {
    /// `2026-07-20 09:05 UTC`.
    fileprivate var minute: String { "\(text.prefix(16)) UTC" }
}

extension TableFacts {
    fileprivate var json: JSONValue { ["rows": JSONValue(rows), "latest": JSONValue(latest?.iso8601)] }
}

extension RestorePlan.Objection {
    fileprivate var key: String {
        switch self {
        case .unverified: "unverifiedBackup"
        case .otherStore, .mismatchedStore, .noCommonProfile: "otherStore"
        case .notAdopted: "notAdopted"
        case .locked: "lockedStore"
        case .moved: "storeMoved"
        case .newerVersion: "newerBackup"
        }
    }

    fileprivate var sentence: String {
        switch self {
        case .unverified: "chatdb cannot verify that the databases are unchanged"
        case .otherStore(let backup, let store): "it is a backup of the store \(backup), and this one is \(store)"
        case .mismatchedStore(let database, _, let other):
            "the \(database) database of the store is of another store (\(other)) than the backup and the other database"
        case .notAdopted(let database):
            "the \(database) database is not adopted, and the backup is of an adopted one"
        case .noCommonProfile: "the backup and the store have no profile in common"
        case .locked:
            "chatdb has no passphrase that opens the store, so it cannot tell whether the backup is of this store"
        case .moved(let place):
            "the store was moved to \(place); if both stores change, their conversations lose the encryption"
        case .newerVersion(let names):
            "this build has no \(names.joined(separator: ", ")), and so cannot use the restored store"
        }
    }
}
