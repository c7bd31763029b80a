import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBRequests

/// Clients that ask for much and read slowly. Rule: docs/requests.md, "Limits".
@Suite struct SlowClientTests {
    @Test("What a client has read is not kept, although something always waits for the client")
    func alwaysWaiting() {
        var state = ServedClient.State(reader: LineReader(limit: 1))
        for _ in 0..<1_000 {
            state.append(String(repeating: "x", count: 100_000))
            state.sent = state.unsent.count - 1_000
        }
        #expect(state.waiting == 1_000 && state.unsent.count < 300_000, "\(state.unsent.count)")
    }

    @Test("A client that stops sending gets an answer to each line, however many bytes the answers have")
    func readsSlowly() throws {
        let test = try TestService(limits: ServiceLimits(outputBytes: 256 << 10))
        var ends: [CInt] = [-1, -1]
        #if canImport(Glibc)
            let stream = CInt(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        try #require(socketpair(AF_UNIX, stream, 0, &ends) == 0)
        let (served, client) = (ends[1], ends[0])
        _ = fcntl(served, F_SETFL, O_NONBLOCK)
        let ending = try Wake()
        let session = test.service.session()
        let thread = ThreadResult {
            try ServedClient(session, input: served, output: served, ending: ending).run()
            close(served)
        }
        let requests = String(repeating: #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"# + "\n", count: 600)
        let sender = ThreadResult { () -> Int in
            let bytes = Array(requests.utf8)
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes { write(client, $0.baseAddress, $0.count) }
                if count <= 0 { break }
                sent += count
            }
            shutdown(client, CInt(SHUT_WR))
            return sent
        }
        var (received, lines) = (0, 0)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(client, &buffer, buffer.count)
            if count <= 0 { break }
            received += count
            lines += buffer[..<count].count { $0 == UInt8(ascii: "\n") }
        }
        close(client)
        #expect(try sender.value() == requests.utf8.count)
        try thread.value()
        #expect(lines == 600 && received > 60 << 20)
    }

    @Test("The answer to a batch has a limit: the requests beyond it do not run, and say so")
    func largeBatch() throws {
        let test = try TestService(limits: ServiceLimits(answerBytes: 400_000))
        let session = test.service.session()
        let one = #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#
        let add = #"{"jsonrpc":"2.0","id":2,"method":"users.add","params":{"name":"late","preset":false}}"#
        let line = "[" + Array(repeating: one, count: 20).joined(separator: ",") + ",\(add)]"
        let answers = try #require(try session.answer(line)?.arrayValue)
        #expect(answers.count == 21 && answers.count { $0["result"] != nil } == 2)
        #expect(answers.last?["error"]?["data"]?["code"] == "answerTooLarge")
        let users = try session.result(of: "users.list")["users"]?.arrayValue ?? []
        #expect(users.compactMap { $0["name"]?.stringValue }.sorted() == ["alice", "work"])
    }

    @Test("A request that reads for too long is stopped, and the next one is answered")
    func readingTime() throws {
        let test = try TestService(limits: ServiceLimits(readingSeconds: 0.1))
        let (store, session) = (try test.service.store(), test.service.session())
        let endless: Query = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
        #expect(throws: ServiceError.readingTimeLimit(0.1)) {
            try store.read { chat in
                _ = try test.service.readingTime.whileReading(store) { try chat.rows(endless) }
            }
        }
        #expect(try session.result(of: "users.list")["hiddenUsers"] == 0)
    }
}
