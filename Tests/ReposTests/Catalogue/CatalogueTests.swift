import ChatDBKit
import Testing

@Suite struct CatalogueTests {
    @Test("every public method of a repository is in the catalogue, and nothing else")
    func complete() throws {
        let declared = try DeclaredMethods.read()
        #expect(declared.count > 20)
        let listed = RepositoryCatalogue.all.map(\.name)
        #expect(Set(declared).subtracting(listed).sorted() == [], "add it to Tests/ReposTests/Catalogue")
        #expect(Set(listed).subtracting(declared).sorted() == [])
        #expect(Set(listed).count == listed.count)
    }

    @Test("every method works on rows that the repositories did not make", arguments: RepositoryCatalogue.all)
    func works(entry: CatalogueEntry) throws {
        for things in [Things.alice, .bob] {
            try TwoProfiles.undoing { chat, agent in
                let call = Call(chat: chat, agent: agent, user: things.user, things: things)
                _ = try entry.call(call)
            }
        }
    }

    @Test(
        "rows of another profile are not found and do not change",
        arguments: RepositoryCatalogue.all.filter { $0.scope == .profile })
    func isolated(entry: CatalogueEntry) throws {
        for (asking, owner) in [(Things.alice, Things.bob), (.bob, .alice)] {
            try TwoProfiles.undoing { chat, agent in
                let before = try TwoProfiles.rows(of: owner, chat, agent)
                let call = Call(chat: chat, agent: agent, user: asking.user, things: owner)
                do {
                    let answer = String(describing: try entry.call(call))
                    #expect(!answer.contains(owner.name), "\(asking.name) sees \(owner.name)")
                } catch let error as any RuleViolation {
                    #expect(error.code.hasSuffix("NotFound"), "\(error.code): \(error.message)")
                }
                #expect(try TwoProfiles.rows(of: owner, chat, agent) == before, "rows of \(owner.name)")
            }
        }
    }

    @Test("no statement reads a growing table in full", arguments: RepositoryCatalogue.all)
    func planned(entry: CatalogueEntry) throws {
        try TwoProfiles.undoing { chat, agent in
            let (recordedChat, recordedAgent) = (RecordingTransaction(chat), RecordingTransaction(agent))
            let call = Call(chat: recordedChat, agent: recordedAgent, user: Things.alice.user, things: .alice)
            _ = try entry.call(call)
            for (recorded, tx) in [(recordedChat, chat), (recordedAgent, agent)] {
                for query in recorded.queries {
                    for line in try FullScan.lines(of: query, in: tx) {
                        Issue.record("\(line) in \(query.rendered(.questionMark).sql)")
                    }
                }
            }
        }
    }

    @Test("the look at the plans finds a full scan")
    func control() throws {
        try TwoProfiles.undoing { chat, _ in
            let lines = try FullScan.lines(of: "SELECT group_id FROM groups WHERE local_alias = 'x'", in: chat)
            #expect(!lines.isEmpty)
        }
    }
}
