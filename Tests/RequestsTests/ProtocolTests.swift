import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBRequests

/// The form of requests and answers, and what is refused. Rule: docs/requests.md, "Errors".
@Suite struct ProtocolTests {
    private func code(_ answer: JSONValue?) -> Int64? { answer?["error"]?["code"]?.integerValue }

    @Test(
        "each error of JSON-RPC has its code",
        arguments: [
            ("{", -32700), (#"{"jsonrpc":"2.0","id":1,"id":2,"method":"users.list"}"#, -32700), ("\u{1}", -32700),
            ("[]", -32600), ("1", -32600), (#"{"id":1,"method":"users.list"}"#, -32600),
            (#"{"jsonrpc":"1.0","id":1,"method":"users.list"}"#, -32600), (#"{"jsonrpc":"2.0","id":1}"#, -32600),
            (#"{"jsonrpc":"2.0","id":{},"method":"users.list"}"#, -32600),
            (#"{"jsonrpc":"2.0","id":1,"method":"users.list","more":1}"#, -32600),
            (#"{"jsonrpc":"2.0","id":1,"method":"users.drop"}"#, -32601),
            (#"{"jsonrpc":"2.0","id":1,"method":"users.list","params":[1]}"#, -32602),
            (#"{"jsonrpc":"2.0","id":1,"method":"users.list","params":{"x":1}}"#, -32602),
            (#"{"jsonrpc":"2.0","id":1,"method":"relays.use","params":{}}"#, -32602),
            (#"{"jsonrpc":"2.0","id":1,"method":"relays.use","params":{"chatRelayId":"1"}}"#, -32602),
            (#"{"jsonrpc":"2.0","id":1,"method":"relays.use","params":{"chatRelayId":1.5}}"#, -32602),
            (#"{"jsonrpc":"2.0","id":1,"method":"relays.use","params":{"chatRelayId":999}}"#, -32000),
        ])
    func errors(_ line: String, _ expected: Int64) throws {
        let test = try TestService()
        // The folder of the store is removed with the last reference.
        defer { withExtendedLifetime(test) {} }
        let session = test.service.session()
        #expect(code(try session.answer(line)) == expected)
        #expect(try session.result(of: "users.list")["hiddenUsers"] == 0)
    }

    @Test("an error of chatdb has its code and its details")
    func chatdbErrors() throws {
        let test = try TestService()
        // The folder of the store is removed with the last reference.
        defer { withExtendedLifetime(test) {} }
        let session = test.service.session()
        do {
            _ = try session.result(of: "relays.show", ["chatRelayId": 999])
            Issue.record("there is no such relay")
        } catch let error as AnsweredError {
            #expect(error.data?["code"] == "relayNotFound" && error.data?["details"]?.members?.isEmpty == false)
        }
        do {
            _ = try session.result(of: "chats.setUnread", ["kind": "room", "id": 1, "unread": true])
            Issue.record("there is no such kind")
        } catch let error as AnsweredError {
            #expect(error.message.contains("contact, group, notes"))
        }
    }

    @Test("A notification gets no answer, even with parameters that are refused; null is the same as no parameter")
    func notifications() throws {
        let test = try TestService()
        defer { withExtendedLifetime(test) {} }
        let session = test.service.session()
        #expect(session.respond(to: #"{"jsonrpc":"2.0","method":"users.list","params":[1]}"#) == nil)
        #expect(try session.result(of: "chats.page", ["limit": nil, "after": nil])["chats"] != nil)
    }

    @Test("ids come back as they were given, and notifications get no answer")
    func ids() throws {
        let test = try TestService()
        // The folder of the store is removed with the last reference.
        defer { withExtendedLifetime(test) {} }
        let session = test.service.session()
        for id in ["1", "\"a\"", "null", "1.5", "-7"] {
            let answer = try session.answer(#"{"jsonrpc":"2.0","id":\#(id),"method":"users.list"}"#)
            #expect(answer?["id"] == (try JSONValue(parsing: id)))
        }
        #expect(try session.answer(#"{"jsonrpc":"2.0","method":"users.list"}"#) == nil)
        #expect(try session.answer(#"{"jsonrpc":"2.0","method":"no.such"}"#) == nil)
    }

    @Test("a batch has an answer for each request in it, and none for notifications")
    func batches() throws {
        let test = try TestService()
        // The folder of the store is removed with the last reference.
        defer { withExtendedLifetime(test) {} }
        let session = test.service.session()
        let one = #"{"jsonrpc":"2.0","id":1,"method":"users.list"}"#
        let note = #"{"jsonrpc":"2.0","method":"users.list"}"#
        #expect(try session.answer("[\(note),\(note)]") == nil)
        let answers = try session.answer("[\(one),\(note),1,\(one)]")?.arrayValue ?? []
        #expect(answers.map { code($0) } == [nil, -32600, nil])
        let many = Array(repeating: one, count: ServiceLimits().batch + 1).joined(separator: ",")
        #expect(code(try session.answer("[\(many)]")) == -32600)
    }

    @Test("100 MiB in one line, a million nested arrays and a million names are refused, and the session goes on")
    func hugeRequests() throws {
        let test = try TestService()
        // The folder of the store is removed with the last reference.
        defer { withExtendedLifetime(test) {} }
        let session = test.service.session()
        let lines = [
            #"{"jsonrpc":"2.0","id":1,"method":"\#(String(repeating: "a", count: 100 << 20))"}"#,
            String(repeating: "[", count: 1_000_000), String(repeating: "{\"a\":", count: 500_000),
            "[" + String(repeating: "0,", count: 1_000_000) + "0]",
        ]
        for line in lines { #expect(code(try session.answer(line)) == -32700) }
        #expect(session.code(of: "users.list") == nil)
    }

    @Test("random requests get an answer each, and leave the store sound")
    func fuzz() throws {
        let test = try TestService()
        let session = test.service.session()
        let isFull = ProcessInfo.processInfo.environment["CHATDB_TORTURE"] == "full"
        var random = SplitMix64(seed: 20_261_126)
        for number in 0..<(isFull ? 100_000 : 2_000) {
            let line = RandomRequest.line(using: &random)
            guard let text = session.respond(to: line) else { continue }
            let answer = try JSONValue(parsing: text)
            let isAnswer = answer.arrayValue != nil || answer["result"] != nil || answer["error"] != nil
            #expect(isAnswer && code(answer) != -32603, "request \(number): \(line.prefix(300)) → \(text.prefix(300))")
        }
        #expect(session.code(of: "users.list") == nil)
        test.service.end()
        let status = try TestService.context(test.folder).status()
        #expect(status.isCurrent(DatabaseName.allCases))
    }
}

/// Requests that are nearly right: a method of the table, with parameters of any type, sometimes broken as text.
private enum RandomRequest {
    static func line(using random: inout SplitMix64) -> String {
        let method = MethodTable.all.randomElement(using: &random)
        var members: [JSONValue.Member] = [.init("jsonrpc", "2.0"), .init("id", .integer(1))]
        // A migration or a backup each time would take the time of the test.
        let slow = ["migrations.run", "users.add", "groups.delete", "users.delete"]
        let name = method.map { slow.contains($0.name) ? "users.list" : $0.name } ?? ""
        members.append(.init("method", .string(name)))
        var parameters: [JSONValue.Member] = []
        for parameter in method?.parameters ?? [] where Int.random(in: 0..<4, using: &random) > 0 {
            parameters.append(.init(parameter.name, value(for: parameter.shape, using: &random)))
        }
        members.append(.init("params", .object(parameters)))
        var text = JSONValue.object(members).text(.compact)
        if Int.random(in: 0..<10, using: &random) == 0, let index = text.indices.randomElement(using: &random) {
            text.remove(at: index)
        }
        return text
    }

    private static func value(for shape: Shape, using random: inout SplitMix64) -> JSONValue {
        if Int.random(in: 0..<8, using: &random) == 0 { return any(using: &random) }
        switch shape {
        case .integer: return .integer(Int64.random(in: -1...12, using: &random))
        case .text: return .string(text(using: &random))
        case .flag: return .bool(Bool.random(using: &random))
        case .word(let words): return .string(words.randomElement(using: &random) ?? "")
        case .array(let element):
            return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(for: element, using: &random) })
        case .nullable(let inner): return Bool.random(using: &random) ? .null : value(for: inner, using: &random)
        default: return any(using: &random)
        }
    }

    private static func any(using random: inout SplitMix64) -> JSONValue {
        let values: [JSONValue] = [
            .null, true, .integer(.max), .integer(.min), 1.5, "", "'; DROP TABLE users; --", [], [:], [[1]],
            ["a": ["b": nil]], "\u{0}", .string(String(repeating: "é", count: 5_000)),
        ]
        return values.randomElement(using: &random) ?? .null
    }

    private static func text(using random: inout SplitMix64) -> String {
        let texts = [
            "alice", "", " ", "\u{202E}x", TestService.relay, "https://h.example/c#Fp5R", "smp://x@y", "name",
            String(repeating: "n", count: 300), "holiday", "1/2/3", "\"",
        ]
        return texts.randomElement(using: &random) ?? ""
    }
}
