import ChatDBSchema
import Testing

@Suite struct GroupMemberTests {
    @Test("roles are ordered from relay to owner, unknown ones below them")
    func roleOrder() {
        let roles = GroupMemberRole.known
        #expect(roles.shuffled().sorted() == roles)
        #expect(GroupMemberRole.unknown("zz") < .relay)
        #expect(GroupMemberRole.unknown("a") < .unknown("b"))
        #expect(!(GroupMemberRole.owner < .owner))
    }

    @Test("seven member statuses are current, four are history, four are neither")
    func memberStatuses() {
        #expect(
            GroupMemberStatus.currentTexts
                == ["introduced", "intro-inv", "accepted", "announced", "connected", "complete", "creator"])
        #expect(
            GroupMemberStatus.known.filter(\.isHistory).map(\.text) == ["rejected", "removed", "left", "deleted"])
        #expect(!GroupMemberStatus.unknown("x").isCurrent && !GroupMemberStatus.unknown("x").isHistory)
    }
}
