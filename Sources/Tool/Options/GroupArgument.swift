import ArgumentParser

/// The group or channel of a command, and its profile.
struct GroupArgument: ParsableArguments {
    @Argument(help: "The group or channel, by name or id. A name takes precedence; id:3 and name:3 are explicit.")
    var group: String

    @OptionGroup var profile: ProfileOptions
}
