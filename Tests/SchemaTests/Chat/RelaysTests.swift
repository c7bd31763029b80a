import ChatDBSchema
import Testing

@Suite struct RelayStatusTests {
    @Test("a relay status has the name of the rules on screens, an unknown text its own")
    func shownNames() {
        #expect(
            RelayStatus.known.map(\.shownName)
                == ["New", "Connecting", "Accepted", "Acknowledged", "Active", "Inactive", "Rejected"])
        #expect(RelayStatus.unknown("paused").shownName == "paused")
        #expect(Set(RelayStatus.known.map(\.shownName)).count == RelayStatus.known.count)
        #expect(RelayStatus.acknowledgedRoster.shownWord == "acknowledged")
        #expect(RelayStatus.unknown("Paused").shownWord == "Paused")
    }

    @Test("the steps of a relay lead forward only: the table lists all allowed steps")
    func relaySteps() {
        let allowed: Set<[String]> = [
            ["new", "invited"], ["invited", "accepted"], ["invited", "rejected"],
            ["accepted", "acknowledged_roster"], ["accepted", "active"], ["acknowledged_roster", "active"],
            ["new", "inactive"], ["invited", "inactive"], ["accepted", "inactive"],
            ["acknowledged_roster", "inactive"], ["active", "inactive"], ["paused", "inactive"],
        ]
        let all = RelayStatus.known + [.unknown("paused")]
        for from in all {
            for to in all {
                #expect(from.canBecome(to) == allowed.contains([from.text, to.text]), "\(from) -> \(to)")
            }
        }
    }

    @Test("a channel may publish relays that are accepted, acknowledged or active")
    func publishable() {
        #expect(RelayStatus.known.filter(\.isPublishable) == [.accepted, .acknowledgedRoster, .active])
        #expect(!RelayStatus.unknown("active2").isPublishable)
    }
}
