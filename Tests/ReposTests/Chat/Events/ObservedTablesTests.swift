import ChatDBKit
import Foundation
import Testing

/// The table of subjects, held to the catalogue and to docs/events.md.
@Suite struct ObservedTablesTests {
    @Test("every table of the chat database has a subject, or a reason to have none")
    func complete() {
        let observed = ObservedTable.all.map(\.name)
        #expect(Set(observed).count == observed.count)
        #expect(Set(observed).intersection(ObservedTable.unreported.keys) == [])
        #expect(
            Set(observed).union(ObservedTable.unreported.keys) == Set(Catalogue.tables(of: .chat).map(\.name)),
            "add the table to ObservedTable.all, or to ObservedTable.unreported")
    }

    @Test("every query for the profiles or channels of rows fits the tables")
    func queries() throws {
        let test = try TestStore()
        try test.read { tx in
            for table in ObservedTable.all {
                let numbers = tx.dialect.numbers([1, 2])
                let queries = [table.profiles(of: numbers), ObservedTable.channels(of: table.name, numbers)]
                for query in queries.compactMap(\.self) {
                    let rows = try tx.rows(query)
                    #expect(rows.isEmpty, "\(table.name)")
                }
            }
        }
    }

    @Test("docs/events.md lists every subject with its tables")
    func page() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../..")
        let page = try String(contentsOf: root.appendingPathComponent("docs/events.md"), encoding: .utf8)
        for subject in StoreChange.Subject.allCases {
            let row = try #require(
                page.split(separator: "\n").first { $0.hasPrefix("| `\(subject.rawValue)` |") }, "\(subject.rawValue)")
            for table in ObservedTable.all where table.subject == subject {
                #expect(row.contains("`\(table.name)`"), "\(table.name)")
            }
        }
    }
}
