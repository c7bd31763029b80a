import ArgumentParser
import ChatDBKit

struct RelayMarkTested: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark-tested", abstract: "Record the result of a relay's test.",
        discussion: """
            This command tests nothing. It stores the result that an app or a person found, and the time.

            Examples:
              chatdb relay mark-tested 'my relay' passed
              chatdb relay mark-tested relay.example.org failed
              chatdb relay mark-tested id:7 unknown
            """)

    @OptionGroup var named: RelayArgument

    @Argument(help: "The result: passed, failed, or unknown for not tested.")
    var result: TestOutcome

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try profile.change(output) { user, chat in
            let relay = try RelayFinder.find(named.relay, of: user, in: chat)
            try ChatRelaysWriter(chat).setTested(relay.id, result.passed, of: user.id)
            return try RelayChangeReport(relay, of: user, in: chat) { row in
                result == .unknown ? "is untested" : "has \(TestResult.shown(row.relay.tested)) its test"
            }
        }
    }
}
