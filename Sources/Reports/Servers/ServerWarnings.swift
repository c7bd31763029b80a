package import ChatDBKit

extension UserServersValidation {
    /// Validates all profiles in their current state, on behalf of one of them or of none.
    package static func now(
        asking user: UserID?, hidden: HiddenProfiles, in chat: any ReadTransaction
    ) throws -> UserServersValidation {
        UserServersValidation(of: try ServersRepo(chat).allProfiles(), asking: user, hidden: hidden)
    }

    /// The new problems as sentences; for hidden profiles, the number of further ones.
    package func newTexts(
        since before: UserServersValidation, _ isNews: (UserServersProblem) -> Bool = { _ in true }
    ) -> [String] {
        // A profile stays the same profile when it stops being the active one.
        struct Known: Hashable {
            let user: UserID?
            let problem: UserServersProblem

            init(_ finding: Finding) { (user, problem) = (finding.other?.id, finding.problem) }

            init(_ user: UserID?, _ problem: UserServersProblem) { (self.user, self.problem) = (user, problem) }

            /// Whether the same problem, or a worse one, existed before: without a server no role can be missing.
            func isOld(in known: Set<Known>) -> Bool {
                switch problem {
                case .storageMissing(let servers), .proxyMissing(let servers):
                    known.contains(self) || known.contains(Known(user, .noServers(servers)))
                default: known.contains(self)
                }
            }
        }
        let known = Set((before.errors + before.warnings).map { Known($0) })
        let findings = (errors + warnings).filter { !Known($0).isOld(in: known) && isNews($0.problem) }
        let hidden = max(hiddenWithErrors - before.hiddenWithErrors, hiddenWithWarnings - before.hiddenWithWarnings)
        return findings.map(\.message)
            + (hidden <= 0
                ? [] : ["the change causes problems with the servers of \(counted(hidden, "hidden profile"))"])
    }
}
