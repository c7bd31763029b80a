import ChatDBEngine
import ChatDBSchema

/// Finds what the target of a copy cannot hold, before it has anything that others see.
///
/// A server refuses a text with NUL or with bytes that are not UTF-8, and a reference to a missing row. Files have such
/// rows if a program wrote them that way, or after damage. SQLite stores NULL in the place of NaN, and 0 in the place
/// of a negative zero.
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
            try MigrationError.naming(database, source.path(of: database)) {
                try context.cancellation.whileRegistered(rows.interrupt) {
                    let structure = try rows.structure()
                    let references = ReferenceCheck(of: database, structure, context, rows)
                    defer { references.end() }
                    for table in try rows.copied(rows.ordinaryTables()) {
                        context.progress(.copying(database, .checking(table: table)))
                        problems += try values(of: table, structure.tables[table], in: database, rows)
                    }
                    problems += try references.problems()
                }
            }
        }
        badTexts = problems.filter(\.isText).reduce(0) { $0 + $1.count }
        if options.replacesBadText { problems.removeAll(where: \.isText) }
        if !problems.isEmpty { throw CopyError.notCopyable(problems) }
    }

    /// The values of a table that the target refuses or changes, by column and kind. A server has stored its texts as
    /// UTF-8 already; files have no NaN and no negative zero.
    private func values(
        of table: String, _ structure: TableStructure?, in database: DatabaseName, _ rows: any TableSource
    ) throws -> [CopyProblem] {
        guard let structure else { return [] }
        let forms = try rows.forms(of: table)
        let columns = forms.map { $0.filter { $0.form == .real }.map(\.name) } ?? structure.textColumns
        if columns.isEmpty { return [] }
        let key = forms == nil ? structure.key : structure.numberColumn
        let keys = key.map { [$0] } ?? []
        var found: [Place: CopyProblem] = [:]
        try rows.forEachStoredRow(of: table, columns: keys + columns) { values in
            try context.cancellation.check()
            for (index, column) in columns.enumerated() {
                guard let kind = Self.problem(values[keys.count + index], isOfServer: forms != nil) else { continue }
                let place = Place(column: column, kind: kind)
                var problem =
                    found[place] ?? CopyProblem(database, table: table, columns: [column], kind, key: key ?? "rowid")
                if key != nil, case .integer(let number) = values[0] { problem.add(number) } else { problem.add(nil) }
                found[place] = problem
            }
        }
        return columns.flatMap { column in
            CopyProblem.Kind.ofValues.compactMap { found[Place(column: column, kind: $0)] }
        }
    }

    /// What is wrong with a value; nil for a value that is copied as it is.
    private static func problem(_ value: CopiedValue, isOfServer: Bool) -> CopyProblem.Kind? {
        switch value {
        case .text(let bytes) where !isOfServer:
            switch TextBytes.fault(in: bytes) {
            case .nul: .nul
            case .notUTF8: .notUTF8
            case nil: nil
            }
        case .real(let number) where isOfServer && number.isNaN: .notANumber
        case .real(let number) where isOfServer && number == 0 && number.sign == .minus: .negativeZero
        default: nil
        }
    }

    private struct Place: Hashable {
        let column: String
        let kind: CopyProblem.Kind
    }
}

extension TableStructure {
    /// The columns that can have a text: in a table without STRICT, each that does not hold bytes.
    fileprivate var textColumns: [String] {
        let isStrict = options.contains("STRICT")
        return columns.filter { $0.generated == nil && (isStrict ? $0.type == "TEXT" : $0.type != "BLOB") }.map(\.name)
    }

    /// The column that numbers the rows; nil without one.
    var numberColumn: String? {
        columns.first { column in
            primaryKey == [SQLName.written(column.name)]
                && (column.type == "INTEGER" || column.type.hasPrefix("BIGINT"))
        }?.name
    }

    /// The same, or SQLite's name for the number of a row; nil in a table of files without numbers.
    var key: String? { numberColumn ?? (options.contains("WITHOUT ROWID") ? nil : "rowid") }
}
