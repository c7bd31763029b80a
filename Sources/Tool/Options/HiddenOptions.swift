import ArgumentParser
import ChatDBKit

/// Whether a command finds hidden profiles. Rule: docs/domain.md, "Profiles", Hidden.
struct HiddenOptions: ParsableArguments {
    @Flag(help: "Include hidden profiles.")
    var showHidden = false

    @Flag(
        name: .customLong("password-stdin"),
        help: "Include the hidden profile whose password is on standard input.")
    var passwordStdin = false

    func validate() throws {
        if showHidden, passwordStdin {
            throw ValidationError("--show-hidden and --password-stdin cannot be used together")
        }
    }

    /// The hidden profiles that the command finds in a store.
    func choice(in chat: any ReadTransaction) throws -> HiddenProfiles {
        if showHidden { return .shown }
        return passwordStdin ? .unlocked(try UsersRepo(chat).unlocked(by: try PasswordInput.piped())) : .leftOut
    }
}
