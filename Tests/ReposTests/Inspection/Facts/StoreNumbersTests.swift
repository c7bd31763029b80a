import ChatDBKit
import Testing

/// Numbers of rows and states.
@Suite struct StoreNumbersTests {
    /// Gives prepared answers, and records the queries.
    private final class Oracle: QuestionConnection {
        private(set) var asked: [String] = []
        let answer: Result<QuestionAnswer, QuestionError>

        init(_ answer: Result<QuestionAnswer, QuestionError>) { self.answer = answer }

        func ask(_ question: Question) throws(QuestionError) -> QuestionAnswer {
            asked.append(question.sql)
            return try answer.get()
        }

        func tables() throws(StoreError) -> [String] { [] }

        var notes: [String] { [] }

        func close() throws(StoreError) {}
    }

    private static func answer(_ rows: [[QuestionValue]], masked: [MaskedColumn] = []) -> QuestionAnswer {
        QuestionAnswer(columns: ["a", "b"], rows: rows, masked: masked, isComplete: true)
    }

    @Test("every column whose states are counted is public")
    func columns() {
        for (database, columns) in StoreNumbers.stateColumns {
            for entry in columns {
                let column = Catalogue.table(entry.table, of: database)?.column(entry.column)
                #expect(column?.columnClass == .public, "\(entry.table).\(entry.column)")
            }
        }
    }

    @Test("one statement for each table and each column with states; names of tables are quoted")
    func statements() {
        let oracle = Oracle(.success(Self.answer([[.integer(3)]])))
        let numbers = StoreNumbers(of: .chat, tables: ["a\"b", "group_relays"], asking: oracle)
        #expect(
            oracle.asked == [
                "SELECT count(*) FROM \"a\"\"b\"", "SELECT count(*) FROM \"group_relays\"",
                "SELECT \"relay_status\", count(*) FROM \"group_relays\" GROUP BY 1 ORDER BY 1",
            ])
        #expect(numbers.rows.map(\.count) == [3, 3])
    }

    @Test("a count that fails is nil, and states that are masked or missing are left out")
    func failures() {
        let broken = StoreNumbers(of: .chat, tables: ["group_relays"], asking: Oracle(.failure(.invalid("no"))))
        #expect(broken.rows.map(\.count) == [nil] && broken.states.isEmpty)
        let column = MaskedColumn(table: "group_relays", column: "relay_status", columnClass: .secret)
        let masked = StoreNumbers(
            of: .chat, tables: ["group_relays"],
            asking: Oracle(.success(Self.answer([[.null, .integer(1)]], masked: [column]))))
        #expect(masked.states.isEmpty)
        let states = StoreNumbers(
            of: .chat, tables: ["group_relays"],
            asking: Oracle(
                .success(Self.answer([[.text("new"), .integer(2)], [.blob(bytes: 1, beginning: [1]), .integer(1)]]))))
        #expect(states.states.first?.counts.map(\.rows) == [2, 1])
        #expect(states.states.first?.counts.map(\.state) == [.text("new"), nil])
    }
}
