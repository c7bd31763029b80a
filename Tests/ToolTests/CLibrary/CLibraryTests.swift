import Foundation
import TestKit
import Testing

/// The functions of chatdb.h, called from C. Rule: docs/c.md.
@Suite(
    "The C library",
    // scripts/deps.sh installs them.
    .enabled(
        if: ["cc", "pkg-config", "nm"].allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") }))
struct CLibraryTests {
    /// Whether the library is one that make library has built. That of a debug build has other names in it.
    private static let isInstallable = ProcessInfo.processInfo.environment["CHATDB_LIBRARY"] != nil
    private static let installable: Comment = "it needs the library of make library"

    private let run: ToolRun
    private let library: BuiltLibrary

    init() throws {
        run = try ToolRun()
        library = try BuiltLibrary(run)
    }

    @Test("the example in C is built without a warning against the header, and does the calls of a chat screen")
    func example() throws {
        let source = BuiltLibrary.repository.appendingPathComponent("Examples/C/chat_screen.c").path
        let built = try library.compile(source, as: "chat_screen")
        try #require(built.code == 0, "\(built.errors)")
        let outcome = try run.shell("./chat_screen x")
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.output) \(outcome.errors)")
        for part in [
            #""created":true"#, #"chats.page {"jsonrpc":"2.0","id":1,"result":"#, #""name":"news""#, #""text":"hello""#,
            #""relayStatus":"new""#, #""outcome":"prepared""#, #""channelsUsing":1"#,
            #"event {"jsonrpc":"2.0","method":"relays.changed""#,
        ] {
            #expect(outcome.output.contains(part), "\(part) is missing in \(outcome.output)")
        }
    }

    @Test("the header can be included in C++ too")
    func header() throws {
        try "#include <chatdb.h>\nint main() { chatdb_free(nullptr); return chatdb_version() == nullptr; }\n".write(
            toFile: run.file("a.cpp"), atomically: false, encoding: .utf8)
        let checked = try run.shell("cc -x c++ -std=c++11 -fsyntax-only -Wall -Werror -I '\(library.header)' a.cpp")
        #expect(checked.code == 0, "\(checked.errors)")
    }

    @Test("NULL, unknown stores, wrong text, large requests and many threads are answered, and never end the process")
    func misuse() throws {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("misuse.c").path
        let built = try library.compile(source, as: "misuse")
        try #require(built.code == 0, "\(built.errors)")
        let outcome = try run.shell("./misuse x")
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.code) \(outcome.errors)")
        #expect(
            outcome.output == """
                open without a path: nullArgument
                store 0
                open without a place for the store: nullArgument
                open of a text that is not UTF-8: notText
                open with options that are not JSON: invalidOptions
                open with an unknown option: invalidOptions
                open with an option of another type: invalidOptions
                open of a missing store: storeNotFound
                request to no store: storeNotOpen
                query to an unknown store: storeNotOpen
                receive from no store: NULL
                open: result
                request without a text: nullArgument
                request that is not UTF-8: -32700
                request that is not JSON: -32700
                a notification: NULL
                query that writes: readOnlySession
                request of 100 MiB: -32700
                receive without events: NULL
                the store is open twice: result
                request to a closed store: storeNotOpen

                """)
    }

    @Test(
        "only the functions of the header are visible",
        .enabled(if: CLibraryTests.isInstallable, CLibraryTests.installable))
    func symbols() throws {
        let shown = try run.shell("nm -D --defined-only --extern-only '\(library.path)' | awk '{print $3}' | sort")
        #expect(
            shown.output.split(separator: "\n") == [
                "chatdb_close", "chatdb_free", "chatdb_open", "chatdb_query", "chatdb_receive", "chatdb_request",
                "chatdb_version",
            ])
    }

    @Test(
        "an installed library is found by pkg-config, and a program that is built with it runs",
        .enabled(if: CLibraryTests.isInstallable, CLibraryTests.installable))
    func installed() throws {
        let source = BuiltLibrary.repository.appendingPathComponent("Examples/C/chat_screen.c").path
        let outcome = try run.shell(
            """
            set -e
            make -s -C '\(BuiltLibrary.repository.path)' install-library PREFIX="$PWD/usr" LIBRARY='\(library.path)'
            test -z "$(nm usr/lib/libchatdb.so 2> /dev/null)"
            export PKG_CONFIG_PATH="$PWD/usr/lib/pkgconfig"
            cc -std=c99 -Wall -Werror '\(source)' $(pkg-config --cflags --libs chatdb) -o chat_screen
            rm -r lib
            test "$(pkg-config --modversion chatdb)" = "$($CHATDB --version | cut -d ' ' -f 2)"
            LD_LIBRARY_PATH="$PWD/usr/lib" ./chat_screen x
            """)
        #expect(outcome.code == 0 && outcome.output.contains("relays.changed"), "\(outcome.errors)")
    }

    @Test("a store that needs migrations is answered with the plan, and opened with the consent to it")
    func consent() throws {
        try run.succeed("migrate", "run", "-q")
        try run.succeed("migrate", "down", "--steps", "1", "--yes", "-q")
        let refused = try python(
            "import chatdb, sys; chatdb.Library(sys.argv[1], 'x')", library.path)
        #expect(refused.code == 1 && refused.errors.contains("ChatdbError"), "\(refused.errors)")
        let planned = try python(
            """
            import chatdb, json, sys
            try: chatdb.Library(sys.argv[1], 'x')
            except chatdb.ChatdbError as error: print(error.code, error.data["plan"]["chat"]["direction"])
            print(chatdb.Library(sys.argv[1], 'x', confirm="yes-up").opened["migrated"])
            print(chatdb.Library(sys.argv[1], 'x', readOnly=True).opened["readOnly"])
            """, library.path)
        #expect(planned.output == "needsUpgrade up\nTrue\nTrue\n", "\(planned.output) \(planned.errors)")
    }

    @Test("the example in Python does the same by the library and by the socket, also a second time")
    func python() throws {
        let script = BuiltLibrary.repository.appendingPathComponent("Examples/Python/chat_screen.py").path
        let first = try run.shell("python3 -B '\(script)' --library '\(library.path)' a")
        let again = try run.shell("python3 -B '\(script)' --library '\(library.path)' a")
        #expect(first.code == 0 && again.code == 0, "\(first.errors) \(again.errors)")
        let served = try run.shell(
            """
            $CHATDB migrate run -q -d b > /dev/null
            $CHATDB serve -d b --socket s 2> /dev/null & serve=$!
            until [ -S s ]; do kill -0 $serve || exit 9; done
            python3 -B '\(script)' --socket s; code=$?
            kill $serve; wait $serve || exit 8
            exit $code
            """)
        #expect(served.code == 0, "\(served.code) \(served.errors)")
        #expect(first.output == served.output)
        #expect(
            first.output == """
                profile alice
                chat group news 0 unread
                item sent hello
                relay mine new
                active 0 of 1
                joining talk
                channels that use the relay: 1
                refused: planOutdated
                relay softDeleted
                events contacts.changed groupRelays.changed groups.changed items.changed presets.changed profiles.changed \
                relays.changed

                """, "\(first.output)")
    }

    @Test("the example in Python raises the error of a service that has too many clients")
    func pythonRefused() throws {
        let refused = try python(
            """
            import chatdb, socket, threading
            server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            server.bind("full")
            server.listen()
            def refuse():
                client, _ = server.accept()
                client.sendall(b'{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"full",'
                               b'"data":{"code":"tooManyClients"}}}\\n')
                client.close()
            for ask in (lambda client: client.call("users.list"), lambda client: client.events(9)):
                thread = threading.Thread(target=refuse)
                thread.start()
                client = chatdb.Socket("full")
                thread.join()
                try: ask(client)
                except chatdb.ChatdbError as error: print(error.code)
            """)
        #expect(refused.output == "tooManyClients\ntooManyClients\n", "\(refused.output) \(refused.errors)")
    }

    private func python(_ script: String, _ arguments: String...) throws -> ToolRun.Outcome {
        try script.write(toFile: run.file("script.py"), atomically: false, encoding: .utf8)
        let examples = BuiltLibrary.repository.appendingPathComponent("Examples/Python").path
        return try run.shell(
            "PYTHONPATH='\(examples)' python3 -B script.py \(arguments.map { "'\($0)'" }.joined(separator: " "))")
    }
}
