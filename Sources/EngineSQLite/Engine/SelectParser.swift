import ChatDBEngine

/// Splits the tokens of a statement into its parts. Words and names are in lower case.
struct SelectParser {
    private struct Piece {
        let token: SQLToken
        /// A word or a name without its quotes; the text of any other token.
        let text: String
        /// The place of the `)` that closes a `(`.
        var close = 0

        var isName: Bool { token.kind == .word || token.kind == .quotedIdentifier }
    }

    private typealias Part = Range<Int>

    private let lexer: SQLLexer
    private let effort: StatementEffort
    private var pieces: [Piece] = []

    private static let clauses: Set<String> = [
        "from", "where", "group", "having", "window", "order", "limit", "union", "intersect", "except",
    ]
    private static let compounds: Set<String> = ["union", "intersect", "except"]
    private static let joins: Set<String> = ["natural", "left", "right", "full", "outer", "inner", "cross", "join"]
    /// Words that end an expression and are no alias.
    private static let operands: Set<String> = [
        "end", "null", "isnull", "notnull", "current_date", "current_time", "current_timestamp",
    ]
    /// Words behind which a word is a part of the expression.
    private static let operators: Set<String> = [
        "not", "and", "or", "is", "in", "between", "like", "glob", "regexp", "match", "escape", "collate", "over",
        "case", "when", "then", "else", "distinct", "from", "as", "exists",
    ]

    init(_ sql: String, _ effort: StatementEffort) throws(UnclearStatement) {
        self.effort = effort
        var lexer = SQLLexer(sql)
        var open: [Int] = []
        while let token = try? lexer.nextSignificant() {
            if token.kind == .semicolon { break }
            try effort.take()
            let isText = token.kind == .word || token.kind == .quotedIdentifier || token.kind == .string
            let text = isText ? lexer.name(of: token)?.lowercased() : lexer.text(of: token)
            if lexer.isPunctuation(token, "(") { open.append(pieces.count) }
            if lexer.isPunctuation(token, ")") {
                guard let start = open.popLast() else { throw UnclearStatement() }
                pieces[start].close = pieces.count
            }
            pieces.append(Piece(token: token, text: text ?? ""))
        }
        guard open.isEmpty else { throw UnclearStatement() }
        self.lexer = lexer
    }

    var all: Range<Int> { pieces.indices }

    // MARK: Tokens

    private func isWord(_ index: Int, _ word: String) -> Bool {
        pieces.indices.contains(index) && pieces[index].token.kind == .word && pieces[index].text == word
    }

    private func isWord(_ index: Int, among words: Set<String>) -> Bool {
        pieces.indices.contains(index) && pieces[index].token.kind == .word && words.contains(pieces[index].text)
    }

    private func isSign(_ index: Int, _ sign: String) -> Bool {
        pieces.indices.contains(index) && pieces[index].token.kind == .punctuation && pieces[index].text == sign
    }

    private func isNameOrString(_ index: Int) -> Bool {
        pieces.indices.contains(index) && (pieces[index].isName || pieces[index].token.kind == .string)
    }

    private func isSelect(_ index: Int) -> Bool { isWord(index, among: ["select", "with", "values"]) }

    /// The place behind a token, or behind the parenthesis that it opens.
    private func after(_ index: Int) -> Int { isSign(index, "(") ? pieces[index].close + 1 : index + 1 }

    private func isClause(_ index: Int) -> Bool {
        guard isWord(index, among: Self.clauses), !isSign(index - 1, ".") else { return false }
        switch pieces[index].text {
        // IS DISTINCT FROM
        case "from": return !isWord(index - 1, "distinct")
        case "window": return isWord(index + 2, "as") && isSign(index + 3, "(")
        default: return true
        }
    }

    /// The first place from `start` on, outside parentheses, that `isEnd` finds.
    private func first(
        from start: Int, in part: Part, where isEnd: (Int) -> Bool
    ) throws(UnclearStatement) -> Int {
        var index = start
        while index < part.upperBound, !isEnd(index) {
            try effort.take()
            index = after(index)
        }
        return min(index, part.upperBound)
    }

    private func list(_ part: Part) throws(UnclearStatement) -> [Part] {
        var (parts, start): ([Part], Int) = ([], part.lowerBound)
        while start < part.upperBound {
            let end = try first(from: start, in: part) { isSign($0, ",") }
            parts.append(start..<end)
            start = end + 1
        }
        return parts
    }

    // MARK: Statements

    func select(_ part: Range<Int>) throws(UnclearStatement) -> SelectSyntax {
        try effort.nested { () throws(UnclearStatement) in try nestedSelect(part) }
    }

    private func nestedSelect(_ part: Part) throws(UnclearStatement) -> SelectSyntax {
        var index = part.lowerBound
        var commonTables: [SelectSyntax.CommonTable] = []
        if isWord(index, "with") {
            repeat {
                index += 1
                if index == part.lowerBound + 1, isWord(index, "recursive") { index += 1 }
                commonTables.append(try commonTable(&index))
            } while isSign(index, ",")
        }
        var arms: [SelectSyntax.Arm] = []
        while true {
            if isWord(index, "select") {
                let end = try first(from: index, in: part) { isClause($0) && isWord($0, among: Self.compounds) }
                arms.append(try arm(index + 1..<end))
                index = end
            } else if isWord(index, "values") {
                let end = try first(from: index, in: part) { isWord($0, among: Self.compounds) }
                for row in try list(index + 1..<end) {
                    guard isSign(row.lowerBound, "("), after(row.lowerBound) == row.upperBound else {
                        throw UnclearStatement()
                    }
                    let values = try list(row.lowerBound + 1..<row.upperBound - 1)
                    var arm = SelectSyntax.Arm()
                    for (number, value) in values.enumerated() {
                        arm.results.append(.expression(try expression(value), name: "column\(number + 1)"))
                    }
                    arms.append(arm)
                }
                index = end
            } else {
                throw UnclearStatement()
            }
            guard index < part.upperBound else { break }
            index += isWord(index + 1, "all") ? 2 : 1
        }
        return SelectSyntax(commonTables: commonTables, arms: arms)
    }

    private func commonTable(_ index: inout Int) throws(UnclearStatement) -> SelectSyntax.CommonTable {
        guard isNameOrString(index) else { throw UnclearStatement() }
        let name = pieces[index].text
        index += 1
        var columns: [String] = []
        if isSign(index, "(") {
            columns = (index + 1..<pieces[index].close).filter(isNameOrString).map { pieces[$0].text }
            index = after(index)
        }
        while isWord(index, among: ["as", "not", "materialized"]) { index += 1 }
        guard isSign(index, "(") else { throw UnclearStatement() }
        let body = try select(index + 1..<pieces[index].close)
        index = after(index)
        return SelectSyntax.CommonTable(name: name, columns: columns, body: body)
    }

    /// One SELECT, from behind its first word up to a compound operator.
    private func arm(_ part: Part) throws(UnclearStatement) -> SelectSyntax.Arm {
        var arm = SelectSyntax.Arm()
        let start = part.lowerBound + (isWord(part.lowerBound, among: ["distinct", "all"]) ? 1 : 0)
        var index = try first(from: start, in: part, where: isClause)
        for result in try list(start..<index) { arm.results.append(try self.result(result)) }
        if isWord(index, "from"), index < part.upperBound {
            let end = try first(from: index + 1, in: part, where: isClause)
            arm.from = try items(index + 1..<end)
            index = end
        }
        if isWord(index, "where"), index < part.upperBound {
            let end = try first(from: index + 1, in: part, where: isClause)
            arm.filter = try expression(index + 1..<end)
            index = end
        }
        let end = try first(from: index, in: part) { isClause($0) && isWord($0, "window") }
        try add(index..<end, to: &arm.order)
        index = end
        while index + 3 < part.upperBound, isWord(index + 2, "as"), isSign(index + 3, "(") {
            let definition = try expression(index + 4..<pieces[index + 3].close, isWindow: true)
            arm.windows.append((pieces[index + 1].text, definition))
            index = after(index + 3)
        }
        if index < part.upperBound { try add(index..<part.upperBound, to: &arm.order) }
        return arm
    }

    private func result(_ part: Part) throws(UnclearStatement) -> SelectSyntax.Result {
        let (first, last) = (part.lowerBound, part.upperBound - 1)
        if part.count == 1, isSign(first, "*") { return .all }
        if part.count == 3, isSign(first + 1, "."), isSign(last, "*") { return .allOf(pieces[first].text) }
        var body = part
        var name: String?
        if part.count > 2, isWord(last - 1, "as") {
            (body, name) = (first..<last - 1, pieces[last].text)
        } else if part.count > 1, isNameOrString(last), !isWord(last, among: Self.operands), endsExpression(last - 1) {
            (body, name) = (first..<last, pieces[last].text)
        }
        let expression = try expression(body)
        if name == nil, expression.isBare { name = expression.names.first?.column }
        try effort.take(body.count)
        let text = lexer.text(in: pieces[body.lowerBound].token.range.lowerBound..<pieces[last].token.range.upperBound)
        return .expression(expression, name: name ?? text.lowercased())
    }

    /// Whether an expression may end with this token, so that a name behind it is an alias.
    private func endsExpression(_ index: Int) -> Bool {
        switch pieces[index].token.kind {
        case .word: !isWord(index, among: Self.operators)
        case .punctuation: isSign(index, ")")
        case .quotedIdentifier, .string, .blob, .number, .parameter: true
        case .comment, .semicolon: false
        }
    }

    // MARK: FROM

    private func isJoin(_ index: Int) -> Bool {
        isWord(index, among: Self.joins) && !isSign(index - 1, ".") && !isSign(index + 1, ".")
    }

    private func items(_ part: Part) throws(UnclearStatement) -> [SelectSyntax.Item] {
        var items: [SelectSyntax.Item] = []
        var index = part.lowerBound
        while true {
            // A word of a join may be the name of a table too: `FROM left`.
            guard index < part.upperBound, !isJoin(index) else { throw UnclearStatement() }
            items.append(try item(&index, in: part))
            guard index < part.upperBound else { return items }
            if isSign(index, ",") {
                index += 1
            } else {
                while isJoin(index), !isWord(index, "join") { index += 1 }
                guard isWord(index, "join") else { throw UnclearStatement() }
                index += 1
            }
        }
    }

    private func item(_ index: inout Int, in part: Part) throws(UnclearStatement) -> SelectSyntax.Item {
        try effort.take()
        var item = SelectSyntax.Item(source: try source(&index))
        let isAlias = isWord(index, "as")
        if isAlias { index += 1 }
        if index < part.upperBound, isNameOrString(index),
            isAlias || !isJoin(index) && !isWord(index, among: ["on", "indexed", "not"])
        {
            item.alias = pieces[index].text
            index += 1
        }
        if isWord(index, "not"), isWord(index + 1, "indexed") { index += 2 }
        if isWord(index, "indexed") { index += 3 }
        if index < part.upperBound, isWord(index, "on") {
            let end = try first(from: index, in: part) { isSign($0, ",") || isJoin($0) }
            item.condition = try expression(index + 1..<end)
            index = end
        }
        return item
    }

    private func source(_ index: inout Int) throws(UnclearStatement) -> SelectSyntax.Item.Source {
        let start = index
        if isSign(start, "(") {
            index = after(start)
            let inner = start + 1..<pieces[start].close
            if isSelect(inner.lowerBound) { return .select(try select(inner)) }
            return .join(try effort.nested { () throws(UnclearStatement) in try items(inner) })
        }
        guard isNameOrString(start) else { throw UnclearStatement() }
        let isQualified = isSign(start + 1, ".")
        if isQualified { index += 2 }
        guard isNameOrString(index) else { throw UnclearStatement() }
        let name = pieces[index].text
        index += 1
        guard isSign(index, "(") else { return .table(name: name, isQualified: isQualified, arguments: nil) }
        let arguments = try expression(index + 1..<pieces[index].close)
        index = after(index)
        return .table(name: name, isQualified: isQualified, arguments: arguments)
    }

    // MARK: Expressions

    private func expression(_ part: Part, isWindow: Bool = false) throws(UnclearStatement) -> SelectSyntax.Expression {
        var expression = SelectSyntax.Expression()
        try add(isWindow ? part : withoutWrapping(part), to: &expression, isWindow: isWindow)
        return expression
    }

    /// An expression without what changes neither its value nor its name in SQLite: parentheses and COLLATE.
    private func withoutWrapping(_ part: Part) throws(UnclearStatement) -> Part {
        var part = part
        while part.count > 2 {
            try effort.take()
            let first = part.lowerBound
            if isSign(first, "("), after(first) == part.upperBound, !isSelect(first + 1) {
                part = first + 1..<part.upperBound - 1
            } else if isWord(part.upperBound - 2, "collate") {
                part = first..<part.upperBound - 2
            } else {
                break
            }
        }
        return part
    }

    /// The first words in the parentheses of a window that are not its name.
    private static let windowWords: Set<String> = ["partition", "order", "rows", "range", "groups"]

    /// Adds what a part of the text names to an expression.
    private func add(
        _ part: Part, to expression: inout SelectSyntax.Expression, isWindow: Bool = false
    ) throws(UnclearStatement) {
        var index = part.lowerBound
        func addWindow() {
            guard index < part.upperBound, isNameOrString(index), !isWord(index, among: Self.windowWords) else {
                return
            }
            expression.windows.append(pieces[index].text)
            index += 1
        }
        if isWindow { addWindow() }
        while index < part.upperBound {
            try effort.take()
            let start = index
            if isSign(index, "("), isSelect(index + 1) {
                let select = try select(index + 1..<pieces[index].close)
                expression.subqueries.append((select, isWord(index - 1, "exists")))
                index = after(index)
                expression.isBare = start..<index == part
            } else if isWord(index, "as") {
                // The type of a CAST.
                repeat { index += 1 } while isNameOrString(index)
            } else if isWord(index, "collate") {
                index += 2
            } else if isWord(index, "over"), isSign(index - 1, ")") {
                index += isSign(index + 1, "(") ? 2 : 1
                addWindow()
            } else if isWord(index, "in"), isNameOrString(index + 1) {
                // `x IN t` reads a table.
                index += 1
                var arm = SelectSyntax.Arm()
                arm.results = [.all]
                arm.from = [SelectSyntax.Item(source: try source(&index))]
                expression.subqueries.append((SelectSyntax(commonTables: [], arms: [arm]), false))
            } else if let name = name(&index) {
                expression.names.append(name)
                expression.isBare = start..<index == part
            } else if index == start {
                index += 1
            }
        }
    }

    /// A name that may be a column: `a`, `t.a`, `main.t.a`. A string is a name only beside a point. Nil for the name of
    /// a function, which is passed too.
    private func name(_ index: inout Int) -> SelectSyntax.Name? {
        guard isNameOrString(index), pieces[index].isName || isSign(index + 1, ".") else { return nil }
        var (table, last): (String?, Int) = (nil, index)
        while isSign(last + 1, "."), isNameOrString(last + 2) {
            table = pieces[last].text
            last += 2
        }
        index = last + 1
        // A function, or an operator before a parenthesis.
        if isSign(index, "("), table == nil { return nil }
        return SelectSyntax.Name(
            table: table, column: pieces[last].text, isPlain: table == nil && pieces[last].token.kind == .word)
    }
}
