import ChatDBEngine
import ChatDBSchema

/// Finds what the target of a copy cannot hold, before anything is made there.
///
/// A server refuses a text with NUL or with bytes that are not UTF-8, and a reference to a missing row. Files have such
/// rows if a program wrote them that way, or after damage.
final class CopyCheck {
    private let source: CopySource
    private let options: CopyOptions
    private let context: StoreContext
    /// The number of texts that will be changed.
    private(set) var badTexts = 0

    init(_ source: CopySource, _ options: CopyOptions, _ context: StoreContext) {
        self.source = source
        self.options = options
        self.context = context
    }

    /// Throws `notCopyable` with all problems.
    func run() throws {
        var problems: [CopyProblem] = []
        for database in source.databases {
            let rows = try source.rows(of: database)
            let path = context.location.path(of: database)
            try MigrationError.naming(database, path) {
                let structure = try rows.structure()
                // A server has stored its texts as UTF-8 already.
                if context.location.server == nil {
                    for table in try rows.copied(rows.ordinaryTables()) {
                        context.progress(.copying(database, .checking(table: table)))
                        problems += try texts(of: table, structure.tables[table], in: database, rows)
                    }
                }
                problems += try references(in: database, structure, rows)
            }
        }
        badTexts = problems.filter(\.isText).reduce(0) { $0 + $1.count }
        if options.replacesBadText { problems.removeAll(where: \.isText) }
        if !problems.isEmpty { throw CopyError.notCopyable(problems) }
    }

    /// The texts of a table that the server refuses, by column and kind.
    private func texts(
        of table: String, _ structure: TableStructure?, in database: DatabaseName, _ rows: any TableSource
    ) throws -> [CopyProblem] {
        guard let structure else { return [] }
        let columns = structure.textColumns
        if columns.isEmpty { return [] }
        let key = structure.key
        var found: [TextPlace: CopyProblem] = [:]
        try rows.forEachStoredRow(of: table, columns: [key] + columns) { values in
            try context.cancellation.check()
            for (index, column) in columns.enumerated() {
                guard case .text(let bytes) = values[index + 1], let fault = TextBytes.fault(in: bytes) else {
                    continue
                }
                let kind: CopyProblem.Kind = fault == .nul ? .nul : .notUTF8
                let place = TextPlace(column: column, fault: fault)
                var problem =
                    found[place] ?? CopyProblem(database, table: table, columns: [column], kind, key: key)
                if case .integer(let number) = values[0] { problem.add(number) } else { problem.add(nil) }
                found[place] = problem
            }
        }
        return columns.flatMap { column in
            TextFault.allCases.compactMap { found[TextPlace(column: column, fault: $0)] }
        }
    }

    private struct TextPlace: Hashable {
        let column: String
        let fault: TextFault
    }

    /// The references to missing rows, by table and columns.
    private func references(
        in database: DatabaseName, _ structure: DatabaseStructure, _ rows: any TableSource
    ) throws -> [CopyProblem] {
        var found: [ReferencePlace: CopyProblem] = [:]
        try rows.forEachMissingReference { reference in
            try context.cancellation.check()
            let place = ReferencePlace(
                table: reference.table, columns: reference.columns, parent: reference.parent)
            var problem =
                found[place]
                ?? CopyProblem(
                    database, table: reference.table, columns: reference.columns, .missingRow(of: reference.parent),
                    key: structure.tables[reference.table]?.key ?? "rowid")
            problem.add(reference.row)
            found[place] = problem
        }
        return found.values.sorted { ($0.table, $0.columns.joined()) < ($1.table, $1.columns.joined()) }
    }

    private struct ReferencePlace: Hashable {
        let table: String
        let columns: [String]
        let parent: String
    }
}

extension TableStructure {
    /// The columns that can have a text: in a table without STRICT, each that does not hold bytes.
    fileprivate var textColumns: [String] {
        let isStrict = options.contains("STRICT")
        return columns.filter { $0.generated == nil && (isStrict ? $0.type == "TEXT" : $0.type != "BLOB") }.map(\.name)
    }

    /// The column that numbers the rows, or SQLite's name for the number.
    fileprivate var key: String {
        let number = columns.first { column in
            primaryKey == [SQLName.written(column.name)]
                && (column.type == "INTEGER" || column.type.hasPrefix("BIGINT"))
        }
        return number?.name ?? "rowid"
    }
}
