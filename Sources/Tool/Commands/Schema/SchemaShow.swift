import ArgumentParser
import ChatDBKit

struct SchemaShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the tables, or the columns of a table, with their meaning and class.",
        discussion: """
            Shows the tables of the store that -d, \(StoreOptions.variable) or the configuration file names, else \
            those of this build. A column that is not in the catalogue counts as secret. The tables of other programs \
            are not in it, also if they have the names of chatdb's own.

            Examples:
              chatdb schema show
              chatdb schema show chat_relays
              chatdb schema show connections --only agent -d ~/chats/me
            """)

    @Argument(help: "The table to show.")
    var table: String?

    @Option(help: ArgumentHelp("Use only this database.", valueName: "database"))
    var only: DatabaseName?

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let output = try output.output()
        let all = try store.isNamed ? tablesOfStore(output) : tablesOfBuild(output)
        let asked = all.filter { only == nil || only == $0.database }
        guard let table else { return try output.write(SchemaTablesReport(tables: asked)) }
        let found = asked.filter { $0.name == table }
        if found.isEmpty { throw notFound(table, asked, elsewhere: all.first { $0.name == table }?.database) }
        try output.write(SchemaColumnsReport(tables: found))
    }

    private func tablesOfStore(_ output: Output) throws -> [SchemaTable] {
        let source = try SchemaSource.store(store.location(), with: store.fileEngine())
        output.detail("these are the tables of \(source.context.location.prefix)")
        _ = try source.databases(only)
        source.noteMissing(only, on: output)
        return try source.databases(nil).flatMap { database in
            let found = try? source.context.find(database)
            let isNamed = source.context.location.hasNamedFiles
            let isOther = found?.hasOtherTables(isNamed: isNamed) ?? isNamed
            return SchemaTable.all(in: try source.context.wholeStructure(of: database), of: database) { name in
                guard isOther else { return Catalogue.tableOfAnyProgram(name, of: database) }
                // Another program may have tables of these names too, until the database is adopted.
                return found?.kind == .chatdb ? Catalogue.ledger.first { $0.name == name } : nil
            }
        }
    }

    private func tablesOfBuild(_ output: Output) throws -> [SchemaTable] {
        output.detail("these are the tables of this build; no store was named")
        let build = try MigrationSource.build.load()
        let ledger = try SchemaText.ledger(engine: SQLiteEngine())
        return try DatabaseName.allCases.flatMap { database in
            var structure = try SchemaText.structure(of: build[database] ?? [], engine: SQLiteEngine())
            structure.tables.merge(ledger.tables) { own, _ in own }
            return SchemaTable.all(in: structure, of: database) { Catalogue.tableOfAnyProgram($0, of: database) }
        }
    }

    /// - Parameter elsewhere: the database that was not requested, if it has a table of that name.
    private func notFound(
        _ table: String, _ tables: [SchemaTable], elsewhere: DatabaseName?
    ) -> any Reportable {
        let place = only.map { " in the \($0) database" } ?? ""
        let error = NameError.notFound(
            code: "tableNotFound", message: "there is no table \"\(table)\"\(place)", name: table,
            candidates: Set(tables.map(\.name)).sorted(), list: HintedCommand(.schemaShow))
        return HintedError(
            error,
            hint: elsewhere.map { database -> Hint in "the table is in the \(database) database: --only \(database)" })
    }
}
