package import ChatDBKit

/// The answer to a change of relays, servers or operators, with the problems since then: programs read them in the
/// answer, and people on standard error.
package struct ConfigChange<Answer: Report>: Report {
    package let answer: Answer
    /// The problems that validation finds now and did not find before, errors first; for a plan, those it would find.
    package let warnings: [String]
    /// What SimpleX Chat does with the change; nil for chatdb's own stores.
    package var simplex: SimplexEffect?
    package let isPlan: Bool

    /// Makes a change, with the validation of all profiles before and after it.
    package init(
        for user: User?, hidden: HiddenProfiles, in chat: any WriteTransaction, _ change: () throws -> Answer
    ) throws {
        let before = try UserServersValidation.now(asking: user?.id, hidden: hidden, in: chat)
        answer = try change()
        warnings = try UserServersValidation.now(asking: user?.id, hidden: hidden, in: chat).newTexts(since: before)
        isPlan = false
    }

    /// The plan of a change, with the problems that validation would find after it.
    package init(
        planned answer: Answer, for user: User, hidden: HiddenProfiles, in chat: any ReadTransaction,
        _ change: ([ProfileServers]) -> [ProfileServers]
    ) throws {
        let profiles = try ServersRepo(chat).allProfiles()
        self.answer = answer
        warnings = UserServersValidation(of: change(profiles), asking: user.id, hidden: hidden)
            .newTexts(since: UserServersValidation(of: profiles, asking: user.id, hidden: hidden))
        isPlan = true
    }

    package var json: JSONValue {
        .object((answer.json.members ?? []) + [.init("warnings", JSONValue(warnings))] + simplex.members)
    }

    package var document: Document { Document(answer.document.blocks + simplex.blocks) }
    package var csvTable: Table { answer.csvTable }
}
