import ChatDBKit
import Testing

@Suite struct OperatorConditionsTests {
    let test: TestStore
    let first: ServerOperator
    let second: ServerOperator

    /// So many days after the conditions came.
    private static func day(_ number: Int64) -> StoredTime {
        let start = StoredTime(text: "2026-07-20 09:05:00.120")?.microseconds ?? 0
        return StoredTime(microseconds: start + number * 86_400_000_000)
    }

    private func writer(_ chat: any WriteTransaction, at day: Int64 = 0) -> OperatorsWriter {
        OperatorsWriter(chat, clock: .fixed(Self.day(day)))
    }

    init() throws {
        test = try TestStore()
        let roles = ServerRoles(storage: true, proxy: true)
        let added = try test.write { chat in
            try ["First", "Second"].map {
                try OperatorsWriter(chat).add(
                    tag: nil, tradeName: $0, legalName: nil, domains: [], isEnabled: true, smpRoles: roles,
                    xftpRoles: roles)
            }
        }
        (first, second) = (added[0], added[1])
    }

    private func conditions(_ day: Int64) throws -> OperatorConditions {
        try test.read { try OperatorsRepo($0).conditions(at: Self.day(day)) }
    }

    @Test("without conditions nothing is accepted, and nothing is due")
    func none() throws {
        let conditions = try conditions(0)
        #expect(conditions.current == nil && conditions.action == nil)
        #expect(conditions.operators.map(\.acceptance) == [.required(deadline: nil), .required(deadline: nil)])
        #expect(try test.read { try OperatorsRepo($0).latestAcceptedConditions() } == nil)
    }

    @Test("the newest version is current; a version is known once, and its commit is a name")
    func current() throws {
        try test.write { chat in
            let one = try writer(chat).addConditions(commit: "one")
            let two = try writer(chat).addConditions(commit: " two ")
            #expect(one.commit == "one" && one.notifiedAt == nil && one.createdAt == Self.day(0))
            #expect(try OperatorsRepo(chat).currentConditions() == two)
            #expect(throws: OperatorsError.duplicateConditions("two")) { try writer(chat).addConditions(commit: "two") }
            #expect(throws: OperatorsError.invalidConditionsCommit(.empty)) {
                try writer(chat).addConditions(commit: " ")
            }
        }
    }

    @Test("the first conditions are required at once for each operator, and accepted one operator at a time")
    func accept() throws {
        let one = try test.write { try writer($0).addConditions(commit: "one") }
        #expect(
            try conditions(3).action
                == .review([first, second], deadline: Self.day(34), showNotice: true))
        try test.write { try writer($0, at: 3).accept(one.id, for: first.id) }
        var now = try conditions(4)
        #expect(
            now.operators.map(\.acceptance) == [
                .accepted(at: Self.day(3), isAutomatic: false), .required(deadline: nil),
            ])
        #expect(now.action == .review([second], deadline: Self.day(35), showNotice: true))
        try test.write { try writer($0, at: 5).accept(one.id, for: second.id, isAutomatic: true) }
        now = try conditions(6)
        #expect(now.operators[1].acceptance == .accepted(at: Self.day(5), isAutomatic: true))
        #expect(now.action == .accepted([first, second]))
        #expect(try test.read { try OperatorsRepo($0).latestAcceptedConditions() } == one)
    }

    @Test("accepting conditions again keeps the time of the first acceptance")
    func acceptTwice() throws {
        let one = try test.write { try writer($0).addConditions(commit: "one") }
        for day in [3, 8] as [Int64] {
            try test.write { try writer($0, at: day).accept(one.id, for: first.id, isAutomatic: day == 8) }
        }
        #expect(try conditions(9).operators[0].acceptance == .accepted(at: Self.day(3), isAutomatic: false))
        #expect(try test.count("SELECT count(*) FROM operator_usage_conditions") == 1)
        // An older app may have stored no time.
        try test.write { chat in
            try chat.run("UPDATE operator_usage_conditions SET accepted_at = NULL")
            try writer(chat, at: 9).accept(one.id, for: first.id)
        }
        #expect(try conditions(9).operators[0].acceptance == .accepted(at: Self.day(9), isAutomatic: false))
    }

    @Test(
        "newer conditions are due 31 days after the notice, or at once if it came late; a second notice moves nothing")
    func newer() throws {
        let two = try test.write { chat in
            let one = try writer(chat, at: -100).addConditions(commit: "one")
            for id in [first.id, second.id] { try writer(chat, at: -90).accept(one.id, for: id) }
            return try writer(chat).addConditions(commit: "two")
        }
        #expect(
            try conditions(13).operators.map(\.acceptance)
                == Array(repeating: .required(deadline: Self.day(44)), count: 2))
        #expect(try conditions(14).action == .review([first, second], deadline: nil, showNotice: true))
        try test.write { chat in
            try writer(chat, at: 10).notify(of: two.id)
            try writer(chat, at: 12).notify(of: two.id)
        }
        #expect(try conditions(20).action == .review([first, second], deadline: Self.day(41), showNotice: false))
        // One accepts: what the other accepted is now older than the latest that was.
        try test.write { try writer($0, at: 21).accept(two.id, for: first.id) }
        #expect(
            try conditions(22).operators.map(\.acceptance) == [
                .accepted(at: Self.day(21), isAutomatic: false), .required(deadline: nil),
            ])
    }

    @Test("operators that are off are not reviewed; with all operators off, no action is due")
    func off() throws {
        try test.write { chat in
            let one = try writer(chat).addConditions(commit: "one")
            try writer(chat).accept(one.id, for: first.id)
            try writer(chat).setEnabled(second.id, false)
        }
        #expect(try conditions(1).action == .accepted([first]))
        try test.write { try writer($0).setEnabled(first.id, false) }
        #expect(try conditions(1).action == nil)
    }

    @Test("conditions and operators that are not there are not found")
    func notFound() throws {
        let none = UsageConditionsID(9)
        try test.write { chat in
            let one = try writer(chat).addConditions(commit: "one")
            #expect(throws: OperatorsError.conditionsNotFound(none)) { try writer(chat).notify(of: none) }
            #expect(throws: OperatorsError.conditionsNotFound(none)) { try writer(chat).accept(none, for: first.id) }
            #expect(throws: OperatorsError.conditionsNotFound(none)) { try OperatorsRepo(chat).conditions(none) }
            #expect(throws: OperatorsError.operatorNotFound(.id(ServerOperatorID(9)))) {
                try writer(chat).accept(one.id, for: ServerOperatorID(9))
            }
        }
    }
}
