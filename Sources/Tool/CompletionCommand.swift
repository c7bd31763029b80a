import ArgumentParser

struct CompletionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion", abstract: "Print the completion script for a shell.",
        discussion: """
            The script completes commands, options and file names. make install installs it for all three shells.

            Examples:
              chatdb completion bash
              chatdb completion zsh > ~/.zfunc/_chatdb
              chatdb completion fish > ~/.config/fish/completions/chatdb.fish
            """)

    /// A shell with completions.
    enum Shell: String, WordArgument {
        case bash
        case zsh
        case fish

        fileprivate var shell: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    @Argument(help: "The shell.")
    var shell: Shell

    func run() throws {
        let names = Chatdb.completionScript(for: shell.shell)
        let options = CompletionOptions.added(to: names, for: shell.shell)
        let script = CompletionAliases(below: Chatdb.self).added(to: options, for: shell.shell)
        try StandardStreams.output(Array((script.hasSuffix("\n") ? script : script + "\n").utf8))
    }
}
