import ChatDBKit
import TestKit
import Testing

/// Rule: docs/checks.md, "A pair that does not belong together".
@Suite("Versions of SimpleX Chat's two databases")
struct SimpleXPairTests {
    @Test("Versions that existed together do not disagree", arguments: SimplexStore.versions)
    func together(_ version: SimplexStore.Version) throws {
        let names = try DatabaseName.allCases.map { try version.migrations(of: $0).last ?? "" }
        #expect(SimpleXPair.disagreement(chat: names[0], agent: names[1]) == nil)
    }

    @Test(
        "A version that had a successor for more than a year disagrees",
        arguments: [
            ("20260924_simplex_names", "m20250322_short_links", true),
            // The successor of the agent's is of 2025-07-02.
            ("20260702_other", "m20250322_short_links", false), ("20260703_other", "m20250322_short_links", true),
            ("20260720_server_roles", "m20250702_conn_invitations_remove_cascade_delete", false),
            ("20230111_users_agent_user_id", "m20261008_rcv_switch_status", true),
            ("20260924_simplex_names", "m20261008_rcv_switch_status", false), ("", "", false), ("x", "y", false),
        ])
    func apart(_ chat: String, _ agent: String, _ isApart: Bool) {
        let reason = SimpleXPair.disagreement(chat: chat, agent: agent)
        #expect((reason != nil) == isApart, "\(reason ?? "")")
    }
}
