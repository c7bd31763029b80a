import ChatDBKit
import Foundation
import TestKit
import Testing

/// `chatdb serve` as a process. Rule: docs/requests.md.
@Suite struct ServeTests {
    /// Python with a client of JSON-RPC from PyPI. `make test` installs it in `.build/python`.
    static let python: String? = {
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(5).joined(separator: "/").dropFirst()
        return ["\(root)/.build/python/bin/python3", "python3"].first { python in
            (try? ToolRun().shell("'\(python)' -c 'import jsonrpcclient'"))?.code == 0
        }
    }()

    @Test("each line of standard input is answered by a line of standard output, and the command ends with its input")
    func standardStreams() throws {
        let run = try DemoStore.make()
        try run.succeed("user", "activate", "alice")
        let outcome = try run.shell(
            """
            printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"users.list"}' '' nonsense \
            '{"jsonrpc":"2.0","id":2,"method":"relays.use","params":{"chatRelayId":1}}' | "$CHATDB" serve
            """)
        #expect(outcome.code == 0)
        let answers = try outcome.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        #expect(answers.map { $0["id"] } == [1, .null, 2])
        #expect(answers.last?["result"]?["using"] != nil)
    }

    @Test("--read-only refuses requests that write, and changes no byte of the folder")
    func readOnly() throws {
        let run = try DemoStore.make()
        let before = try run.folder.fingerprint()
        let outcome = try run.shell(
            """
            printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"users.activate","params":{"userId":1}}' \
            '{"jsonrpc":"2.0","id":2,"method":"users.list"}' | "$CHATDB" serve --read-only
            """)
        let answers = try outcome.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        #expect(answers.first?["error"]?["data"]?["code"] == "readOnlySession")
        #expect(answers.last?["result"] != nil)
        #expect(try run.folder.fingerprint() == before)
    }

    @Test("an error has the hint of the command line")
    func hints() throws {
        let run = try DemoStore.make()
        let outcome = try run.shell(
            """
            printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"relays.show","params":{"chatRelayId":99}}' | "$CHATDB" serve
            """)
        let answer = try JSONValue(parsing: outcome.output.trimmingCharacters(in: .newlines))
        #expect(answer["error"]?["data"]?["hint"]?.stringValue?.hasPrefix("chatdb relay list") == true)
    }

    @Test("SIGTERM ends a service with clients cleanly, and removes its socket")
    func terminated() throws {
        let run = try DemoStore.make()
        let outcome = try run.shell(
            """
            "$CHATDB" serve --socket s -q & pid=$!
            python3 - $pid <<'END'
            import os, signal, socket, sys, time
            for _ in range(2000):
                try:
                    client = socket.socket(socket.AF_UNIX); client.connect("s"); break
                except OSError: time.sleep(0.01)
            line = b'{"jsonrpc":"2.0","id":1,"method":"relays.list"}\\n'
            client.sendall(line); lines = client.makefile(); print("result" in lines.readline())
            client.sendall(line * 500); os.kill(int(sys.argv[1]), signal.SIGTERM)
            rest = [one for one in lines]
            print(all("result" in one or "serviceEnding" in one for one in rest))
            END
            wait $pid; echo $?; ls s
            """)
        #expect(outcome.output == "True\nTrue\n0\n")
    }

    @Test("migrations wait for the service, and other commands write meanwhile")
    func locks() throws {
        let run = try DemoStore.make()
        let outcome = try run.shell(
            """
            "$CHATDB" serve --socket s -q & pid=$!
            while [ ! -S s ]; do sleep 0.01; done
            "$CHATDB" user activate work -q > /dev/null; echo $?
            kill $pid; wait $pid; echo $?
            """)
        #expect(outcome.output == "0\n0\n")
    }

    @Test(
        "a client of JSON-RPC from PyPI drives the socket",
        .enabled(if: ServeTests.python != nil, "jsonrpcclient is not installed (scripts/deps.sh tests)"))
    func pythonClient() throws {
        let run = try DemoStore.make()
        let outcome = try run.shell(
            """
            "$CHATDB" serve --socket s -q & pid=$!
            while [ ! -S s ]; do sleep 0.01; done
            '\(ServeTests.python ?? "python3")' - <<'END'
            import json, socket
            from jsonrpcclient import Error, Ok, notification_json, parse, request
            client = socket.socket(socket.AF_UNIX); client.connect("s"); lines = client.makefile("rw")
            def ask(method, **params):
                lines.write(json.dumps(request(method, params=params) if params else request(method)) + "\\n")
                lines.flush()
                return parse(json.loads(lines.readline()))
            ask("users.activate", userId=1)
            chats = ask("chats.page", limit=20); print(type(chats).__name__, len(chats.result["chats"]))
            group = chats.result["chats"][0]["id"]
            print([relay["name"] for relay in ask("groups.show", groupId=group).result["relays"]][:1])
            link = "https://h.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
            print(ask("groups.plan", link=link).result["plan"])
            made = ask("groups.prepare", link=link, name="joined"); print(made.result["outcome"])
            print(ask("groups.join", groupId=made.result["group"]["groupId"]).result["outcome"])
            lines.write(notification_json("users.list") + "\\n")
            lines.write(json.dumps([request("users.list"), request("no.such")]) + "\\n"); lines.flush()
            print([type(one).__name__ for one in parse(json.loads(lines.readline()))])
            relay = [one for one in ask("relays.list").result["relays"] if one["name"] == "mine"][0]["chatRelayId"]
            shown = ask("relays.delete", chatRelayId=relay).result; print(shown["outcome"], shown["applied"])
            done = ask("relays.delete", chatRelayId=relay, fingerprint=shown["fingerprint"]).result
            print(done["applied"], ask("relays.delete", chatRelayId=relay).data["code"])
            END
            kill $pid; wait $pid
            """)
        #expect(
            outcome.output == """
                Ok 1
                ['mine']
                ok
                prepared
                started
                ['Ok', 'Error']
                softDeleted False
                True relayNotFound

                """, "\(outcome.errors)")
    }
}
