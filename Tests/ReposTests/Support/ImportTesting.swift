import ChatDBKit
import Testing

/// Files, imports of them, and what a profile has then.
protocol ImportTesting {
    var test: TestStore { get }
    var alice: User { get }
}

extension ImportTesting {
    func file(relays: [PresetRelay] = [], smp: [PresetServer] = []) -> PresetFile {
        PresetFile(custom: PresetEntries(smpServers: smp, relays: relays))
    }

    func entry(
        _ host: String, _ name: String = "", domains: [String] = [], isEnabled: Bool = true
    ) throws -> PresetRelay {
        PresetRelay(name: name, address: try RelayAddress(relay(host)), domains: domains, isEnabled: isEnabled)
    }

    func serverEntry(_ host: String, password: String? = nil, isEnabled: Bool = true) throws -> PresetServer {
        PresetServer(address: try ServerAddress(server(host, password: password)), isEnabled: isEnabled)
    }

    /// Imports, and sees that what was shown is what was done and that no two relays have one name then.
    @discardableResult
    func take(_ file: PresetFile, _ options: PresetImportOptions = PresetImportOptions()) throws -> PresetPlan {
        let planned = try test.read { try PresetImport.plan(file, options, for: alice.id, in: $0) }
        let done = try test.write {
            try PresetImport.apply(file, options, to: alice.id, in: $0, clock: TestStore.clock)
        }
        #expect(planned == done, "what was shown is what was done")
        let names = try relays().map { NameRule.key($0.name) }.filter { !$0.isEmpty }
        #expect(Set(names).count == names.count, "\(names)")
        return done
    }

    func relays() throws -> [ChatRelay] { try test.read { try ChatRelaysRepo($0).all(of: alice.id) } }
    func servers() throws -> [ProtocolServer] { try test.read { try ServersRepo($0).all(of: alice.id) } }

    func startWithBundled() throws {
        try test.write { _ = try PresetSync.start(BundledPresets.preset(), for: alice.id, in: $0, seed: 1) }
    }

    /// The file that is kept before a change, as it is read again.
    func kept() throws -> PresetFile {
        let file = try test.read { try PresetExport(of: alice.id, in: $0, hidden: .shown).file().file }
        return try PresetFile.read(file.text(PresetDisclosure(secrets: true, testResults: true)).utf8).file
    }
}
