import ChatDBKit
import Testing

@testable import ChatDBTool

@Suite("one list of fields for every format") struct FieldSpecTests {
    private struct Relay {
        let id: Int64
        let name: String
        let using: Int
        let active: Int
    }

    private let fields: [FieldSpec<Relay>] = [
        .number("relayId", "Id") { $0.id }, .text("name", "Relay", shrinking: .end) { $0.name },
        .count("using", in: "channels", "Channels") { $0.using }, .shown("State") { _ in "enabled" },
        .json("owner") { _ in ["tag": "simplex"] }, .csv("owner") { _ in "simplex" },
        .count("active", in: "channels", "Active") { $0.active },
    ]
    private let relay = Relay(id: 7, name: "mine", using: 2, active: 1)

    @Test("JSON has an object for fields with one parent, at the position of the first")
    func json() {
        #expect(
            fields.json(relay).text(.compact)
                == #"{"relayId":7,"name":"mine","channels":{"using":2,"active":1},"owner":{"tag":"simplex"}}"#)
    }

    @Test("CSV has no objects: it joins the names of parent and field, and omits fields for people only")
    func csv() {
        let table = fields.csv([relay])
        #expect(table.columns.map(\.key) == ["relayId", "name", "channelsUsing", "owner", "channelsActive"])
        #expect(table.rows == [[.number(7), "mine", .count(2), "simplex", .count(1)]])
    }

    @Test("a table has the titles, with numbers on the right")
    func table() {
        let table = Array(fields.prefix(4)).table([relay], whenEmpty: "none")
        #expect(table.columns.map(\.title) == ["Id", "Relay", "Channels", "State"])
        #expect(table.columns.map(\.alignment) == [.right, .left, .right, .left])
        #expect(table.columns[1].shrinking == .end && table.whenEmpty == "none")
    }
}
