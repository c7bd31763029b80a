import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// `inspect --html`.
@Suite("the page about a store in HTML")
struct InspectPageTests {
    private static let chromium = ["chromium", "chromium-browser", "google-chrome"]
        .map { "/usr/bin/" + $0 }.first { FileManager.default.isExecutableFile(atPath: $0) }

    private func page(_ chatdb: ToolRun) throws -> String {
        let answer = try chatdb.succeed("inspect", "--html", chatdb.file("page.html"), "--format", "json").answer()
        #expect(answer["html"]?["path"]?.stringValue == chatdb.file("page.html"))
        return try String(contentsOfFile: chatdb.file("page.html"), encoding: .utf8)
    }

    /// The numbers of the JSON that a reader looks for, as the page words them.
    private func numbers(_ json: JSONValue) -> [String] {
        var texts: [String] = []
        for entry in json["relays"]?.arrayValue ?? [] {
            let channels = entry["relay"]?["channels"]
            guard let using = channels?["using"]?.integerValue, let active = channels?["active"]?.integerValue else {
                continue
            }
            texts.append(using == 0 ? "no channel" : "\(active) of \(using) active")
        }
        for database in ["chat", "agent"] {
            let store = json["store"]?[database]
            if let version = store?["version"]?.stringValue { texts.append(version) }
            if let bytes = store?["bytes"]?.integerValue { texts.append(CellText.size(bytes)) }
            if let count = store?["migrations"]?.integerValue { texts.append("\(count)") }
        }
        return texts + (json["users"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
    }

    @Test("the page is one file that loads nothing and runs nothing, readable by its owner only")
    func alone() throws {
        let chatdb = try DemoStore.make()
        let page = try page(chatdb)
        for forbidden in ["<script", "src=", "href=", "url(", "@import", "javascript:", "<iframe", "<link"] {
            #expect(!page.contains(forbidden), "\(forbidden)")
        }
        #expect(page.contains("default-src 'none'") && page.contains("prefers-color-scheme: dark"))
        #expect(page.contains("@media print"))
        #expect(page.components(separatedBy: "<svg").count == 5, "four drawings")
        let mode = try FileManager.default.attributesOfItem(atPath: chatdb.file("page.html"))[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test("- writes the page to standard output")
    func standardOutput() throws {
        let chatdb = try DemoStore.make()
        let before = try chatdb.folder.fingerprint()
        let run = try chatdb.succeed("inspect", "--html", "-")
        #expect(run.output.hasPrefix("<!DOCTYPE html>") && run.output.contains("</html>"))
        #expect(try chatdb.folder.fingerprint() == before)
    }

    @Test("an existing file is replaced only with --force; a database of the store never")
    func existing() throws {
        let chatdb = try DemoStore.make()
        _ = try page(chatdb)
        let again = try chatdb("inspect", "--html", chatdb.file("page.html"), "--format", "json")
        #expect(try again.code == 73 && again.refusal()["code"] == "fileExists")
        #expect(try chatdb("inspect", "--html", chatdb.file("page.html"), "--force").code == 0)
        #expect(try chatdb("inspect", "--html", chatdb.file("x_chat.db"), "--force").code == 73)
        #expect(try chatdb("inspect", "--force").code == 64)
        #expect(try chatdb("inspect", "--html", "").code == 64)
    }

    @Test("names cannot become markup")
    func hostile() throws {
        let chatdb = try DemoStore.make()
        let name = "</title><script>alert(1)</script><img src=x onerror=alert(1)>\"'&amp;"
        try chatdb.succeed("user", "rename", "alice", name)
        let page = try page(chatdb)
        #expect(!page.contains("<script") && !page.contains("<img"))
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && page.contains("&quot;&#39;&amp;amp;"))
    }

    @Test("a store without profiles, a single database and a store of SimpleX Chat have a page")
    func others() throws {
        let empty = try DemoStore.empty()
        #expect(try page(empty).contains("no profiles"))
        try FileManager.default.removeItem(atPath: empty.file("x_chat.db"))
        try FileManager.default.removeItem(atPath: empty.file("page.html"))
        #expect(try page(empty).contains("the chat database is missing"))
    }

    @Test("Chromium shows the numbers of the JSON, and draws them", .enabled(if: chromium != nil))
    func browser() throws {
        let chatdb = try DemoStore.finished()
        _ = try page(chatdb)
        let json = try chatdb.succeed("inspect", "--format", "json").answer()
        let line = """
            export HOME=$PWD; \(try #require(Self.chromium)) --headless --no-sandbox --disable-gpu --hide-scrollbars \
            --force-color-profile=srgb --window-size=1000,2400
            """
        let loaded = try chatdb.shell("\(line) --dump-dom file://$PWD/page.html 2> /dev/null")
        let text = loaded.output.replacing(#/<style>.*?</style>/#.dotMatchesNewlines(), with: "")
            .replacing(#/<[^>]*>/#, with: " ")
        let numbers = numbers(json)
        #expect(numbers.count > 8)
        for number in numbers { #expect(text.contains(number), "\(number)") }
        let picture = try chatdb.shell(
            "\(line) --screenshot=$PWD/page.png file://$PWD/page.html > /dev/null 2>&1; python3 -c '\(Self.colours)'")
        let colours = Int(picture.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
        #expect(colours > 10, "an empty page has one colour: \(picture)")
    }

    /// Counts the different bytes of the decompressed picture.
    private static let colours = """
        import struct, zlib
        data = open("page.png", "rb").read()
        place, packed = 8, b""
        while place < len(data):
            length, kind = struct.unpack(">I4s", data[place:place + 8])
            packed += data[place + 8:place + 8 + length] if kind == b"IDAT" else b""
            place += length + 12
        print(len(set(zlib.decompress(packed))))
        """
}
