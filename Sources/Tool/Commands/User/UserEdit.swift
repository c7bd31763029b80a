import ArgumentParser
import ChatDBKit
import Foundation

struct UserEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change what a profile says of itself besides its name.",
        discussion: """
            Parts without an option stay unchanged. A picture is a file with a JPEG or PNG image, or with the text of a \
            data URI; it may have about 9 kB, because an app sends it to every contact. Preferences are a file with a \
            JSON object. chatdb asks for confirmation before it replaces or clears a part that the profile has. \
            Contacts see the new profile when an app next sends it to them. chatdb user rename changes the name.

            Examples:
              chatdb user edit alice --full-name 'Alice B.' --picture alice.jpg
              chatdb user edit alice --description 'Gardener' --dry-run
              chatdb user edit id:2 --no-picture --no-contact-link --yes
              chatdb user edit work --preferences preferences.json
            """)

    @Argument(help: "The profile, by name or id.")
    var user: String

    @Option(help: ArgumentHelp("The full name: at most 200 characters.", valueName: "text"))
    var fullName: String?

    @Option(help: ArgumentHelp("A line about the owner: at most 160 bytes.", valueName: "text"))
    var shortDescription: String?

    @Option(help: ArgumentHelp("A longer text about the owner.", valueName: "text"))
    var description: String?

    @Option(help: ArgumentHelp("The picture; - reads standard input.", valueName: "file"), completion: .file())
    var picture: String?

    @Option(help: ArgumentHelp("The address at which the owner can be reached.", valueName: "link"))
    var contactLink: String?

    @Option(
        help: ArgumentHelp("The preferences for chats; - reads standard input.", valueName: "file"),
        completion: .file())
    var preferences: String?

    @Flag(help: "Clear the full name.")
    var noFullName = false

    @Flag(help: "Clear the line about the owner.")
    var noShortDescription = false

    @Flag(help: "Clear the longer text about the owner.")
    var noDescription = false

    @Flag(help: "Clear the picture.")
    var noPicture = false

    @Flag(help: "Clear the address of the owner.")
    var noContactLink = false

    @Flag(help: "Clear the preferences.")
    var noPreferences = false

    @OptionGroup var store: StoreOptions
    @OptionGroup var hidden: HiddenOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var output: OutputOptions

    /// Each part: the option, its value, and whether it is to be cleared.
    private var parts: [(option: String, value: String?, isCleared: Bool)] {
        [
            ("full-name", fullName, noFullName), ("short-description", shortDescription, noShortDescription),
            ("description", description, noDescription), ("picture", picture, noPicture),
            ("contact-link", contactLink, noContactLink), ("preferences", preferences, noPreferences),
        ]
    }

    func validate() throws {
        for part in parts where part.value != nil && part.isCleared {
            throw ValidationError("--\(part.option) and --no-\(part.option) cannot be used together")
        }
        if parts.allSatisfy({ $0.value == nil && !$0.isCleared }) {
            let options = parts.map { "--\($0.option)" }
            throw ValidationError("specify at least one of \(options.joined(separator: ", ")), or of them with --no-")
        }
        if picture == "-", preferences == "-" {
            throw ValidationError("--picture and --preferences cannot both read standard input")
        }
    }

    func run() throws {
        let output = try output.output()
        // Standard input and files are read once, before the store is opened.
        let image = try picture.map { try PictureFile.dataURI(of: $0) }
        let document = try preferences.map { try Self.text(ofFile: $0) }
        let report = try StoreSession(store, output).confirm(
            consent, output,
            plan: { chat in
                let found = try ProfileFinder.find(user, hidden: try hidden.choice(in: chat), in: chat)
                let before = try UsersRepo(chat).profile(of: found.id, hidden: .shown)
                let after = edited(before.details, image, document)
                do {
                    let checked = try ProfileRule.checked(after, over: before.details)
                    return UserEditReport(user: found, before: before.details, after: checked, isApplied: false)
                } catch let problem as ProfileProblem {
                    throw UsersError.invalidProfileDetail(problem)
                }
            },
            question: { planned in planned.question.map { .init(text: $0) } },
            make: { planned, chat in
                let id = planned.user.id
                guard try UsersRepo(chat).find(id, hidden: .shown) == planned.user,
                    try UsersRepo(chat).profile(of: id, hidden: .shown).details == planned.before
                else { throw PlanOutdated() }
                var after = planned.after
                if after != planned.before {
                    after = try UsersWriter(chat).setProfile(after, of: id, hidden: .shown).details
                }
                return UserEditReport(user: planned.user, before: planned.before, after: after, isApplied: true)
            })
        try output.write(report)
    }

    private func edited(_ old: ProfileDetails, _ image: String?, _ document: String?) -> ProfileDetails {
        var new = old
        new.fullName = noFullName ? "" : fullName ?? old.fullName
        new.shortDescription = noShortDescription ? nil : shortDescription ?? old.shortDescription
        new.description = noDescription ? nil : description ?? old.description
        new.image = noPicture ? nil : image ?? old.image
        new.contactLink = noContactLink ? nil : contactLink ?? old.contactLink
        new.preferences = noPreferences ? nil : document ?? old.preferences
        return new
    }

    private static func text(ofFile path: String) throws -> String {
        let bytes = try InputFile.read(path, upTo: AppSettings.largest)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw UsersError.invalidProfileDetail(.preferences(.notJSON("the text is not UTF-8")))
        }
        return text
    }
}

/// A file with a picture.
enum PictureFile {
    /// The picture as a data URI: the text of the file if it is one, else the bytes of a JPEG or PNG image.
    static func dataURI(of path: String) throws -> String {
        // More than any picture that a profile can have, so that the error has the real number for most files.
        let bytes = try InputFile.read(path, upTo: 4 << 20)
        if bytes.starts(with: "data:image/".utf8) {
            return NameRule.trimmed(String(decoding: bytes, as: UTF8.self))
        }
        let types: [(beginning: [UInt8], name: String)] = [
            ([0xFF, 0xD8, 0xFF], "jpg"), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "png"),
        ]
        guard let type = types.first(where: { bytes.starts(with: $0.beginning) }) else {
            throw UsersError.invalidProfileDetail(.picture)
        }
        return "data:image/\(type.name);base64,\(Data(bytes).base64EncodedString())"
    }
}
