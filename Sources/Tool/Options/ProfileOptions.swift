import ArgumentParser
import ChatDBKit

/// The profile of a command.
struct ProfileOptions: ParsableArguments {
    @OptionGroup var store: StoreOptions

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The profile, by name or id (default: the active one).", valueName: "profile"))
    var user: String?

    @OptionGroup var hidden: HiddenOptions

    /// The options given, for commands in notes.
    var repeated: GivenOptions {
        GivenOptions(
            store: store.path, files: store.repeated.files, passphrase: store.passphrase.repeated, user: user,
            showsHidden: hidden.showHidden,
            takesPassword: hidden.passwordStdin)
    }

    /// The same, for commands that are typed later, when another profile may be active: they name the profile.
    func repeated(for profile: User) -> GivenOptions {
        var given = repeated
        given.user = given.user ?? profile.name
        return given
    }

    /// The named or active profile.
    func profile(in chat: any ReadTransaction) throws -> User {
        let hidden = try hidden.choice(in: chat)
        if let user { return try ProfileFinder.find(user, hidden: hidden, in: chat) }
        if let active = try UsersRepo(chat).active(hidden: hidden) { return active }
        throw NoActiveProfile(hasLostProfiles: LostProfiles.areIn(chat))
    }
}

/// Finds profiles by name or id.
enum ProfileFinder {
    static func find(_ given: String, hidden: HiddenProfiles, in chat: any ReadTransaction) throws -> User {
        let named = NameOrID(given)
        let users = UsersRepo(chat)
        if let name = named.name, let user = try users.find(named: name, hidden: hidden) { return user }
        if let id = named.id, let user = try users.find(UserID(id), hidden: hidden) { return user }
        let names = try users.all(hidden: hidden).map(\.name)
        let message = "there is no profile \"\(named.text)\" in this store"
        // A word of a printed command, and a mistyped name, mean no lost profile.
        let isOther =
            NameError.thing(placedBy: named.text) != nil || DidYouMean.hint(for: named.text, among: names) != nil
        if !isOther, LostProfiles.areIn(chat) {
            throw NameError.lost(
                code: "profileNotFound", message: "\(message); it has rows of profiles that it lost", name: named.text)
        }
        throw NameError.notFound(
            code: "profileNotFound", message: message, name: named.text, candidates: names,
            list: HintedCommand(.userList))
    }
}

/// The profiles that a store lost. Which they are is not said: they may be hidden ones.
private enum LostProfiles {
    /// Whether rows refer to a lost profile.
    static func areIn(_ chat: any ReadTransaction) -> Bool {
        let lost = try? chat.attempt { () throws(StoreError) in try NumberedTable.users.lostNumbers(in: chat) }
        return lost?.isEmpty == false
    }
}

/// The store has no active profile, and the command line names none.
struct NoActiveProfile: Reportable {
    /// Whether the store has rows of profiles that it lost. `user add` refuses such a store.
    var hasLostProfiles = false

    private var hint: Hint {
        hasLostProfiles
            ? "the store has rows of profiles that it lost: \(.check) shows them"
            : "\(.userActivate, "NAME") activates a profile, \(.userAdd, "NAME") creates one, --user NAME names one"
    }

    var report: ErrorReport {
        ErrorReport(
            "noActiveProfile", "no profile is active in this store, and the command names none",
            hint: hint, exit: .no)
    }
}

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
