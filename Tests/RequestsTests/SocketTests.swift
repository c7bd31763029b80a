import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBRequests

/// The Unix socket with good and bad clients. Rule: docs/requests.md, "The socket".
@Suite struct SocketTests {
    private let request = #"{"jsonrpc":"2.0","id":1,"method":"relays.list"}"# + "\n"

    @Test("the socket is its owner's alone, and is removed at the end")
    func mode() throws {
        let served = try ServedStore()
        let attributes = try FileManager.default.attributesOfItem(atPath: served.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try SocketClient(served.path).ask("users.list")["result"] != nil)
        try served.end()
        #expect(!FileManager.default.fileExists(atPath: served.path))
    }

    @Test("the socket of a program that died is replaced; one in use and another file are refused")
    func staleSocket() throws {
        let test = try TestService()
        let path = test.folder.file("s")
        try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: TransportError.socketPathTaken(path)) { try RequestSocket(test.service, path: path) }
        try DeadSocket.make(path)
        let second = try RequestSocket(test.service, path: path)
        #expect(throws: TransportError.socketInUse(path)) { try RequestSocket(test.service, path: path) }
        withExtendedLifetime(second) {}
        let long = test.folder.file(String(repeating: "s", count: 120))
        #expect(throws: TransportError.self) { try RequestSocket(test.service, path: long) }
    }

    // Other systems refuse a connection that waits for too long a queue, as if no program listened.
    #if os(Linux)
        @Test("a socket whose queue of clients is full is in use, and the check does not wait for its program")
        func fullQueue() throws {
            let test = try TestService()
            let (service, path) = (test.service, test.folder.file("s"))
            let listener = try FullListener(path)
            let refusal = ThreadResult { () -> TransportError? in
                do throws(TransportError) { _ = try RequestSocket(service, path: path) } catch { return error }
                return nil
            }
            #expect(try refusal.value() == .socketInUse(path))
            #expect(FileManager.default.fileExists(atPath: path))
            withExtendedLifetime(listener) {}
        }
    #endif

    @Test("of several services that start at once over the socket of a dead program, one listens")
    func startsAtOnce() throws {
        let test = try TestService()
        let (service, path) = (test.service, test.folder.file("s"))
        for _ in 0..<50 {
            try DeadSocket.make(path)
            let started = try OwnThreads.results(4) { _ -> RequestSocket? in
                do { return try RequestSocket(service, path: path) } catch TransportError.socketInUse { return nil }
            }
            #expect(started.count { $0 != nil } == 1)
            #expect(throws: TransportError.socketInUse(path)) { try RequestSocket(service, path: path) }
            withExtendedLifetime(started) {}
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: test.folder.path)
        #expect(files.filter { $0.hasPrefix("s") } == ["s"])
    }

    @Test("many clients at once get their own answers")
    func manyClients() throws {
        let served = try ServedStore()
        let path = served.path
        let names = try OwnThreads.results(40) { number in
            let client = try SocketClient(path)
            for round in 0..<20 {
                client.send(
                    #"{"jsonrpc":"2.0","id":"\#(number)-\#(round)","method":"users.list"}"# + "\n")
                let answer = try JSONValue(parsing: client.line() ?? "")
                guard answer["id"]?.stringValue == "\(number)-\(round)", answer["result"] != nil else { return false }
            }
            return true
        }
        #expect(names.allSatisfy { $0 })
        try served.end()
    }

    @Test("a client that is one too many is refused, and the other clients go on")
    func clientLimit() throws {
        let served = try ServedStore(limits: ServiceLimits(clients: 2))
        let (one, two) = (try SocketClient(served.path), try SocketClient(served.path))
        #expect(try one.ask("users.list")["result"] != nil && two.ask("users.list")["result"] != nil)
        let third = try SocketClient(served.path)
        let refusal = try JSONValue(parsing: third.line() ?? "")
        #expect(refusal["error"]?["data"]?["code"] == "tooManyClients")
        #expect(third.line() == nil)
        #expect(try one.ask("users.list")["result"] != nil)
        try served.end()
    }

    @Test("of 1,000 clients, as many as the limit allows are served, and the others are refused")
    func thousandClients() throws {
        let served = try ServedStore()
        let (path, limit) = (served.path, ServiceLimits().clients)
        // A served client has descriptors at both ends, and the service has a pipe for each.
        let count = OpenFiles.allow(4 * limit + 1_000 + 200) ? 1_000 : limit / 4
        // All clients of one thread, one after the other: the service accepts them in this order.
        let clients = ThreadResult { () -> (served: Int, refused: Int, later: Int) in
            let clients = try (0..<count).map { _ in try SocketClient(path) }
            let (first, others) = (clients.prefix(limit), clients.dropFirst(limit))
            let served = try first.count { try $0.ask("users.list")["result"] != nil }
            let refused = try others.count { client in
                let refusal = try JSONValue(parsing: client.line() ?? "")
                return refusal["error"]?["data"]?["code"] == "tooManyClients" && client.line() == nil
            }
            return (served, refused, try first.count { try $0.ask("relays.list")["result"] != nil })
        }
        let found = try clients.value()
        #expect(found.served == min(count, limit) && found.later == found.served, "\(found)")
        #expect(found.refused == max(0, count - limit), "\(found)")
        try served.end()
    }

    @Test("a client for which the system has no thread is refused, and the service ends as always")
    func noThread() throws {
        let served = try ServedStore(threadStack: 1 << 50)
        for _ in 0..<3 {
            let client = try SocketClient(served.path)
            let refusal = try JSONValue(parsing: client.line() ?? "")
            #expect(refusal["error"]?["data"]?["code"] == "tooManyClients")
            #expect(client.line() == nil)
        }
        try served.end()
    }

    @Test("a client that is gone before its refusal is written does not end the process")
    func goneBeforeRefusal() throws {
        let served = try ServedStore(limits: ServiceLimits(clients: 1))
        let one = try SocketClient(served.path)
        #expect(try one.ask("users.list")["result"] != nil)
        for _ in 0..<200 { _ = try SocketClient(served.path) }
        #expect(try one.ask("users.list")["result"] != nil)
        try served.end()
    }

    @Test("a client that never reads is disconnected, and the other clients go on")
    func neverReads() throws {
        let served = try ServedStore(limits: ServiceLimits(outputBytes: 64 << 10, patience: 0.2))
        let path = served.path
        let document = #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"# + "\n"
        let block = String(repeating: document, count: 64)
        // The service stops reading when its answers wait, so sending blocks until it disconnects.
        let sent = ThreadResult { () -> Int in
            let deaf = try SocketClient(path)
            var blocks = 0
            while blocks < 100_000, deaf.send(block) { blocks += 1 }
            return blocks
        }
        let other = try SocketClient(served.path)
        for _ in 0..<50 { #expect(try other.ask("users.list")["result"] != nil) }
        #expect(try sent.value() < 100_000)
        try served.end()
    }

    @Test("a client that dies in the middle of a request changes nothing, and the other clients go on")
    func dies() throws {
        let served = try ServedStore()
        for part in [request.dropLast(5), request.dropLast(1), request[...]] {
            for _ in 0..<10 { try SocketClient(served.path).send(String(part)) }
        }
        let other = try SocketClient(served.path)
        #expect(try other.ask("relays.list")["result"] != nil)
        try served.end()
    }

    @Test("a line of many megabytes is refused without being kept, and the connection goes on")
    func longLine() throws {
        let served = try ServedStore(limits: ServiceLimits(lineBytes: 1 << 20))
        let client = try SocketClient(served.path)
        let block = String(repeating: "x", count: 1 << 20)
        for _ in 0..<100 { #expect(client.send(block)) }
        client.send("\n" + request)
        let refusal = try JSONValue(parsing: client.line() ?? "")
        #expect(refusal["error"]?["code"]?.integerValue == -32700)
        #expect(try JSONValue(parsing: client.line() ?? "")["result"] != nil)
        try served.end()
    }

    @Test("two clients that change the same relay change it one after the other")
    func sameRelay() throws {
        let served = try ServedStore()
        let path = served.path
        let list = try SocketClient(path).ask("relays.list")["result"]?["relays"]?.arrayValue ?? []
        let own = try #require(list.first { $0["name"] == "mine" }?["chatRelayId"])
        let done = try OwnThreads.results(4) { number in
            let client = try SocketClient(path)
            for round in 0..<25 {
                let answer = try client.ask(
                    "relays.edit", ["chatRelayId": own, "name": .string("name \(number) \(round)")])
                if answer["result"] == nil { return false }
            }
            return true
        }
        #expect(done.allSatisfy { $0 })
        let after = try SocketClient(path).ask("relays.show", ["chatRelayId": own])
        #expect(after["result"]?["relay"]?["name"]?.stringValue?.hasSuffix(" 24") == true)
        try served.end()
    }

    @Test("at the end of the service, requests that wait are answered with an error, and clients are disconnected")
    func ending() throws {
        let served = try ServedStore()
        let client = try SocketClient(served.path)
        #expect(try client.ask("users.list")["result"] != nil)
        client.send(String(repeating: request, count: 2_000))
        try served.end()
        var answers = 0
        while let line = client.line() {
            let answer = try JSONValue(parsing: line)
            #expect(answer["result"] != nil || answer["error"]?["data"]?["code"] == "serviceEnding")
            answers += 1
        }
        #expect(answers > 0)
    }

    @Test("a store that was taken away is an error of each request, not the end of the service")
    func takenAway() throws {
        let served = try ServedStore()
        let client = try SocketClient(served.path)
        #expect(try client.ask("users.list")["result"] != nil)
        let chat = served.test.folder.file("x_chat.db")
        try FileManager.default.moveItem(atPath: chat, toPath: chat + ".away")
        #expect(try client.ask("users.list")["error"]?["data"]?["code"] == "storeReplaced")
        #expect(try client.ask("users.activate", ["userId": 1])["error"]?["data"]?["code"] == "storeReplaced")
        try FileManager.default.moveItem(atPath: chat + ".away", toPath: chat)
        #expect(try client.ask("users.list")["result"] != nil)
        try served.end()
    }
}
