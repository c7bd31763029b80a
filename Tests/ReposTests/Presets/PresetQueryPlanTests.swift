import ChatDBKit
import Testing

/// Presets and facts are more than one method of a repository: the catalogue does not have them.
@Suite struct PresetQueryPlanTests {
    @Test("presets and the facts of a store read no growing table in full")
    func noFullScan() throws {
        try TwoProfiles.undoing { chat, _ in
            let recorder = RecordingTransaction(chat)
            try Self.ask(recorder, Things.alice.user)
            #expect(recorder.queries.count > 30)
            for query in recorder.queries {
                for line in try FullScan.lines(of: query, in: chat) {
                    Issue.record("\(line) in \(query.rendered(.questionMark).sql)")
                }
            }
        }
    }

    private static func ask(_ chat: RecordingTransaction, _ user: UserID) throws {
        _ = try StoreFacts(of: chat)
        _ = try PresetExport(of: user, in: chat).file()
        var preset = try BundledPresets.preset()
        _ = try PresetSync.start(preset, for: user, in: chat, seed: 1)
        preset.operators[0].tradeName = "Other"
        preset.operators[0].entries.relays[0].name = "Other"
        preset.operators[0].entries.smpServers.removeFirst()
        preset.operators[0].entries.smpServers[0].address = try ServerAddress(
            preset.operators[0].entries.smpServers[0].address.description + ",more.example")
        _ = try PresetSync.apply(preset, to: user, in: chat, seed: 1)
        _ = try SimplexServersExport(of: user, in: chat).write { _ in }
        let before = try PresetExport(of: user, in: chat).file().file
        let theirs = PresetFile(
            custom: PresetEntries(
                smpServers: [PresetServer(address: try ServerAddress(server("new.example", password: "p")))],
                relays: [PresetRelay(name: "New", address: try RelayAddress(relay("new.example")))]))
        for (file, mode) in [(theirs, PresetImportOptions.Mode.merge), (theirs, .replace), (before, .restore)] {
            let options = PresetImportOptions(mode: mode, onConflict: .skip)
            _ = try PresetImport.plan(file, options, for: user, in: chat)
            _ = try PresetImport.apply(file, options, to: user, in: chat)
        }
    }
}
