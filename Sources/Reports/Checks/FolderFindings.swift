import ChatDBKit
import Foundation

/// Findings about the migrations of a folder, whose reader may have written them. This build is not concerned, and no
/// other program has to have changed anything.
extension CheckReport {
    /// Whether the migrations of the store are those of a folder.
    private var isOfFolder: Bool { found.status.kind == .chatdb && !found.context.hasOwnMigrations }

    /// Whether files of a folder were edited, which may be copies of this build's own migrations.
    private var hasEditedFiles: Bool {
        found.status.kind == .chatdb && found.status.readable.values.contains { !$0.explainingEdits.isEmpty }
            && found.context.isOfFolder
    }

    /// The things found, in the plural.
    func sentence(of finding: Finding) -> String {
        if finding.id == StoreCheck.mismatchedPair, !found.status.withoutStoreRow.isEmpty {
            return "databases that have lost the row of their table store"
        }
        if finding.id == StoreCheck.editedMigration, hasEditedFiles {
            return "applied migrations whose text differs in the folder"
        }
        guard isOfFolder else { return finding.sentence }
        return switch finding.id {
        case StoreCheck.olderVersion: "databases that lack migrations of the folder"
        case StoreCheck.newerVersion: "databases with migrations that the folder does not have"
        case StoreCheck.otherHistory: "databases whose migrations differ from those of the folder"
        default: finding.sentence
        }
    }

    /// The remedy; nil for a finding about something else.
    func folderRemedy(for finding: Finding) -> Hint? {
        if hasEditedFiles {
            if finding.id == StoreCheck.editedMigration { return editedRemedy }
            if let remedy = DatabaseName.allCases.lazy.compactMap({ editRemedy(for: finding, in: $0) }).first {
                return remedy
            }
        }
        guard isOfFolder else { return nil }
        switch finding.id {
        case StoreCheck.otherHistory where found.status.readable.values.allSatisfy(\.unknown.isEmpty):
            return """
                The folder has migrations that come before one that the database has applied; \(.migrateStatus) lists \
                them. \(Hint.ofOutOfOrder(isOne: false, after: "the last applied one")).
                """
        case StoreCheck.newerVersion, StoreCheck.otherHistory:
            return """
                Bring the files back that the folder lacks, give renamed files their old names, or name the folder that \
                has them with --migrations-dir; \(.migrateStatus) lists the migrations.
                """
        case StoreCheck.schemaLost(.chat), StoreCheck.schemaLost(.agent):
            return """
                Run the statements of the migrations that create them with \(shell(for: finding)), while no other program \
                uses the database; \(.schemaDiff) shows what is missing. Until then, a lost unique index allows \
                duplicate rows, and searches may be incomplete or slow.
                """
        case StoreCheck.schemaDrift(.chat): return driftRemedy(finding, in: .chat)
        case StoreCheck.schemaDrift(.agent): return driftRemedy(finding, in: .agent)
        default: return nil
        }
    }

    /// The remedy for differences that no edited migration explains. A run of a migration that creates what is there
    /// would fail.
    private func driftRemedy(_ finding: Finding, in database: DatabaseName) -> Hint {
        let difference: Hint = "\(.schemaDiff) shows the differences; another program changed the schema."
        let creation = creation(for: finding)
        let samples = finding.sample.map(\.description)
        let isAllMissing = samples.count == finding.count && samples.allSatisfy { $0.hasPrefix("missing ") }
        if isAllMissing, let creation { return "\(difference) \(creation)" }
        let ending: Hint = creation.map { " \($0)" } ?? ""
        let other: DatabaseName = database == .chat ? .agent : .chat
        let versions = found.status.readable.mapValues { $0.version ?? "" }
        // A baseline is about the versions of both databases.
        let later = versions[other].flatMap { $0 > versions[database] ?? "" ? $0 : nil }
        let choice =
            later.map { " (NAME is the new migration, or \($0) of the \(other) database if that is later)" } ?? ""
        // A baseline records no migration after a pending one.
        let applying: Hint = """
            apply the pending migrations with \(.migrateUp), whose error names the next commands if one of them adds the \
            same
            """
        let first: Hint = found.status.hasPending ? "\(applying); after that, " : ""
        let name = MigrationName.toMake("WORDS", after: found.context.build[database]?.last?.name, on: Date())
        return """
            \(difference) If the schema is to have what was added, \(first)write a migration that adds it: \
            \(.migrateNew, name, "--only", database.rawValue); then \(.migrateBaseline, "--to", "NAME")\(choice) \
            writes the migration to the list and keeps the data. Otherwise, make a backup with \(.backupMake), and drop \
            by hand, in SQL, what was added.\(ending)
            """
    }

    /// How to create the indexes, triggers and views of a finding again that are missing or differ; nil without any.
    private func creation(for finding: Finding) -> Hint? {
        let kinds = ["missing", "different"].flatMap { word in
            ["index", "trigger", "view"].map { "\(word) \($0) " }
        }
        guard isOfFolder, finding.sample.contains(where: { kinds.contains(where: $0.description.hasPrefix) }) else {
            return nil
        }
        return """
            To have an index, trigger or view again that is missing or differs, drop what is in its place, and run the \
            statement of the migration that creates it with \(shell(for: finding)), while no other program uses the \
            database.
            """
    }

    /// The remedy for edited migrations, for each kind of edit that was found.
    private var editedRemedy: Hint {
        var parts: [EditedNames] = []
        var remedies: [Hint] = []
        for database in DatabaseName.allCases {
            guard let part = found.status.readable[database] else { continue }
            // The other remedies name the command that accepts the files, which refuses these.
            if let refusal = found.context.refusalOfEdits(of: part), let hint = refusal.hintOfEdits {
                let sentence = refusal.info.message
                let beginning = sentence.prefix(1).uppercased() + sentence.dropFirst()
                remedies.append("\(beginning); \(hint).")
            } else {
                parts.append(part.edits)
            }
        }
        let edits = EditedNames(joining: parts)
        if !edits.emptied.isEmpty {
            let sentence = MigrationError.emptiedMigration(edits.emptied).info.message
            let beginning = sentence.prefix(1).uppercased() + sentence.dropFirst()
            remedies.append("\(beginning): \(Hint.ofEmptiedMigration).")
        }
        if !edits.sinceAccepted.isEmpty {
            remedies.append(
                """
                The text of \(edits.sinceAccepted.joined(separator: ", ")) differs from the one that was accepted last, \
                and may be the one that the database applied. If it is: \(.migrateRun, "--accept-edited") records it \
                again. Otherwise restore the text that was accepted.
                """)
        }
        if !edits.others.isEmpty {
            let isOne = edits.others.count == 1
            remedies.append(
                """
                The \(isOne ? "file was" : "files were") edited after the database applied \(isOne ? "it" : "them"); \
                \(Hint.ofEditedFiles(isOne: isOne, in: found.status.readable.mapValues(\.edits).onlyEdited)).
                """)
        }
        return remedies.dropFirst().reduce(remedies.first ?? "") { "\($0) \($1)" }
    }

    /// The program that runs statements in the database of a finding about its schema.
    private func shell(for finding: Finding) -> String {
        let ids = [StoreCheck.schemaLost(.chat), StoreCheck.schemaDrift(.chat)]
        let database: DatabaseName = ids.contains(finding.id) ? .chat : .agent
        let path = found.context.location.path(of: database)
        let isEncrypted = (found.context.engine as? SQLiteEngine)?.isEncrypted(path) == true
        return isEncrypted ? "the shell of SQLCipher, after PRAGMA key" : "the sqlite3 shell"
    }

    /// The remedy for differences that an edited migration explains: the database has the schema of the old text. An
    /// index or trigger that an accepted edit added seems lost, and may also be lost. One that another edit added is among
    /// the differences, so what is lost besides has no remedy here.
    private func editRemedy(for finding: Finding, in database: DatabaseName) -> Hint? {
        let isLost = finding.id == StoreCheck.schemaLost(database)
        guard isLost || finding.id == StoreCheck.schemaDrift(database),
            let part = found.status.readable[database], !part.explainingEdits.isEmpty
        else { return nil }
        if case .otherTables? = found.context.refusalOfEdits(of: part) {
            return "The migrations look like those of another database: see \(StoreCheck.editedMigration)."
        }
        if isLost { return lostAfterEdit(finding, part) }
        guard let explained = Hint.ofExplainedDifferences(of: part) else { return nil }
        let ending: Hint = creation(for: finding).map { " \($0)" } ?? ""
        return "\(explained). Otherwise another program changed the schema.\(ending)"
    }

    /// The remedy for indexes and triggers that a database with accepted edits lacks; nil without such edits. The text of
    /// the file may have been restored since, so chatdb does not know whether the database had them.
    private func lostAfterEdit(_ finding: Finding, _ part: FoundDatabase) -> Hint? {
        let accepted = part.applied.filter(\.isAcceptedEdit).map(\.name)
        guard let first = accepted.first else { return nil }
        let names = accepted.count == 1 ? first : "\(first) and \(accepted.count - 1) more"
        let creation: Hint =
            isOfFolder
            ? """
            run the statements of the migrations that create them with \(shell(for: finding)), while no other program \
            uses the database
            """ : "\(.check, "--fix") creates them again"
        return """
            \(.schemaDiff) shows them. If the database is to have them, \(creation). If the edit of \(names) added them, \
            and the database is to be without them, restore the text from before the edit, and accept it: \
            \(.migrateRun, "--accept-edited").
            """
    }
}
