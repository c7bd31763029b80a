import ArgumentParser
import ChatDBKit

struct ServerMarkTested: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark-tested", abstract: "Record the result of a server's test.",
        discussion: """
            This command tests nothing. It stores the result that an app or a person found.

            Examples:
              chatdb server mark-tested smp.example.org passed
              chatdb server mark-tested id:21 failed --user work
              chatdb server mark-tested id:21 unknown
            """)

    @OptionGroup var named: ServerArgument

    @Argument(help: "The result: passed, failed, or unknown for not tested.")
    var result: TestOutcome

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try profile.change(output) { user, chat in
            let old = try ServerFinder.find(named.server, of: user, in: chat)
            if old.tested != result.passed {
                try ServersWriter(chat).setTested(old.id, result.passed, of: user.id)
            }
            return try ServerChangeReport(
                old, of: user, in: chat,
                clause: result == .unknown ? "is untested" : "has \(TestResult.shown(result.passed)) its test")
        }
    }
}
