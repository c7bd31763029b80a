import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBNetwork

/// Rule: docs/testing-servers.md.
@Suite("tests of servers, against TLS servers on loopback", .enabled(if: TLSServers.isSupported))
struct ServerTestsTests {
    /// The result of one server.
    private func result(
        _ name: String, hash: String? = "leaf448", _ serverProtocol: ServerProtocol = .smp,
        limit: Duration = .seconds(60)
    ) throws -> ServerTestResult {
        let servers = try TLSServers.started()
        let target = ServerTestTarget(
            serverProtocol, hosts: ["127.0.0.1"], port: try servers.port(name), keyHash: try hash.map(servers.hash))
        let results = try onOwnThread { try ServerTests.run([target], timeLimit: limit) }
        return try #require(results.first)
    }

    /// Tests must not block a thread of the pool longer than they have to.
    private func onOwnThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) throws -> T {
        try ThreadResult(body).value()
    }

    @Test(
        "A server with the certificate of its address passes, and says its versions",
        arguments: [("ed448", "leaf448", 6...18), ("ed25519", "ed25519", 8...8), ("slow", "leaf448", 6...18)])
    func passes(_ name: String, _ hash: String, _ versions: ClosedRange<UInt16>) throws {
        #expect(try result(name, hash: hash).outcome == .passed(versions: versions))
        #expect(try result(name, hash: nil).outcome == .passed(versions: versions))
    }

    @Test("An XFTP server passes without a block, also that of OpenSSL", arguments: ["xftp", "opensslXFTP"])
    func filesServer(_ name: String) throws {
        #expect(try result(name, .xftp).outcome == .passed(versions: nil))
        #expect(try result(name, hash: "other", .xftp).failure == .init(.certificate, .otherKeyHash))
    }

    @Test("A certificate that is not the one of the address fails")
    func otherCertificate() throws {
        #expect(try result("ed448", hash: "other").failure == .init(.certificate, .otherKeyHash))
        // The last certificate of three is not the identity of the server.
        #expect(try result("ed25519", hash: "leaf448").failure == .init(.certificate, .otherKeyHash))
        // The chain has the certificate of the address, but that has not signed the server's.
        let failure = try #require(try result("foreign", hash: "other").failure)
        #expect(failure.step == .certificate && failure.code == "invalidChain", "\(failure)")
        #expect(try result("single").failure == .init(.certificate, .certificateCount(1)))
        let expired = try #require(try result("expired").failure)
        #expect(expired.step == .certificate && expired.code == "expired", "\(expired)")
    }

    @Test("A server that does not speak TLS as apps do, or another protocol, fails")
    func otherTLS() throws {
        for name in ["ec", "plain"] {
            let failure = try #require(try result(name, hash: name == "ec" ? "ec" : "leaf448").failure)
            #expect(failure.step == .tls && failure.code == "tls", "\(name): \(failure)")
        }
        #expect(try result("noALPN").failure == .init(.tls, .otherProtocol(expected: "smp/1")))
        #expect(try result("xftp").failure?.step == .tls)
        #expect(try result("opensslOther").failure == .init(.tls, .otherProtocol(expected: "smp/1")))
        #expect(try result("ed448", .xftp).failure?.code == "otherProtocol")
    }

    @Test("A server that is silent or never ends fails when its time is over, each at its step")
    func silence() throws {
        #expect(try result("silent", limit: .seconds(3)).failure == .init(.tls, .timedOut))
        for name in ["silentAfterTLS", "trickle"] {
            #expect(try result(name, limit: .seconds(4)).failure == .init(.handshake, .timedOut), "\(name)")
        }
    }

    @Test("A connection that is ready after the end of the time has timed out")
    func readyTooLate() throws {
        let port = try TLSServers.started().port("silent")
        let addresses = try HostAddresses.find("127.0.0.1", port: port, until: Deadline(after: .seconds(60)))
        let connection = try SocketConnection.open(to: addresses, until: Deadline(after: .seconds(60)))
        try connection.wait(forWriting: true, until: Deadline(after: .seconds(60)), .tls)
        #expect(throws: ServerTestFailure(.tls, .timedOut)) {
            try connection.wait(forWriting: true, until: Deadline(after: .zero), .tls)
        }
    }

    @Test("A server that closes the connection, or sends something else, fails")
    func closing() throws {
        let inTLS = try #require(try result("closedInTLS").failure)
        #expect(inTLS.step == .tls && ["closed", "broken"].contains(inTLS.code), "\(inTLS)")
        let inBlock = try #require(try result("closedInBlock").failure)
        #expect(inBlock.step == .handshake && ["closed", "broken"].contains(inBlock.code), "\(inBlock)")
        for name in ["garbage", "upsideDown"] {
            #expect(try result(name).failure == .init(.handshake, .notSMP), "\(name)")
        }
        #expect(try result("refused").failure == .init(.connection, .refused))
    }

    @Test("A fault of this machine is not a failure of the server")
    func thisMachine() throws {
        for code in [EMFILE, ENFILE, ENOMEM, ENOBUFS] {
            let failure = SocketConnection.failure(code)
            #expect(failure.isOfThisMachine && !failure.isSilence && failure.code == "thisMachine", "\(failure)")
        }
        for code in [ECONNREFUSED, ETIMEDOUT, ECONNRESET, ENETUNREACH] {
            #expect(!SocketConnection.failure(code).isOfThisMachine)
        }
        let target = ServerTestTarget(.smp, hosts: ["a.example"], keyHash: nil)
        let result = ServerTestResult(
            target: target, outcome: .notTested(SocketConnection.failure(EMFILE)), duration: .zero)
        #expect(result.passed == nil && result.failure == nil)
    }

    @Test("When nothing answers at all there is no network, and one answer is enough against that")
    func noNetwork() throws {
        let servers = try TLSServers.started()
        let full = ServerTestTarget(.smp, hosts: ["127.0.0.1"], port: try servers.port("full"), keyHash: nil)
        let refused = ServerTestTarget(.smp, hosts: ["127.0.0.1"], port: try servers.port("refused"), keyHash: nil)
        let onion = ServerTestTarget(.smp, hosts: ["abc.onion"], keyHash: nil)
        #expect(throws: NetworkError.noNetwork(servers: 2)) {
            try onOwnThread { try ServerTests.run([full, onion, full], timeLimit: .seconds(2)) }
        }
        let results = try onOwnThread { try ServerTests.run([full, refused, onion], timeLimit: .seconds(2)) }
        #expect(results[0].failure == .init(.connection, .timedOut))
        #expect(results[1].failure == .init(.connection, .refused))
        #expect(results[2].outcome == .onlyOnion && results[2].passed == nil)
        #expect(try onOwnThread { try ServerTests.run([onion]) }.map(\.outcome) == [.onlyOnion])
        #expect(try ServerTests.run([]).isEmpty)
    }

    @Test("A host that does not exist fails at its name, and the other servers are tested all the same")
    func unknownHost() throws {
        let servers = try TLSServers.started()
        let none = ServerTestTarget(.smp, hosts: ["no-such-host.invalid"], keyHash: nil)
        let good = ServerTestTarget(try ServerAddress(servers.address("ed448")))
        let results = try onOwnThread { try ServerTests.run([none, good], timeLimit: .seconds(30)) }
        #expect(results[0].failure?.step == .name)
        #expect(results[1].passed == true)
    }

    @Test("Many servers are tested at once: a hundred silent ones take the time of two")
    func atOnce() throws {
        let servers = try TLSServers.started()
        let silent = ServerTestTarget(.smp, hosts: ["127.0.0.1"], port: try servers.port("silent"), keyHash: nil)
        let (results, calls) = try onOwnThread {
            var calls: [Int] = []
            let results = try ServerTests.run(
                Array(repeating: silent, count: 100), timeLimit: .seconds(2), onProgress: { calls.append($0) })
            return (results, calls)
        }
        #expect(results.count == 100 && results.allSatisfy { $0.failure == .init(.tls, .timedOut) })
        #expect(calls.last == 100 && calls == calls.sorted() && calls.count > 2)
        let total = results.reduce(Duration.zero) { $0 + $1.duration }
        #expect(total >= .seconds(200), "each took its own time")
    }

    @Test("A relay's server has the key hash of its address, else that of a known server, else none")
    func relays() throws {
        let key = "Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
        let hash = "LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI"
        let known = [
            try ServerAddress("smp://\(hash)=@A.example:5224"), try ServerAddress("xftp://\(hash)=@b.example"),
        ]
        func target(_ link: String) throws -> ServerTestTarget {
            ServerTestTarget(relay: try RelayAddress(link), known: known)
        }
        #expect(
            try target("https://a.example/r#\(key)")
                == ServerTestTarget(.smp, hosts: ["a.example"], port: 5224, keyHash: hash))
        #expect(
            try target("https://b.example/r#\(key)?p=7000")
                == ServerTestTarget(.smp, hosts: ["b.example"], port: 7000, keyHash: nil))
        #expect(try target("https://a.example/r#\(key)?c=\(key)").keyHash == key)
        #expect(try target("https://c.example/r#\(key)").port == 5223)
        #expect(ServerTestTarget(known[1]).port == 443)
        #expect(ServerTestTarget(.smp, hosts: ["x.ONION", "a.example"], keyHash: nil).testedHost == "a.example")
    }
}
