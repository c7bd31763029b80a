package import ChatDBKit

/// The remedies for damaged parts of a database. The part decides which remedy works: SQLite's REINDEX and VACUUM stop
/// at an index whose pages cannot be read (*measured*), but a statement that does not use the index still reads the
/// table.
package struct DamageRemedies {
    package let database: DatabaseName
    /// The path of the database.
    package let path: String
    /// The program that made the store.
    package let owner: FoundDatabase.Kind
    /// Whether the file is encrypted. The shell of SQLite makes an empty file of it, and a salvage refuses it.
    let isEncrypted: Bool

    package init(database: DatabaseName, path: String, owner: FoundDatabase.Kind, isEncrypted: Bool = false) {
        self.database = database
        self.path = path
        self.owner = owner
        self.isEncrypted = isEncrypted
    }

    /// The remedy for a finding about damaged parts. It is nil for any other finding.
    package static func remedy(for finding: Finding, in context: StoreContext, _ owner: FoundDatabase.Kind) -> Hint? {
        guard let database = DatabaseName.allCases.first(where: { StoreCheck.damageID($0) == finding.id }) else {
            return nil
        }
        let path = context.location.path(of: database)
        let isEncrypted = (context.engine as? SQLiteEngine)?.isEncrypted(path) == true
        guard isEncrypted || !finding.damage.isEmpty else { return nil }
        return DamageRemedies(database: database, path: path, owner: owner, isEncrypted: isEncrypted)
            .remedy(for: finding.damage)
    }

    /// The remedy for a part of an unknown kind.
    package static let general: Hint = """
        Close all programs that use the store, and copy its files to another place now. \(.restore, "FOLDER") restores \
        a backup from before the damage. \(salvaging)
        """

    /// The remedy for one definition that cannot be read. The rows are in other pages.
    private static let definition: Hint = """
        Close all programs that use the store, and copy its files to another place now. The rows of all tables may be \
        whole: \(.salvage, "--output", "NEW") writes them into a new store, and says which it lost. \(.check) of the new \
        store names what is still missing. If rows were lost, look for a backup or an archive from before the damage.
        """

    /// The advice for a store without a backup. The salvage does not change the damaged files.
    package static let salvaging: Hint =
        "Without one, \(.salvage, "--output", "NEW") writes what can be read into a new store."

    /// The advice for any damage, and then a sentence for each kind of damage.
    package func remedy(for damage: [DatabaseDamage]) -> Hint {
        if isEncrypted { return remedyOfEncrypted(damage) }
        if let schema = damage.first, damage.count == 1, schema.kind == .schema, schema.name != nil {
            return Self.definition
        }
        if Self.losesRows(damage), owner != .simplex { return Self.general }
        var text: Hint = "Close all programs that use the store, and copy its files to another place now."
        let indexes = damage.filter { $0.kind == .index }
        let readable = indexes.filter(\.isReadable)
        let loses = Self.losesRows(damage)
        if loses {
            text = """
                \(text) Import the newest archive that the app exported before the damage (\(AppScreen.chatDatabase)). \
                \(Self.salvaging)
                """
        }
        // After a restore, the indexes are whole too.
        if loses { return text }
        let hasWrongList = damage.contains { $0.kind == .freePages }
        if indexes.count > readable.count {
            text = "\(text) No row is lost. SQLite's REINDEX stops at such an index. \(dumping)"
        } else if hasWrongList, !indexes.isEmpty {
            // REINDEX would write into pages that the list wrongly has, and VACUUM INTO copies the index as it is.
            text = """
                \(text) Every row of the table can be read.\(comparing(readable)) Do not use SQLite's REINDEX: it may \
                overwrite rows, because the list of free pages is wrong. \(dumping)
                """
        } else if hasWrongList {
            text = "\(text) \(vacuuming)"
        } else if !indexes.isEmpty {
            text = "\(text) \(reindexing(readable))"
        }
        return text
    }

    /// The remedy for a finding about write-ahead logs.
    package static func log(_ id: String) -> Hint {
        switch id {
        case StoreCheck.foreignLog:
            """
            Close all programs that use the store, and move the -wal (and -shm) to another folder; do not delete it \
            before its own database is found. The example says what the log holds; \(.check) then shows whether the \
            database is in order.
            """
        case StoreCheck.orphanLog:
            """
            A log has only the newest changes: ask for the database that was beside it, and put it beside the log for \
            \(.check). Move the log away before you create a store here.
            """
        default:
            """
            No action is needed: no change is lost when the -wal is removed while no program uses the store.
            """
        }
    }

    private var file: String { ShellWord.quoted(path) }

    /// Whether rows may be lost with one of the damaged parts.
    package static func losesRows(_ damage: [DatabaseDamage]) -> Bool { damage.contains(where: loses) }

    /// Whether rows of the part may be lost. Only a backup has these rows.
    private static func loses(_ part: DatabaseDamage) -> Bool {
        [.table, .tableOrIndex, .schema].contains(part.kind) || part.kind == .freePages && !part.isReadable
    }

    /// The remedy for indexes that can be read and differ from their table in some rows. REINDEX takes the values of
    /// the table.
    private func reindexing(_ indexes: [DatabaseDamage]) -> Hint {
        let command: String
        if owner == .simplex {
            command = reindexingInApp(indexes)
        } else {
            let names = indexes.compactMap(\.name).map { "REINDEX \(SQLName.quoted($0))" }
            command = "sqlite3 \(file) \(ShellWord.quoted(names.joined(separator: "; ")))"
        }
        if indexes.allSatisfy(\.lacksEntries) {
            return """
                No row is lost: the table is whole, and only the index lacks entries. Lists that use the index do not show \
                the named rows. \(command) builds the index again from the table. \(.salvage, "--output", "NEW") writes a \
                new store with whole indexes too.
                """
        }
        return """
            Every row of the table can be read, and either the index or the named rows were changed.\(comparing(indexes)) \
            \(command) builds the index again from the table.
            """
    }

    /// The advice to compare the rows in which an index and its table differ; empty if no row is named.
    private func comparing(_ indexes: [DatabaseDamage]) -> String {
        indexes.contains { !$0.differing.isEmpty } ? " Compare the named rows with a backup first." : ""
    }

    /// The remedy for indexes with which REINDEX, DROP INDEX and VACUUM fail. `.dump` reads the tables only, and leaves
    /// out two numbers of the header, in which programs keep their mark and their version. The umask keeps the new file
    /// from other users.
    private var dumping: Hint {
        let numbers = ["application_id", "user_version"].map { name in
            "PRAGMA \(name) = '$(sqlite3 \(file) 'PRAGMA \(name)')'; "
        }.joined()
        return """
            (umask 077; (echo '\(numbers)'; sqlite3 \(file) .dump) | sqlite3 NEW) writes all rows into the new file NEW \
            with new indexes; \(Self.replacing)
            """
    }

    // MARK: Encrypted databases

    /// The advice for an encrypted database whose rows cannot all be read.
    package static func general(ofEncrypted owner: FoundDatabase.Kind) -> Hint {
        let copy: Hint = "Close all programs that use the store, and copy its files to another place now."
        let whole: Hint =
            owner == .simplex
            ? "Import the newest archive that the app exported before the damage (\(AppScreen.chatDatabase))."
            : "\(.restore, "FOLDER") restores a backup from before the damage."
        return "\(copy) \(whole) Without one, \(.query, "SQL") still reads the tables that are whole."
    }

    /// A store in plain text has all indexes written again, except those of a rule of their table, which SQLite copies
    /// page by page (*measured*). Then the command changes nothing. For stores of the app, it writes a copy only.
    private func remedyOfEncrypted(_ damage: [DatabaseDamage]) -> Hint {
        let general = Self.general(ofEncrypted: owner)
        if damage.isEmpty || Self.losesRows(damage) { return general }
        let indexes = damage.filter { $0.kind == .index }
        let canReindex = indexes.count == damage.count && indexes.allSatisfy(\.isReadable)
        if owner == .simplex {
            guard canReindex else { return "No row is lost. \(general)" }
            return """
                Close all programs that use the store, and copy its files to another place now. \
                \(Self.wholeTable)\(comparing(indexes)) \(reindexingInApp(indexes)) builds the index again from the table.
                """
        }
        return """
            Close all programs that use the store, and copy its files to another place now. \
            \(Self.wholeTable)\(comparing(indexes)) \(.passphraseRemove) writes the rows into new files with new indexes, \
            and then \(.passphraseSet, "--new-passphrase-file", "FILE") encrypts these with the passphrase in FILE; the \
            content is in plain text between the two. If SQLite cannot \
            leave out the damaged part, the first command ends with an error and changes nothing: then \
            \(.restore, "FOLDER") restores a backup, and without one, \(.query, "SQL") still reads the rows.
            """
    }

    private static let wholeTable = "Every row of the table can be read."

    private func reindexingInApp(_ indexes: [DatabaseDamage]) -> String {
        indexes.compactMap(\.name).map { "/sql \(database) REINDEX \(SQLName.quoted($0))" }
            .joined(separator: " and ") + " in the app (\(AppScreen.chatConsole))"
    }

    private var vacuuming: Hint {
        """
        No row is lost. (umask 077; sqlite3 \(file) "VACUUM INTO 'NEW'") writes all rows into the new file NEW; \
        \(Self.replacing)
        """
    }

    /// A log or a journal of the old file would damage the new one.
    private static let replacing: Hint =
        "then move the old file to another folder, with its -wal, -shm and -journal, and move NEW to its place."
}

extension DatabaseDamage {
    /// The part, in the answer for programs.
    package var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "name": JSONValue(name), "table": JSONValue(table),
            "readableRows": JSONValue(readableRows), "indexedRows": JSONValue(indexedRows),
            "readable": .bool(isReadable),
            "unreadableRows": .array(unreadable.map { ["from": JSONValue($0.first), "to": JSONValue($0.last)] }),
            "differingRows": .array(differing.map { .integer($0) }), "pages": .array(pages.map { .integer($0) }),
            "forbiddenValues": .bool(hasForbiddenValues), "lacksEntries": .bool(lacksEntries),
        ]
    }
}

extension DamagedPages.Page {
    /// Its number, with the kind of the damage.
    package var name: String { isZeroed ? "\(number) (zeros)" : "\(number)" }
}
