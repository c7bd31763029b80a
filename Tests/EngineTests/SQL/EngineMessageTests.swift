import ChatDBKit
import Testing

@testable import ChatDBEngine

/// What an error may show of a message of the engine.
@Suite struct EngineMessageTests {
    @Test(
        "words of the engine, of the statement and of this build's schema are shown, all others are not",
        arguments: [
            ("no such module: zara", "no such module: other"),
            ("no such table: main.users", "no such table: main.users"),
            ("no such table: mine", "no such table: mine"),
            ("no such collation sequence: ZARA", "no such collation sequence: other"),
            (
                "UNIQUE constraint failed: users.local_display_name",
                "UNIQUE constraint failed: users.local_display_name"
            ),
            ("UNIQUE constraint failed: index 'zara_jones'", "UNIQUE constraint failed: index 'other'"),
            ("JSON path error near 'zara at home'", "JSON path error near 'other at other'"),
            ("near \"é\": syntax error", "near \"other\": syntax error"),
            (
                "row 491701234567 missing from index sqlite_autoindex_users_1",
                "row other missing from index sqlite_autoindex_users_1"
            ),
            ("unsafe use of json_extract()", "unsafe use of json_extract()"),
            (
                "1st GROUP BY term out of range - should be between 1 and 2",
                "1st GROUP BY term out of range - should be between 1 and 2"
            ),
            ("2nd ORDER BY term, 123456th term", "2nd ORDER BY term, 123456th term"),
            ("1234567th term, 1zara, st", "other term, other, other"),
            (
                "SELECTs to the left and right of UNION do not have the same number of result columns",
                "SELECTs to the left and right of UNION do not have the same number of result columns"
            ),
        ])
    func shown(_ message: String, _ shown: String) {
        #expect(EngineMessage.shown(message, sql: "SELECT a FROM Mine") == shown)
    }

    @Test("numbers of rows and pages are shown in the lines of a check")
    func numbers() {
        let line = "Tree 5 page 491701234567 cell 3: Rowid 12 out of order"
        #expect(EngineMessage.shown(line, numbersAreIDs: true) == line)
        #expect(
            EngineMessage.shown("row 1234567 missing from index mine", known: ["mine"], numbersAreIDs: true).hasSuffix(
                "mine"))
    }
}
