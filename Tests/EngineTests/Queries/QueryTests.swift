import ChatDBKit
import Testing

/// What becomes of an interpolated query, for both ways engines write the place of a value.
@Suite struct QueryTests {
    private let hostile = "x'; DROP TABLE chats; --\0\" $1 ?"

    @Test("an interpolated value is bound and never part of the SQL")
    func values() {
        let nothing: String? = nil
        let query: Query = """
            SELECT a FROM t WHERE b = \(hostile) AND c = \(7) AND d = \(true) AND e = \(1.5) AND f = \([UInt8(0)]) \
            AND g = \(nothing)
            """
        let expected: [SQLValue] = [
            .text(hostile), .integer(7), .integer(1), .real(1.5), .blob([0]), .null,
        ]
        for style in [PlaceholderStyle.questionMark, .dollarNumber] {
            #expect(query.rendered(style).values == expected)
        }
        #expect(
            query.rendered(.questionMark).sql
                == "SELECT a FROM t WHERE b = ? AND c = ? AND d = ? AND e = ? AND f = ? AND g = ?")
        #expect(
            query.rendered(.dollarNumber).sql
                == "SELECT a FROM t WHERE b = $1 AND c = $2 AND d = $3 AND e = $4 AND f = $5 AND g = $6")
    }

    @Test("identifiers and enumerations are bound as they are stored, nil as NULL")
    func typedValues() {
        let user = UserID(3)
        let noUser: UserID? = nil
        let role: GroupMemberRole? = GroupMemberRole(text: hostile)
        let noRole: GroupMemberRole? = nil
        let query: Query = "\(user) \(noUser) \(GroupMemberRole(text: "owner")) \(role) \(noRole)"
        #expect(query.rendered(.dollarNumber).sql == "$1 $2 $3 $4 $5")
        #expect(
            query.rendered(.dollarNumber).values == [.integer(3), .null, .text("owner"), .text(hostile), .null])
    }

    @Test("pieces put into one another keep their values, numbered through")
    func pieces() {
        let condition: Query = "b = \(1)"
        let conditions = Query.joined([condition, "c = \("x")", "d IS NULL"], by: " AND ")
        let query: Query = "SELECT \(2) WHERE \(conditions)"
        let whole = query + " LIMIT \(3)"
        #expect(whole.rendered(.dollarNumber).sql == "SELECT $1 WHERE b = $2 AND c = $3 AND d IS NULL LIMIT $4")
        #expect(whole.rendered(.dollarNumber).values == [.integer(2), .integer(1), .text("x"), .integer(3)])
        #expect(Query.joined([], by: ", ").rendered(.questionMark).sql == "")
    }

    @Test("a list is bound value by value, and an empty one is no value at all")
    func lists() {
        let some: Query = "a IN (\(list: ["x", hostile]))"
        #expect(some.rendered(.questionMark).sql == "a IN (?, ?)")
        #expect(some.rendered(.dollarNumber).sql == "a IN ($1, $2)")
        #expect(some.rendered(.dollarNumber).values == [.text("x"), .text(hostile)])
        let none: Query = "a IN (\(list: [Int64]()))"
        #expect(none.rendered(.questionMark).sql == "a IN (NULL)" && none.rendered(.questionMark).values.isEmpty)
    }

    @Test(
        "no name can end its quotes",
        arguments: [
            ("b", "\"b\""), ("two words", "\"two words\""),
            ("b\"; DELETE FROM chats; --", "\"b\"\"; DELETE FROM chats; --\""),
            ("\"", "\"\"\"\""), ("a\0b", "\"ab\""), ("\0\"\0\"", "\"\"\"\"\"\""),
            ("e\u{301}\"\u{301}", "\"e\u{301}\"\"\u{301}\""),
            ("", "\"\""),
        ])
    func names(_ name: String, _ quoted: String) {
        let query: Query = "\(identifier: name)"
        #expect(query.rendered(.questionMark).sql == quoted && query.rendered(.questionMark).values.isEmpty)
        // Every quote inside is one of a pair.
        let inner = quoted.unicodeScalars.dropFirst().dropLast()
        #expect(inner.count { $0 == "\"" }.isMultiple(of: 2))
    }

    @Test("a question mark in a text or a name is not the place of a value")
    func questionMarks() {
        let query =
            Query.unchecked(sql: "SELECT 'é?' AS \"?\"") + " WHERE a = \(1) AND b <> '?' AND \(identifier: "ü?") = \(2)"
        #expect(
            query.rendered(.dollarNumber).sql == "SELECT 'é?' AS \"?\" WHERE a = $1 AND b <> '?' AND \"ü?\" = $2")
        #expect(query.rendered(.dollarNumber).values == [.integer(1), .integer(2)])
        #expect(Query.unchecked(sql: "a = ?") != "a = \(1)")
    }

    @Test(
        "an error about a value names the row by its own number, and not by that of its profile",
        arguments: [
            (["user_id", "group_id", "name"], nil, "group_id 2"), (["group_id", "user_id"], nil, "group_id 1"),
            (["user_id", "agent_user_id"], "user_id", "user_id 1"), (["user_id", "name"], nil, nil),
        ] as [([String], String?, String?)])
    func rowNames(_ columns: [String], _ key: String?, _ named: String?) {
        let row = ResultRow(columns: RowColumns(columns), values: columns.indices.map { .integer(Int64($0) + 1) })
        let error = StoreError.unexpectedValue(column: "name", expected: "a text", found: "a number")
        let message = row.naming(error, by: key).message
        #expect(message == error.message + (named.map { ", in the row with \($0)" } ?? ""))
        #expect(row.naming(StoreError(.busy, "busy"), by: key).message == "busy")
    }

    @Test("unchecked SQL stays unchanged")
    func unchecked() {
        #expect(Query.unchecked(sql: "PRAGMA x; ?").rendered(.questionMark).sql == "PRAGMA x; ?")
    }
}
