import ChatDBKit
import Foundation
import Testing

@Suite("the hosts in a bundle") struct BundleHostsTests {
    private static let shipped = "when this build ships it"

    /// Writes a bundle. Returns the answer as a table and as JSON, and the manifest.
    private func write(_ arguments: [String]) throws -> (shown: String, answer: JSONValue, manifest: String) {
        let chatdb = try DemoStore.make()
        let command = ["bundle", "write", "out.json"] + arguments
        let shown = try chatdb(command).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let answer = try chatdb(command + ["--force", "--format", "json"]).answer()
        let text = try String(contentsOfFile: chatdb.file("out.json"), encoding: .utf8)
        let manifest = try JSONValue(parsing: text)["manifest"]
        return (shown, answer, "\(try #require(manifest))")
    }

    @Test("the answer and the file say that --include hosts includes the hosts that do not ship")
    func included() throws {
        let bundle = try write(["--include", "hosts"])
        #expect(bundle.answer["includesHosts"] == true)
        #expect(
            bundle.shown.contains("the file also has the hosts of relays and servers that this build does not ship"),
            "\(bundle.shown)")
        #expect(bundle.manifest.contains("last test, and the host"), "\(bundle.manifest)")
        #expect(!bundle.manifest.contains(Self.shipped), "\(bundle.manifest)")
    }

    @Test("without the option, the file has the hosts that ship, and the answer names the others as left out")
    func leftOut() throws {
        let bundle = try write([])
        #expect(bundle.answer["includesHosts"] == false)
        #expect(!bundle.shown.contains("the file also has the hosts"), "\(bundle.shown)")
        #expect(bundle.shown.contains("--include hosts includes them"), "\(bundle.shown)")
        #expect(bundle.manifest.contains(Self.shipped), "\(bundle.manifest)")
    }
}
