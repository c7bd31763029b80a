import ChatDBKit
import Foundation
import TestKit
import Testing

/// Rule: docs/testing-servers.md.
@Suite("server test and relay test", .enabled(if: TLSServers.isSupported))
struct ServerTestCommandTests {
    private static let key = "Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"

    /// A store without preset servers, with some of the servers on loopback as those of alice.
    private func store(_ names: String...) throws -> ToolRun {
        let demo = try DemoStore.make()
        try demo.succeed("user", "activate", "alice")
        try demo.sql("DELETE FROM protocol_servers")
        for name in names { try demo.succeed("server", "add", try TLSServers.started().address(name)) }
        return demo
    }

    private func name(_ server: String) throws -> String { try "127.0.0.1:\(TLSServers.started().port(server))" }

    @Test("The answer has the first step that failed, the versions, and how many passed; the store stays as it is")
    func answer() throws {
        let demo = try store("ed448", "refused")
        try demo.succeed("server", "add", "xftp://\(try TLSServers.started().hash("leaf448"))@only.onion")
        let before = try demo.folder.fingerprint()
        let run = try demo("server", "test", "--timeout", "60", "--format", "json")
        #expect(run.code == 1 && run.errors.isEmpty, "\(run.errors)")
        #expect(try demo.folder.fingerprint() == before)
        let answer = try run.answer()
        #expect(answer["passed"] == 1 && answer["failed"] == 1 && answer["skipped"] == 1 && answer["notes"] == [])
        let results = try #require(answer["results"]?.arrayValue)
        #expect(
            results[0]["outcome"] == "passed" && results[0]["versions"] == ["lowest": 6, "highest": 18]
                && results[0]["step"] == .null && results[0]["keyHashKnown"] == true && results[0]["recorded"] == false)
        #expect(
            results[1]["outcome"] == "failed" && results[1]["step"] == "connection"
                && results[1]["problem"] == "refused" && results[1]["host"] == "127.0.0.1")
        #expect(
            results[2]["outcome"] == "skipped" && results[2]["problem"] == "onlyOnion" && results[2]["host"] == .null
                && results[2]["milliseconds"] == .null)
        let text = try demo("server", "test", "--timeout", "60").output
        #expect(text.contains("connection: the host refused the connection"))
        #expect(text.contains("SMP versions 6 to 18; certificate as expected"))
        #expect(text.contains("1 passed, 1 failed, 1 skipped."))
        let csv = try demo("server", "test", "--timeout", "60", "--format", "csv").output
        #expect(csv.hasPrefix("serverId,address,host,port,outcome,step,problem,message,keyHashKnown,versionsLowest,"))
    }

    @Test("--record keeps the results as those of the last tests")
    func record() throws {
        let demo = try store("ed448", "single")
        let run = try demo("server", "test", "--record", "--timeout", "60", "--format", "json")
        #expect(run.code == 1)
        #expect(try run.answer()["results"]?.arrayValue?.map { $0["recorded"] } == [true, true])
        #expect(try demo.sql("SELECT group_concat(tested) FROM protocol_servers ORDER BY smp_server_id") == "1,0")
        #expect(try demo.succeed("server", "test", try name("ed448"), "--timeout", "60").output.contains("1 passed"))
    }

    @Test("Without names, the enabled servers are tested; --all tests disabled ones too")
    func chosen() throws {
        let demo = try store("ed448", "single")
        try demo.succeed("server", "disable", try name("single"))
        let enabled = try demo.succeed("server", "test", "--timeout", "60", "--format", "json").answer()
        #expect(enabled["results"]?.arrayValue?.count == 1)
        let all = try demo("server", "test", "--all", "--timeout", "60", "--format", "json")
        #expect(all.code == 1)
        #expect(try all.answer()["results"]?.arrayValue?.count == 2)
        let twice = try demo("server", "test", try name("ed448"), try name("ed448"), "--format", "json").answer()
        #expect(twice["results"]?.arrayValue?.count == 1)
        try demo.sql("DELETE FROM protocol_servers")
        let none = try demo.succeed("server", "test", "--record")
        #expect(none.output.contains("no server is enabled"))
        let noneAtAll = try demo.succeed("server", "test", "--all")
        #expect(noneAtAll.output.contains("no servers") && !noneAtAll.output.contains("enabled"))
    }

    @Test("A wrong command line, and a name that no server has, end the command before it connects")
    func refusals() throws {
        let demo = try store("ed448")
        for wrong in [["--all", "id:1"], ["--timeout", "0"], ["--timeout", "601"], ["--timeout", "x"]] {
            #expect(try demo(["server", "test"] + wrong).code == 64, "\(wrong)")
            #expect(try demo(["relay", "test"] + wrong).code == 64, "\(wrong)")
        }
        #expect(try demo("server", "test", "nothing.example", "--format", "json").refusal()["code"] == "serverNotFound")
        #expect(try demo("relay", "test", "nothing", "--format", "json").refusal()["code"] == "relayNotFound")
    }

    /// Whether a process can be run in a network namespace of its own, which has no network.
    private static let canIsolate: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ["--map-root-user", "--net", "true"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    @Test("Without a network the answer is noNetwork, and nothing is recorded", .enabled(if: canIsolate))
    func noNetwork() throws {
        let demo = try store("ed448", "single")
        let before = try demo.folder.fingerprint()
        for command in ["server test --record", "server test", "server test \(try name("ed448"))"] {
            let run = try demo.shell("unshare --map-root-user --net $CHATDB \(command) --format json")
            let error = try run.refusal()
            #expect(run.code == 69 && error["code"] == "noNetwork", "\(run)")
            #expect(error["state"] == "Nothing was changed." && run.output.isEmpty)
        }
        #expect(try demo.folder.fingerprint() == before)
    }

    @Test("Without OpenSSL the error says what to install")
    func noLibrary() throws {
        let demo = try store("ed448")
        // The loader takes the file, and cannot load it.
        let run = try demo.shell(
            "mkdir lib; : > lib/libssl.so.3; : > lib/libcrypto.so.3; LD_LIBRARY_PATH=lib $CHATDB server test --format json"
        )
        #expect(run.code == 69)
        let error = try run.refusal()
        #expect(error["code"] == "tlsLibraryMissing")
        #expect(error["hint"]?.stringValue?.contains("libssl3") == true)
    }

    @Test("With an OpenSSL that lacks what apps offer, the error says so, and nothing is recorded")
    func unsuitableLibrary() throws {
        let demo = try store("ed448")
        // OpenSSL with its provider that has nothing.
        let run = try demo.shell(
            """
            printf '%s\\n' 'openssl_conf = a' '[a]' 'providers = b' '[b]' 'null = c' '[c]' 'activate = 1' > none.cnf
            OPENSSL_CONF="$PWD/none.cnf" $CHATDB server test --record --format json
            """)
        #expect(run.code == 69)
        let error = try run.refusal()
        #expect(error["code"] == "tlsLibraryUnsuitable")
        #expect(error["hint"]?.stringValue?.contains("FIPS") == true)
        #expect(try demo.sql("SELECT count(*) FROM protocol_servers WHERE tested IS NOT NULL") == "0")
    }

    @Test("A server that this machine could not test, because too many files are open, keeps what it had")
    func tooManyOpenFiles() throws {
        let demo = try store()
        let (hash, port) = (try TLSServers.started().hash("leaf448"), try TLSServers.started().port("silentEverywhere"))
        for number in 1...60 { try demo.succeed("server", "add", "smp://\(hash)@127.0.0.\(number):\(port)") }
        let run = try demo.shell("ulimit -n 40; $CHATDB server test --record --timeout 4 --format json")
        #expect(run.code == 1, "\(run)")
        let results = try run.answer()["results"]?.arrayValue ?? []
        let untested = results.filter { $0["outcome"] == "skipped" }
        #expect(results.count == 60 && !untested.isEmpty && untested.count < 60)
        #expect(untested.allSatisfy { $0["problem"] == "thisMachine" && $0["recorded"] == false })
        #expect(
            try demo.sql("SELECT count(*) FROM protocol_servers WHERE tested IS NULL") == "\(untested.count)")
    }

    @Test("A relay's server is tested; only a host that cannot be reached is recorded, as failed")
    func relays() throws {
        let demo = try store("ed448")
        try demo.sql("UPDATE chat_relays SET enabled = 0")
        let servers = try TLSServers.started()
        let other = try servers.hash("other").dropLast()
        let links = [
            ("known", ""), ("unknown", "?p=\(try servers.port("slow"))"),
            ("other", "?p=\(try servers.port("ed448"))&c=\(other)"), ("gone", "?p=\(try servers.port("refused"))"),
        ]
        for (number, (name, parameters)) in links.enumerated() {
            let key = String(Self.key.dropLast(2)) + ["00", "04", "08", "0A"][number]
            try demo.succeed("relay", "add", "https://127.0.0.1/r#\(key)\(parameters)", "--name", name)
        }
        try demo.succeed("relay", "mark-tested", "known", "failed")
        let run = try demo("relay", "test", "--record", "--timeout", "60", "--format", "json")
        #expect(run.code == 1, "\(run)")
        let answer = try run.answer()
        let results = try #require(answer["results"]?.arrayValue)
        #expect(results.map { $0["outcome"] } == ["passed", "passed", "failed", "failed"], "\(results)")
        #expect(results.map { $0["problem"] } == [.null, .null, "otherKeyHash", "refused"])
        #expect(results.map { $0["recorded"] } == [false, false, false, true])
        #expect(answer["notes"]?.texts?.first?.contains("the relay itself was not asked") == true)
        #expect(
            try demo.sql(
                "SELECT name || ifnull(tested, '-') FROM (SELECT display_name AS name, tested FROM chat_relays WHERE preset = 0 AND enabled) ORDER BY 1"
            )
                == "gone0\nknown0\nother-\nunknown-")
        try demo.sql("DELETE FROM protocol_servers")
        let unknown = try demo.succeed("relay", "test", "unknown", "--timeout", "60").output
        #expect(unknown.contains("key hash unknown"))
    }

    @Test("A store of SimpleX Chat can be tested, and keeps no results")
    func simplex() throws {
        let simplex = try SimplexFolder()
        let servers = try TLSServers.started()
        let (port, hash) = (try servers.port("ed448"), try servers.hash("leaf448"))
        try simplex.store.execute(
            """
            INSERT INTO protocol_servers (user_id, protocol, host, port, key_hash, preset, enabled)
            VALUES (1, 'smp', '127.0.0.1', '\(port)', CAST('\(hash)' AS BLOB), 0, 1)
            """)
        let test = ["server", "test", "127.0.0.1", "-u", "id:1", "--timeout", "60", "--format", "json"]
        let run = try simplex(test)
        #expect(run.code == 0, "\(run)")
        #expect(try run.answer()["passed"] == 1)
        #expect(try simplex(test + ["--record"]).refusal()["code"] == "readOnlyStore")
    }

    @Test("A terminal shows the progress while servers are silent")
    func progress() throws {
        let demo = try store("silent")
        let shown = try demo.onTerminal("server", "test", "--timeout", "2").output
        #expect(shown.contains("Testing 1 server"))
        #expect(shown.contains("tls: the server did not answer in time"))
    }

    @Test("The password of a server is in no answer, and is not sent")
    func password() throws {
        let demo = try store()
        let servers = try TLSServers.started()
        try demo.succeed(
            "server", "add", "smp://\(try servers.hash("leaf448")):s3cret@127.0.0.1:\(try servers.port("ed448"))")
        for format in ["table", "json", "csv", "markdown"] {
            let run = try demo.succeed("server", "test", "--timeout", "60", "--format", format)
            #expect(!(run.output + run.errors).contains("s3cret"))
        }
    }
}
