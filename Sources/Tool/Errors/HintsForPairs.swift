import ChatDBKit

/// Hints for stores of two databases of which one is missing, or of which each is not what the other one needs.
extension MigrationHint {
    /// The error for a store that lacks one of its databases. A hint to migrate the other one alone would leave the two at
    /// different versions when the file is found.
    static func missing(
        _ database: DatabaseName, _ reportable: any Reportable, _ context: StoreContext
    ) -> HintedError {
        HintedError(reportable, hint: hint(forMissing: database, context))
    }

    private static func hint(forMissing database: DatabaseName, _ context: StoreContext) -> Hint {
        let location = context.location
        let other: DatabaseName = database == .chat ? .agent : .chat
        let path = location.path(of: database)
        if location.hasNamedFiles, let meant = SimilarStores.suggestion(ofFile: path, besides: location) {
            return Hint(text: meant)
        }
        if let record = (try? IntentRecord.read(at: location)) ?? nil {
            guard let backup = record.backup, FoundBackup(at: backup)?.state == .complete else {
                return "bring the missing file back: a run that was interrupted concerns both databases"
            }
            return """
                bring the missing file back; or restore both as they were before the run that was interrupted: \
                \(.restore, backup)
                """
        }
        if location.hasNamedFiles, (try? context.find(other))?.partner == nil {
            return "check the path of --database; if the program has only one database, name that one alone"
        }
        let found: Hint = "bring the missing file back; \(.check) says what is left without it"
        return location.hasNamedFiles ? found : "\(found). If the store never had the file: --only \(other)"
    }

    /// The error for an interrupted run of a store that lacks one of its databases, so that no run can complete it. It is
    /// nil for any other interrupted run.
    static func interrupted(
        _ record: IntentRecord, _ reportable: any Reportable, _ context: StoreContext
    ) -> HintedError? {
        let location = context.location
        guard !record.creates, record.copiedFrom == nil, location.server == nil,
            let database = location.databases.first(where: { location.state(of: $0) == .missing })
        else { return nil }
        return missing(database, reportable, context)
    }

    /// The error for two files that are no pair, because they were not adopted together. It is nil for any other store.
    static func separatelyAdopted(_ reportable: any Reportable, _ context: StoreContext) -> HintedError? {
        guard let status = try? context.status(), let separate = SeparateAdoption(status, context) else { return nil }
        return HintedError(reportable, hint: separate.hint)
    }

    /// The error for a baseline of files that have the schema of the other database: they were exchanged, or the only one
    /// was named as the other. It is nil for other files.
    static func exchanged(
        _ reportable: any Reportable, at version: String, _ context: StoreContext
    ) -> HintedError? {
        let location = context.location
        let exchanged = Adoption(context).exchangedDatabases(at: version)
        guard let one = exchanged.first else { return nil }
        let files = DatabaseName.allCases.compactMap { name in
            exchanged.first { $0 != name }.map { held in
                "--database " + ShellWord.quoted("\(name)=\(location.path(of: held))")
            }
        }
        let names = files.joined(separator: " ")
        let other: DatabaseName = one == .chat ? .agent : .chat
        if exchanged.count == location.databases.count {
            return HintedError(
                reportable,
                hint: exchanged.count == 1
                    ? "the file has the schema of the \(other) database: name it with \(names)"
                    : "each file has the schema of the other database: exchange them with \(names)")
        }
        return HintedError(
            reportable,
            hint: """
                \(location.path(of: one)) has the schema of the \(other) database: check the paths of --database
                """)
    }
}
