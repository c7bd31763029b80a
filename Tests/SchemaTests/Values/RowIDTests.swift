import ChatDBSchema
import Foundation
import Testing

@Suite struct IdentifierTests {
    private struct Document: Codable, Hashable {
        var user: UserID
        var relays: [ChatRelayID]
    }

    @Test("an identifier is described as its bare number, a negative one too")
    func description() {
        #expect("\(UserID(7))" == "7")
        #expect("\(GroupMemberID(rawValue: -3))" == "-3")
        #expect("\(ChatItemID(Int64.max))" == "9223372036854775807")
    }

    @Test("an identifier is encoded as the bare number and read back")
    func coding() throws {
        let document = Document(user: UserID(1), relays: [ChatRelayID(2), ChatRelayID(.max)])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let json = try encoder.encode(document)
        #expect(String(decoding: json, as: UTF8.self) == #"{"relays":[2,9223372036854775807],"user":1}"#)
        #expect(try JSONDecoder().decode(Document.self, from: json) == document)
    }

    @Test("a text, a fraction or null is not an identifier", arguments: [#"["1"]"#, "[1.5]", "[null]", "[1e30]"])
    func refusals(_ json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([UserID].self, from: Data(json.utf8)) }
    }

    @Test("identifiers are ordered by number, not by text")
    func order() {
        #expect([GroupID(10), GroupID(9), GroupID(-1)].sorted() == [GroupID(-1), GroupID(9), GroupID(10)])
    }

    @Test("an identifier of bytes is described as text when it is visible ASCII, otherwise in hexadecimal")
    func bytesDescription() {
        #expect("\(AgentConnectionID(bytes: Array("a-_Zz9==".utf8)))" == "a-_Zz9==")
        #expect("\(AgentConnectionID(bytes: [0x00, 0x0F, 0xFF]))" == "0x000fff")
        #expect("\(AgentConnectionID(bytes: [0x41, 0x1B]))" == "0x411b")
        #expect("\(QueueID(bytes: []))" == "0x")
    }

    @Test("identifiers of bytes are ordered byte by byte")
    func bytesOrder() {
        #expect(QueueID(bytes: [1]) < QueueID(bytes: [1, 0]))
        #expect(QueueID(bytes: [1, 255]) < QueueID(bytes: [2]))
        #expect(!(QueueID(bytes: [2]) < QueueID(bytes: [2])))
    }
}
