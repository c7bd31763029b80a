import Foundation
import Testing

@testable import ChatDBRequests

/// The page about requests has every method, as the table has it. Rule: docs/requests.md, "Methods".
@Suite struct RequestsPageTests {
    @Test("docs/requests.md lists the methods in their order, with access and summary")
    func methods() throws {
        let page = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../docs/requests.md").standardizedFileURL, encoding: .utf8)
        let rows = page.split(separator: "\n").filter {
            $0.contains(#/^\| `[\w.]+` \| (read|write) \|/#) && !$0.contains("rpc.discover")
        }
        let wanted = MethodTable.all.map { "| `\($0.name)` | \($0.access.rawValue) | \($0.summary) |" }
        #expect(rows.map(String.init) == wanted)
    }
}
