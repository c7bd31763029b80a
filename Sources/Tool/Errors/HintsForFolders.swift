import ChatDBKit

/// Hints for databases whose migrations are not in the folder of the command line.
extension MigrationHint {
    /// The error for a database that has been through migrations of unknown files: those that the folder of the command
    /// line lacks, or all if they are not chatdb's own and no folder was named. Nil for any other database.
    /// - Parameter reportable: the error, or what reports it.
    static func lackingFiles(
        _ error: MigrationError, _ reportable: any Reportable, _ part: FoundDatabase, _ context: StoreContext,
        in folder: String?
    ) -> HintedError? {
        if let folder, !part.unknown.isEmpty {
            if case .differentHistory = error { return lacking(part, reportable, context, folder) }
            return HintedError(reportable, message: error.messageOfFolder, hint: putBack(part, context, folder))
        }
        guard part.needsItsMigrations else { return nil }
        return HintedError(
            reportable, message: part.otherMigrationsRefusal,
            hint: "name the folder of its migrations with --migrations-dir")
    }

    /// The error for a folder that lacks migrations that a database has been through: the same for each command, also if
    /// the folder is empty. Nil for any other folder.
    /// - Parameters:
    ///   - reportable: the error of the command, whose sentence about the state remains.
    ///   - isAll: whether the folder has to lack all of them, and so is the wrong one.
    static func lackingMigrations(
        _ reportable: any Reportable, _ context: StoreContext, in folder: String?, isAll: Bool = true
    ) -> HintedError? {
        guard let folder, let status = try? context.status() else { return nil }
        let parts = context.location.databases.compactMap { status.readable[$0] }
        let found = parts.first { part in
            part.kind == .chatdb && part.database == part.name && (context.only == nil || context.only == part.name)
                && !part.unknown.isEmpty && (!isAll || part.unknown.count == part.applied.count)
        }
        guard let part = found, let first = part.unknown.min() else { return nil }
        let error = MigrationError.differentHistory(
            part.name, build: context.build[part.name]?.first?.name ?? "nothing", database: first)
        return lacking(part, HintedError(error, state: reportable.report.state, hint: nil), context, folder)
    }

    /// The error for a migration of a database that `--database` does not name.
    static func unnamed(
        _ reportable: any Reportable, _ name: String, of other: DatabaseName, _ context: StoreContext,
        in folder: String?
    ) -> HintedError {
        let named = context.location.databases.first ?? other
        let file = ShellWord.quoted("\(other)=\(context.location.path(of: named))")
        let place = ShellWord.quoted("\(folder ?? "DIR")/\(named)")
        // A database of chatdb has the mark of its name.
        let mark = (try? context.status())?.readable[named]?.database
        let hint: Hint =
            if context.build[named]?.isEmpty == false {
                "name a migration of the \(named) database with --to"
            } else if mark == named {
                "move its migrations into \(place)"
            } else if mark == other {
                "name the file with --database \(file)"
            } else {
                "name the file with --database \(file), or move its migrations into \(place)"
            }
        return HintedError(
            reportable,
            message: "\(name) is a migration of the \(other) database, but --database names the \(named) database",
            hint: hint)
    }

    private static func lacking(
        _ part: FoundDatabase, _ reportable: any Reportable, _ context: StoreContext, _ folder: String
    ) -> HintedError {
        let noun = part.unknown.count == 1 ? "migration" : "migrations"
        return HintedError(
            reportable, message: "the folder \(folder)/\(part.name) lacks the applied \(noun) \(listed(part.unknown))",
            hint: putBack(part, context, folder))
    }

    /// The hint for migrations that a database has been through, and whose files its folder lacks. They may be in the
    /// folder of the other database.
    static func putBack(_ part: FoundDatabase, _ context: StoreContext, _ folder: String) -> Hint {
        let place = "\(folder)/\(part.name)"
        let other: DatabaseName = part.name == .chat ? .agent : .chat
        let others = Set((context.build[other] ?? []).map(\.name))
        if others.isSuperset(of: part.unknown) {
            return "\(folder)/\(other) has their files: move them into \(place)"
        }
        if isOfThisBuild(part) { return ownStore }
        return """
            put the files of \(listed(part.unknown)) back into \(place), or name the folder that has them with --migrations-dir; \
            \(.migrateStatus) names what the folder lacks
            """
    }

    /// The hint for a store that needs no folder.
    static var ownStore: Hint { "this is chatdb's own store; leave out --migrations-dir" }

    /// Whether a database has been through migrations of this build, and through none of the folder.
    static func isOfThisBuild(_ part: FoundDatabase) -> Bool {
        !part.unknown.isEmpty && part.unknown.count == part.applied.count
            && MigrationSource.ownNames.isSuperset(of: part.unknown)
    }

    /// The names, sorted: the first ones if there are many.
    private static func listed(_ names: [String]) -> String {
        let most = 6
        let shown = names.sorted().prefix(most).joined(separator: ", ")
        return names.count > most ? "\(shown) and \(names.count - most) more" : shown
    }
}
