import ChatDBEngine
import GRDB
import GRDBSQLite

/// Finds the damaged parts of a database: tables, indexes, the schema or the list of free pages, and the rows that can
/// be read. SQLite's integrity check often names only a page, or stops without a name. The reader therefore reads every
/// table with problems, and each of its indexes, from end to end.
struct DamageReader {
    let database: Database
    let timeLimit: QueryTimeLimit?

    /// The damaged parts: indexes last, and otherwise in the order of the tables' names; empty without damage.
    func read() throws -> [DatabaseDamage] {
        let all = try check("100")
        if all.isSound { return [] }
        var found: [DatabaseDamage] = []
        do {
            try read(all, into: &found)
        } catch  where timeLimit?.error != nil && !found.isEmpty {
            // The parts that were found within the time limit are reported.
        }
        return Self.inOrder(found)
    }

    private func read(_ all: CheckAnswer, into found: inout [DatabaseDamage]) throws {
        var (sound, unsound): ([Table], [Table]) = ([], [])
        for table in try tables() {
            let answer = try check(SQLName.quoted(table.name))
            if answer.isSound {
                sound.append(table)
            } else {
                unsound.append(table)
                found += try damage(of: table, answer)
            }
        }
        // SQLite checks the list of free pages together with the schema.
        let ofSchema = try check("sqlite_schema")
        let isListWrong = (ofSchema.lines + all.lines).contains(where: \.isAboutFreeList)
        if ofSchema.lines.contains(where: { !$0.isAboutFreePages }) { found.append(DatabaseDamage(.schema)) }
        // The check of a single table does not report all damage, such as a page with another page's content, or a page
        // that belongs to two trees.
        // A wrong list of free pages names pages of tables, which are then referred to twice and can be read.
        if found.allSatisfy({ $0.kind == .index }) {
            let lines = all.lines.filter { $0.page != nil && !(isListWrong && $0.isSecondReference) }
            let pages = Set(lines.compactMap(\.page)).sorted()
            for table in unsound where !table.isVirtual && !pages.isEmpty {
                let rows = found.first { $0.table == table.name }?.readableRows ?? 0
                found += try damage(of: pages, table, [], rows)
            }
            for table in sound where !table.isVirtual && !pages.isEmpty {
                found += try damage(of: table, CheckAnswer(lines: lines))
            }
        }
        if isListWrong || found.isEmpty, !all.isStopped {
            var damage = DatabaseDamage(.freePages)
            damage.isReadable = isListWrong
            damage.pages = Array(all.lines.compactMap(\.unusedPage).prefix(DatabaseDamage.most))
            found.append(damage)
        }
        if found.isEmpty { throw StoreError(.damaged, "it is damaged (\(Self.fixedText))") }
    }

    private static var fixedText: String { String(cString: sqlite3_errstr(SQLITE_CORRUPT)) }

    // MARK: SQLite's check

    /// - Parameter what: the largest number of problems, or the name of a table.
    private func check(_ what: String) throws -> CheckAnswer {
        var answer = CheckAnswer()
        do {
            let cursor = try String.fetchCursor(database, sql: "PRAGMA integrity_check(\(what))")
            while let text = try cursor.next() {
                // Problems of pages come as one row of many lines, under a heading.
                for line in text.split(separator: "\n") where !line.hasPrefix("*** in database ") && text != "ok" {
                    answer.lines.append(CheckLine(text: String(line)))
                }
            }
            if !answer.lines.isEmpty { try SQLiteErrors.requireUnchanged(database) }
        } catch let error as DatabaseError where SQLiteErrors.isDamage(error, in: database) {
            answer.isStopped = true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            // A table whose name is not valid UTF-8 cannot be checked, which is not a finding about the table.
        }
        return answer
    }

    // MARK: Tables and indexes

    private struct Table {
        let name: String
        let hasRowIDs: Bool
        let isVirtual: Bool
    }

    private struct Index {
        let name: String
        /// A statement that reads all entries with their values. It is nil for a partial index whose condition is
        /// unknown.
        let sql: String?
    }

    private func tables() throws -> [Table] {
        let sql: Query = """
            SELECT name, wr, type FROM pragma_table_list
            WHERE schema = 'main' AND type IN ('table', 'shadow', 'virtual') ORDER BY name
            """
        let rows = try TableList.read(of: database) { try SQLiteTransaction(database: database).rows(sql) }
        return try rows.map { row throws(StoreError) in
            Table(
                name: try row.get("name"), hasRowIDs: try !(row.get("wr") as Bool),
                isVirtual: try row.get("type") == "virtual")
        }.filter { !["sqlite_schema", "sqlite_master"].contains($0.name) }
    }

    private func indexes(of table: Table) throws -> [Index] {
        let transaction = SQLiteTransaction(database: database)
        let quoted = SQLName.quoted(table.name)
        return try transaction.rows(.unchecked(sql: "PRAGMA main.index_list(\(quoted))")).compactMap { row in
            // The primary key of a table WITHOUT ROWID is the table itself.
            if try row.get("origin") as String == "pk", !table.hasRowIDs { return nil }
            let name: String = try row.get("name")
            let index = SQLName.quoted(name)
            let keys = try transaction.rows(.unchecked(sql: "PRAGMA main.index_info(\(index))"))
            let columns = try keys.compactMap { key in (try key.get("name") as String?).map(SQLName.quoted) }
            // SQLite would read a column that is not in the index from the table.
            let values = columns.count == keys.count ? columns.joined(separator: ", ") : "1"
            var sql: String? = "SELECT \(values) FROM main.\(quoted) INDEXED BY \(index)"
            if try row.get("partial") as Bool {
                sql = try condition(of: name, transaction).flatMap { part in sql.map { "\($0) WHERE \(part)" } }
            }
            return Index(name: name, sql: sql)
        }
    }

    /// The condition of a partial index, from its definition.
    private func condition(of index: String, _ transaction: SQLiteTransaction) throws -> String? {
        let sql: Query = "SELECT sql FROM sqlite_master WHERE type = 'index' AND name = \(index)"
        guard let text = try transaction.rows(sql).first?.get("sql") as String? else { return nil }
        var lexer = SQLLexer(text, refusesControls: false)
        var depth = 0
        // A damaged definition may end within a text.
        while let token = try? lexer.nextSignificant() {
            if lexer.isPunctuation(token, "(") { depth += 1 }
            if lexer.isPunctuation(token, ")") { depth -= 1 }
            guard depth == 0, lexer.isWord(token, "WHERE") else { continue }
            let condition = lexer.text(in: token.range.upperBound..<text.utf8.count)
            // A damaged definition may have several statements.
            return (try? SQLStatements.split("SELECT \(condition)"))?.count == 1 ? condition : nil
        }
        return nil
    }

    // MARK: Damage of a table and its indexes

    private func damage(of table: Table, _ answer: CheckAnswer) throws -> [DatabaseDamage] {
        if table.isVirtual {
            var damage = DatabaseDamage(.tableOrIndex, name: table.name, table: table.name)
            damage.isReadable = false
            return [damage]
        }
        let lines = answer.lines
        let scan = TableScan(database: database, table: table.name, hasRowIDs: table.hasRowIDs)
        let rows = try scan.run()
        let indexes = try indexes(of: table)
        var found: [DatabaseDamage] = []
        if !rows.isWhole {
            var damage = DatabaseDamage(.table, name: table.name, table: table.name)
            damage.readableRows = rows.count
            damage.unreadable = Array(rows.gaps.prefix(DatabaseDamage.most))
            damage.isReadable = false
            found.append(damage)
        }
        for index in indexes {
            let entries = try index.sql.map { try self.entries($0, most: rows.isWhole ? rows.count * 2 + 1_000 : nil) }
            let isReadable = entries != .some(.none)
            let own = lines.filter { $0.names(index.name, among: indexes.map(\.name)) }
            // A complete index with more entries than the table has rows shows that the table has lost rows.
            if rows.isWhole, let entries = entries ?? nil, entries > rows.count, own.allSatisfy({ $0.row == nil }) {
                if found.isEmpty {
                    var damage = DatabaseDamage(.table, name: table.name, table: table.name)
                    (damage.readableRows, damage.indexedRows, damage.isReadable) = (rows.count, entries, false)
                    found.append(damage)
                }
                continue
            }
            // If the table has lost rows, every index has entries without a row, which is no damage of the index.
            guard !isReadable || !own.isEmpty && rows.isWhole else { continue }
            var damage = DatabaseDamage(.index, name: index.name, table: table.name)
            damage.readableRows = rows.isWhole ? rows.count : nil
            let places = own.compactMap(\.row).prefix(DatabaseDamage.most)
            damage.differing = rows.isWhole ? try scan.numbers(at: Array(places)) : []
            damage.isReadable = isReadable
            if rows.isWhole, let entries = entries ?? nil, entries >= 0 {
                // Every line is about a row without an entry, or about the number of entries.
                let isOfLack = own.allSatisfy { $0.isOfMissingEntry || $0.row == nil && $0.page == nil }
                let lacking = Int64(own.count(where: \.isOfMissingEntry))
                damage.lacksEntries = isOfLack && lacking > 0 && entries + lacking == rows.count
            }
            found.append(damage)
        }
        if rows.isWhole, lines.contains(where: { $0.isAboutValues(of: table.name) }) {
            var damage = DatabaseDamage(.table, name: table.name, table: table.name)
            (damage.readableRows, damage.hasForbiddenValues) = (rows.count, true)
            found.append(damage)
        }
        let pages = Set(lines.compactMap(\.page)).sorted()
        if found.allSatisfy({ $0.kind == .index }), !pages.isEmpty {
            let ofPages = try damage(of: pages, table, indexes, rows.count)
            // An index with a damage of its own is there already.
            found += ofPages.filter { $0.kind == .table || found.isEmpty }
        }
        if found.isEmpty, answer.isStopped || lines.contains(where: { $0.page == nil }) {
            var damage = DatabaseDamage(.tableOrIndex, name: table.name, table: table.name)
            damage.isReadable = false
            found = [damage]
        }
        if found.count == 1 { found[0].pages = Array(pages.prefix(DatabaseDamage.most)) }
        return found
    }

    /// Damage that loses rows, and then damage of indexes, which loses none.
    private static func inOrder(_ found: [DatabaseDamage]) -> [DatabaseDamage] {
        found.filter { $0.kind != .index } + found.filter { $0.kind == .index }
    }

    /// The number of entries of an index. It is nil if the index cannot be read, or if it has more than `most` entries:
    /// pages that lead to the same next ones give entries without end. It is -1 if SQLite cannot use the index for this
    /// statement.
    private func entries(_ sql: String, most: Int64?) throws -> Int64? {
        do {
            let cursor = try Row.fetchCursor(try database.makeStatement(sql: sql))
            var count: Int64 = 0
            while try cursor.next() != nil {
                count += 1
                if let most, count > most { return nil }
            }
            return count
        } catch let error as DatabaseError where SQLiteErrors.isDamage(error, in: database) {
            return nil
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            return -1
        }
    }

    /// The damage of pages that can be read and have wrong content, by the tree to which each page belongs.
    private func damage(
        of pages: [Int64], _ table: Table, _ indexes: [Index], _ rows: Int64
    ) throws -> [DatabaseDamage] {
        let names = Set(try owners(of: pages))
        return ([table.name] + indexes.map(\.name)).filter(names.contains).map { name in
            var damage = DatabaseDamage(name == table.name ? .table : .index, name: name, table: table.name)
            damage.readableRows = rows
            return damage
        }
    }

    /// The names of the trees that have these pages. Empty if this SQLite has no table `dbstat`, or cannot read it.
    private func owners(of pages: [Int64]) throws -> [String] {
        let wanted = Set(pages)
        var left = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        var names: [String] = []
        do {
            let statement = try database.makeStatement(sql: "SELECT name, pageno FROM dbstat")
            let cursor = try Row.fetchCursor(statement)
            // A tree that leads to one page in several ways has more pages than the file.
            while left > 0, try cursor.next() != nil {
                left -= 1
                guard wanted.contains(sqlite3_column_int64(statement.sqliteStatement, 1)) else { continue }
                if let name = sqlite3_column_text(statement.sqliteStatement, 0) { names.append(String(cString: name)) }
            }
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_ERROR || SQLiteErrors.isDamage(error, in: database)
        {}
        return names
    }
}

/// The answer of an integrity check.
private struct CheckAnswer {
    var lines: [CheckLine] = []
    /// Whether SQLite ended the check at a page that it cannot read.
    var isStopped = false

    var isSound: Bool { lines.isEmpty && !isStopped }
}

/// A line of an integrity check. This is the only place that reads SQLite's words.
private struct CheckLine {
    let text: String

    /// The place of the row in its table in `row 12 missing from index x`: SQLite counts the rows, and does not give
    /// their numbers.
    var row: Int64? {
        let words = text.split(separator: " ", maxSplits: 2)
        return words.first == "row" && words.count > 1 ? Int64(words[1]) : nil
    }

    /// `row 12 missing from index x`.
    var isOfMissingEntry: Bool { row != nil && text.contains(" missing from index ") }

    /// The page in `Page 46: …`, `On tree page 207 cell 0: …` and `Tree 5 page 207: …`.
    var page: Int64? { isAboutFreePages ? nil : pageNumber }

    private var pageNumber: Int64? {
        let words = text.split { $0 == " " || $0 == ":" }
        guard let place = words.firstIndex(where: { $0.lowercased() == "page" }), place + 1 < words.count else {
            return nil
        }
        return Int64(words[place + 1])
    }

    /// `Main freelist: …`, `Freelist: …`.
    var isAboutFreeList: Bool { text.lowercased().contains("freelist: ") }

    /// `2nd reference to page 7`: a page belongs to two trees, or to a tree and the freelist.
    var isSecondReference: Bool { text.contains("2nd reference to page") }

    /// A line about the freelist, or `Page 9 is never used`, `Page 9: never used`.
    var isAboutFreePages: Bool { isAboutFreeList || text.hasSuffix("never used") }

    /// The page in `Page 9 is never used`.
    var unusedPage: Int64? { isAboutFreeList || !isAboutFreePages ? nil : pageNumber }

    /// `NULL value in t.c`, `NUMERIC value in t.c`, `CHECK constraint failed in t`.
    func isAboutValues(of table: String) -> Bool {
        text.contains(" value in \(table).") || text == "CHECK constraint failed in \(table)"
    }

    /// Whether the line ends with the name of this index, and not with a longer name of another index.
    func names(_ index: String, among all: [String]) -> Bool {
        let fitting = all.filter { text.hasSuffix(" index \($0)") }
        return fitting.max { $0.utf8.count < $1.utf8.count } == index
    }
}
