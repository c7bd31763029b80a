import ChatDBSchema
import Foundation
import Testing

@Suite struct ShippedPresetTests {
    @Test("every address of the bundled preset parses, and is in its canonical form")
    func addresses() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let preset = try String(contentsOf: root.appendingPathComponent("presets/simplex.json"), encoding: .utf8)
        let texts = preset.split(separator: "\"").filter { $0.contains("://") }.map { String($0) }
        let relays = texts.filter { $0.hasPrefix("https://") && $0.contains("/r#") }
        let servers = texts.filter { $0.hasPrefix("smp://") || $0.hasPrefix("xftp://") }
        #expect(!relays.isEmpty && servers.count > relays.count)
        for text in relays { #expect(try RelayAddress(text).rendered == text) }
        for text in servers {
            let address = try ServerAddress(text)
            #expect(address.text(withPassword: true) == text && linkHost(text) == address.primaryHost)
        }
        #expect(Set(try relays.map { try RelayAddress($0).addressKey }).count == relays.count)
    }
}
