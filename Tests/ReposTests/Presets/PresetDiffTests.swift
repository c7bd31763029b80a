import Repos
import Schema
import Testing

@Suite struct PresetDiffTests {
    @Test(
        "a configuration does not differ from itself, and what is told one way is told the other way round",
        arguments: 0..<60)
    func symmetric(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (one, other) = (try random.preset(), try random.preset())
        #expect(PresetDiff(from: one, to: one).changes.isEmpty)
        let (forth, back) = (PresetDiff(from: one, to: other), PresetDiff(from: other, to: one))
        #expect(forth.unchanged == back.unchanged)
        func count(_ diff: PresetDiff, _ action: PresetChange.Action) -> Int {
            diff.changes.count { $0.action == action }
        }
        #expect(count(forth, .add) == count(back, .remove) && count(forth, .remove) == count(back, .add))
        #expect(count(forth, .update) == count(back, .update))
        for (there, here) in zip(
            forth.changes.filter { $0.action == .update }.sorted { ($0.address ?? $0.name) < ($1.address ?? $1.name) },
            back.changes.filter { $0.action == .update }.sorted { ($0.address ?? $0.name) < ($1.address ?? $1.name) })
        where there.address == here.address {
            #expect(there.fields.map(\.name) == here.fields.map(\.name))
            #expect(there.fields.map(\.from) == here.fields.map(\.to))
        }
    }

    @Test("entries are the same wherever they stand; that one is an operator's and the other is not is a difference")
    func preset() throws {
        let relay = PresetRelay(name: "R", address: try RelayAddress(relay("r.example")))
        let theirs = PresetFile(operators: [
            PresetOperator(tag: .simplex, tradeName: "S", entries: PresetEntries(relays: [relay]))
        ])
        let own = PresetFile(
            operators: [PresetOperator(tag: .simplex, tradeName: "S")], custom: PresetEntries(relays: [relay]))
        let diff = PresetDiff(from: own, to: theirs)
        #expect(diff.changes.map(\.action) == [.update] && diff.changes[0].fields.map(\.name) == ["preset"])
    }

    @Test("of passwords it tells whether there is one, and whether two known ones differ, never which")
    func passwords() throws {
        func file(_ password: String?, omitted: Bool = false) throws -> PresetFile {
            let address = try ServerAddress(server("s.example", password: password))
            return PresetFile(
                custom: PresetEntries(smpServers: [PresetServer(address: address, isPasswordOmitted: omitted)]))
        }
        func differ(_ one: PresetFile, _ other: PresetFile) -> [PresetValue] {
            PresetDiff(from: one, to: other).changes.flatMap(\.fields).flatMap { [$0.from, $0.to] }
        }
        #expect(try differ(file("a"), file("b")) == [.secret, .secret])
        #expect(try differ(file("a"), file(nil)) == [.secret, .none])
        #expect(try differ(file("a"), file(nil, omitted: true)) == [])
        #expect(try !"\(PresetDiff(from: file("s3cret"), to: file("b")))".contains("s3cret"))
    }

    @Test("a list that one of them does not have is not compared, nor what a list of addresses cannot tell")
    func partial() throws {
        let relay = PresetRelay(name: "R", address: try RelayAddress(relay("r.example")), isEnabled: false)
        let whole = PresetFile(custom: PresetEntries(relays: [relay]))
        let servers = #"{"format": "chatdb-preset", "version": 1, "custom": {"smpServers": []}}"#
        #expect(PresetDiff(from: whole, to: try PresetFile.read(servers.utf8).file).changes.isEmpty)
        let list = try PresetFile.read(relay.address.text.utf8).file
        #expect(PresetDiff(from: whole, to: list).changes.isEmpty)
    }
}
