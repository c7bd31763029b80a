import ChatDBSchema
import Synchronization

/// A message of the engine as an error may show it: the words of the engine itself, of the statement, and of this
/// build's schema. Every other word comes from the file, where it may be a person's name, and becomes `other`.
///
///     EngineMessage.shown("no such module: zara")                     // no such module: other
///     EngineMessage.shown("no such table: foo", sql: "SELECT 1 FROM foo")  // no such table: foo
package enum EngineMessage {
    /// - Parameters:
    ///   - sql: the statement that failed. It is chatdb's or the user's, so its words may be shown.
    ///   - known: further words that may be shown, in lower case.
    ///   - numbersAreIDs: whether every number is one of a row, page or cell. In other messages a long number may be a
    ///     value of the file.
    package static func shown(
        _ message: String, sql: String? = nil, known: Set<String> = [], numbersAreIDs: Bool = false
    ) -> String {
        let ofStatement = sql.map(words(of:)) ?? []
        var shown = ""
        var rest = message.unicodeScalars[...]
        while let first = rest.first {
            guard isPartOfWord(first) else {
                shown.unicodeScalars.append(first)
                rest.removeFirst()
                continue
            }
            let word = rest.prefix(while: isPartOfWord)
            rest.removeFirst(word.count)
            let text = String(word)
            let digits = word.prefix { ("0"..."9").contains($0) }
            let isNumber = digits.count == word.count
            let isOrdinal =
                (1...longestNumber).contains(digits.count)
                && ordinalEndings.contains(String(word.dropFirst(digits.count)))
            let isKnown =
                isNumber && (numbersAreIDs || word.count <= longestNumber) || isOrdinal
                || isName(text.lowercased()) { ofStatement.contains($0) || known.contains($0) }
            shown += isKnown ? text : "other"
        }
        return shown
    }

    /// The words of an SQL text, in lower case: those within strings, quotes and comments too.
    package static func words(of sql: String) -> Set<String> {
        Set(sql.unicodeScalars.split { !isPartOfWord($0) }.map { String($0).lowercased() })
    }

    /// Digits of a number that no value of the file could be recognized by.
    private static let longestNumber = 6

    /// The endings of an ordinal, as in "1st GROUP BY term out of range".
    private static let ordinalEndings: Set<String> = ["st", "nd", "rd", "th"]

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: scalar.value >= 0x80
        }
    }

    private static func isName(_ word: String, _ isKnown: (String) -> Bool) -> Bool {
        if own.contains(word) || catalogue.contains(word) || isKnown(word) || isPermitted(word) { return true }
        // The index that SQLite makes for a constraint is named after the table.
        guard word.hasPrefix("sqlite_autoindex_"), let end = word.lastIndex(of: "_") else { return false }
        let table = String(word[..<end].dropFirst("sqlite_autoindex_".count))
        return catalogue.contains(table) || isKnown(table) || isPermitted(table)
    }

    /// SQL of the user, such as a migration of a folder: its names may be shown. They are collected when a message
    /// needs them.
    private static let given = Mutex<(texts: [(sql: String, syntax: SQLSyntax)], names: Set<String>)>(([], []))

    /// Lets messages show the names in these SQL texts, which the user has given.
    package static func permit(namesIn texts: [String], syntax: SQLSyntax = .sqlite) {
        given.withLock { $0.texts += texts.map { ($0, syntax) } }
    }

    /// Lets messages show these names of parts of a schema that is the user's own.
    package static func permit(names: [String]) {
        given.withLock { $0.names.formUnion(names.flatMap { words(of: $0) }) }
    }

    /// Whether the user has given SQL with this name, in lower case.
    package static func isPermitted(_ word: String) -> Bool {
        given.withLock { given in
            for text in given.texts {
                given.names.formUnion(names(in: text.sql, syntax: text.syntax).flatMap { words(of: $0) })
            }
            given.texts = []
            return given.names.contains(word)
        }
    }

    /// The words and quoted names of an SQL text, in lower case: not those of strings and comments.
    package static func names(in sql: String, syntax: SQLSyntax = .sqlite) -> Set<String> {
        var names: Set<String> = []
        var lexer = SQLLexer(sql, syntax: syntax)
        while let token = try? lexer.nextSignificant() {
            guard token.kind != .string, let name = lexer.name(of: token) else { continue }
            names.insert(name.lowercased())
        }
        return names
    }

    /// The tables and columns of both databases.
    private static let catalogue: Set<String> = Set(
        DatabaseName.allCases.flatMap { Catalogue.tables(of: $0) }.flatMap { [$0.name] + $0.columns.map(\.name) })

    /// The words of the messages of SQLite and of GRDB, and the names of SQLite's functions.
    private static let own: Set<String> = Set(
        """
        abs avg bm25 changes char coalesce cume_dist date datetime dense_rank first_value group_concat hex ifnull iif \
        instr json_array json_array_length json_each json_extract json_group_array json_group_object json_insert \
        json_patch json_quote json_remove json_replace json_set json_tree json_type json_valid julianday lag last_value \
        last_insert_rowid lead length likelihood load_extension lower ltrim matchinfo max min nullif offsets optimize \
        percent_rank printf random randomblob regexp round row_number rtrim sign soundex strftime string_agg substr \
        substring sum timediff total total_changes trim unhex unicode unixepoch unlikely upper zeroblob \
        a abbreviated abort aborted aborts access action active actual add after aggregate aggregates \
        algorithm alias aliased all allstatements allocate allowed already altered ambiguous an and another any api \
        appear are arg argument arguments as assigned associated at attach attached attempt authority \
        authorization authorized authorizer autoincrement autoindex automatic auxiliary available back \
        backups bad be because before began begun between big bind binding bindings blob blobs block \
        blockid bloom both btreeinitpage busy but by byte bytes call called cannot case cell change changed \
        character check child circular circularly clause clauses close closed co code collation collide \
        column columns columnsize come commit committed complex compound computed conflict conflicting \
        connection constant constraint constraints constructor context corrupt corruption could count \
        covering create creating cursor d damaged data database databases datatype db deadlocked declare decode \
        default defined definition delete deleted denied depth descriptor destination detach detail \
        deterministic differs dimension directive directives directory disabled disagrees disk distinct do \
        docid does double drop dropped due duplicate during else enabled encode encoding end ending entries \
        entry error escape even exactly exec execute execution exist exists expand expected expecting expression \
        expressions extends extension failed fetch few file filename filter finalize finalized first \
        following for foreign format found fragmentation frame frames free freelist from fstat fts fts3 \
        fts3tokenize fts4 fts4aux fts5 fts5vocab full function functions generated get glob got group has \
        have having header hex hidden highlight i id identify illegal image implemented in incompatible \
        incomplete incremental_vacuum index indexed indexes initialization input insert inserted inside \
        instead integer internal interrupted into invalid inverted is it its join json json_ json_object key kindex \
        labels large last leaf least left length level levels library like limit line links list literal \
        loading local locked locking logic long loop main malformed malfunction many map match matchinfo \
        max maximum may memory message mismatch missing misuse misused mode modified modify module more \
        most multi multiple must name named names natural near needs negative never nil no node nodeno non \
        none nonexistent not notification nth_value ntile null nulls number numeric o object objects odd of \
        off offset on one only open opened operation operator optimal optimized option or order ordering \
        orphan os_unix other out output overflow override page pages parameter parameters parent parse \
        parser parsing part partial partition path pattern permission pgno point pointer positive pragma \
        preceding prefix prepare prepared present primary program progress prohibited protocol ptrmap \
        qualified queries query quoted raise range rank read readonly real rebuild recovered recursion \
        recursive recursively reentrant reference referenced references referencing register reindexed \
        relative release rename renamed replace replace_op reported request requested required requires \
        reserved resize result returning returns reuse right rollback rolled rootpage routine row rowid \
        rows rtree rtreecheck rtreedepth run s safety same savepoint scan scanning schema schemas search \
        second segid select selects sequence set shadow shared should single size small snippet solution \
        source space special specification specified sql sqlite sqlite3_get_table stack start starting statement \
        statements step storage store stored storing string sub subquery such supplied support supported \
        syntax system t table table_info tables target tbl_name temp temporary term terms text than the \
        then there this time to token tokenize tokenizer too transaction tree trigger triggers two type \
        typeof unable unavailable undersize unfinalized unfinished union unique unknown unlinked \
        unqualified unrecognized unsafe unsupported unterminated update updated upsert uri usage use used \
        user uses using vacuum vacuum_db validate value values version variable variables vfs view views virtual \
        vtable wal warning was were when where while wildcards window with within without writable write \
        writing wrong xbestindex zero
        """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
