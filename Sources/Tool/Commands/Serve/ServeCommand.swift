import ArgumentParser
import ChatDBKit
import ChatDBRequests
import Foundation

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Answer requests of other programs (JSON-RPC 2.0).",
        discussion: """
            Each line of standard input is a request, and each line of standard output an answer. With --socket, many \
            clients connect to a Unix socket that only its owner can use. The method rpc.discover describes all \
            methods (docs/requests.md).

            While it runs, chatdb holds the store's lock, as other commands that write do. It asks no questions: a \
            request that removes something names its consent. The command ends at the end of its input, and on Ctrl-C \
            after the request that runs.

            Examples:
              chatdb serve -d ~/chats/me --socket ~/chats/me.sock
              chatdb serve -d simplex-chat.zip --read-only
              echo '{"jsonrpc":"2.0","id":1,"method":"relays.list"}' | chatdb serve
            """)

    @Option(
        help: ArgumentHelp(
            "Listen at this path instead of using standard input and output.", valueName: "path"),
        completion: .file())
    var socket: String?

    @Flag(help: "Answer only requests that read. Also serves older stores, stores of SimpleX Chat, and archives.")
    var readOnly = false

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if socket?.isEmpty == true { throw ValidationError("the path of the socket is empty") }
    }

    func run() throws {
        let output = try output.output()
        let location = try store.location()
        output.detail("the store is \(location.prefix)")
        if !readOnly { try store.requireWritable() }
        let context = StoreContext(
            engine: try store.engine(), location: location, build: try MigrationSource.build.load(for: location.syntax))
        let given = store.repeated
        let service = try RequestService(
            opening: context, mode: readOnly ? .readOnly : .readWrite,
            hint: { ErrorReport($0).hint.map(given.text) })
        // From here on Ctrl-C ends the service after the request that runs.
        Signals.interruptsAskToStop()
        if let socket {
            let listener = try RequestSocket(service, path: socket, readOnly: readOnly)
            output.note("listening at \(socket)")
            Signals.cancellation.whileRegistered({ listener.stop() }) { listener.run() }
        } else {
            let pipe = try RequestPipe(
                service, input: STDIN_FILENO, output: STDOUT_FILENO, readOnly: readOnly)
            Signals.cancellation.whileRegistered({ pipe.stop() }) { pipe.run() }
        }
    }
}
