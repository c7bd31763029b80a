import ChatDBKit

/// A store that was encrypted, got another passphrase, or was made plain.
struct PassphraseReport: Report {
    private let kind: PassphraseChange.Kind
    private let location: StoreLocation
    /// The program that made the store; nil for a change that was only completed.
    private let program: FoundDatabase.Kind?
    private var isApplied = false
    /// Whether the change had been interrupted.
    private var isCompleted = false
    /// The folder with the replaced files.
    private var replaced: String?
    /// The folder of a plain copy.
    private var copy: String?
    /// Whether the databases had two different passphrases; nil for a change that was only completed.
    private let hadTwo: Bool?
    /// Whether the command line has another passphrase that no database needs.
    private let ignoresOther: Bool
    /// Whether the present passphrase opens the store in another normal form of Unicode.
    private let isOtherForm: Bool
    /// Whether the command line asks for the change that was completed.
    private var isRequested = true
    /// The copies beside the store, besides the replaced files; nil for a plain copy, which changes no store.
    private let copies: CopiesBesideStore?
    /// The sizes of the files.
    private let bytes: [DatabaseName: Int64]

    /// The plan of a change.
    init(
        _ kind: PassphraseChange.Kind, _ program: FoundDatabase.Kind?, of location: StoreLocation,
        hadTwo: Bool? = false, ignoresOther: Bool = false, isOtherForm: Bool = false,
        copies: CopiesBesideStore? = nil
    ) {
        (self.kind, self.program, self.location, self.copies) = (kind, program, location, copies)
        (self.hadTwo, self.ignoresOther, self.isOtherForm) = (hadTwo, ignoresOther, isOtherForm)
        bytes = Dictionary(
            uniqueKeysWithValues: location.databases.map { ($0, FileSpace.size(of: location.path(of: $0))) })
    }

    /// A change that was completed.
    init(
        _ outcome: PassphraseChange.Outcome, of location: StoreLocation, isRequested: Bool, copies: CopiesBesideStore
    ) {
        self = PassphraseReport(outcome.kind, nil, of: location, hadTwo: nil, copies: copies)
            .applied(outcome)
        self.isRequested = isRequested
    }

    /// A plain copy.
    init(copyOf location: StoreLocation, in folder: String, isOtherForm: Bool, isWritten: Bool) {
        self.init(.remove, .simplex, of: location, isOtherForm: isOtherForm)
        (copy, isApplied) = (folder, isWritten)
    }

    /// The same, after the change.
    func applied(_ outcome: PassphraseChange.Outcome) -> PassphraseReport {
        var report = PassphraseReport(
            kind, program, of: location, hadTwo: hadTwo, ignoresOther: ignoresOther, isOtherForm: isOtherForm,
            copies: copies)
        (report.isApplied, report.isCompleted, report.replaced) = (true, outcome.completed, outcome.replaced)
        return report
    }

    var question: String {
        let store = location.prefix
        return switch kind {
        case .set: "The store cannot be read without the passphrase. Encrypt \(store)?"
        case .change: "Change the passphrase of \(store)?"
        case .remove: "All who can read the plain files can read their content. Write \(store) in plain text?"
        }
    }

    /// The copies that matter for a store that is encrypted.
    private var plainCopies: [String] { kind == .remove ? [] : copies?.plain ?? [] }

    /// The copies that open with a passphrase from before the change.
    private var encryptedCopies: [String] { kind == .set ? [] : copies?.encrypted ?? [] }

    /// The options of commands on the encrypted store, which has the new passphrase of the command line.
    private var given: GivenOptions {
        let given = GivenOptions(arguments: CommandLine.arguments)
        return GivenOptions(passphrase: isRequested ? given.newPassphrase?.absolute : nil)
    }

    private var next: String? { copy.map { HintedCommand(.inspect, ["-d", $0]).text() } }

    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("change", .string(kind.rawValue)), .init("applied", .bool(isApplied)),
            .init("completed", .bool(isCompleted)), .init("requested", .bool(isRequested)),
            .init("store", .string(location.prefix)),
            .init("kind", JSONValue(program?.rawValue)),
        ]
        for database in DatabaseName.allCases {
            members.append(
                .init(
                    database.rawValue,
                    bytes[database].map {
                        ["path": .string(location.path(of: database)), "bytes": .integer($0)]
                    } ?? .null))
        }
        members += [
            .init("hadTwoPassphrases", hadTwo.map(JSONValue.bool) ?? .null), .init("replaced", JSONValue(replaced)),
            .init("output", JSONValue(copy)),
            .init("plainCopies", JSONValue(plainCopies)), .init("encryptedCopies", JSONValue(encryptedCopies)),
            .init("notes", JSONValue(notes.map(\.text))), .init("next", JSONValue(next)),
        ]
        return .object(members)
    }

    var document: Document {
        var fields = [Field("Store", .text(location.prefix))]
        fields += location.databases.map {
            Field("\($0 == .chat ? "Chat" : "Agent") database", key: "\($0)Bytes", .bytes(bytes[$0] ?? 0))
        }
        if let replaced { fields.append(Field("Replaced files", key: "replaced", .text(replaced))) }
        if let copy { fields.append(Field("Plain copy", key: "output", .text(copy))) }
        var blocks: [Block] = [.paragraph(sentence), .fields(fields), .notes(notes)]
        if isApplied, let next { blocks += [.heading("Next"), .verbatim(next, language: "sh")] }
        return Document(blocks)
    }

    private var sentence: String {
        let completed = isCompleted ? "An interrupted change was completed: " : ""
        // An adopted store may have one database.
        let isPair = location.databases.count > 1
        let (subject, be, have) = isPair ? ("both databases", "are", "have") : ("the database", "is", "has")
        let sentence =
            switch (kind, isApplied) {
            case (.set, true): "\(subject) \(be) encrypted now."
            case (.change, true): "\(subject) \(have) the new passphrase now."
            case (.remove, true) where copy != nil: "a plain copy of \(subject) was written."
            case (.remove, true): "\(subject) \(be) plain now."
            case (.set, false): "\(subject) would be encrypted."
            case (.change, false): "\(subject) would get the new passphrase."
            case (.remove, false) where copy != nil: "a plain copy of \(subject) would be written."
            case (.remove, false): "\(subject) would be made plain."
            }
        return completed + (isCompleted ? sentence : sentence.prefix(1).uppercased() + sentence.dropFirst())
    }

    private var notes: [Note] {
        var notes: [Note] = []
        if isOtherForm { notes.append(.note(Passphrase.otherFormNote)) }
        if hadTwo == true {
            notes.append(
                .note(
                    isApplied
                        ? "the databases had two different passphrases, and have one now"
                        : "the databases have two different passphrases, and would have one"))
        }
        if ignoresOther {
            notes.append(.note("the passphrase opens the whole store; --other-passphrase-file was not used"))
        }
        if kind == .remove { notes.append(.warning("all who can read the plain files can read their content")) }
        notes += notesOnCopies
        if isCompleted {
            notes.append(
                isRequested
                    ? .note("the change is that of the command that was interrupted")
                    : .warning(
                        "the change is that of the command that was interrupted, and this command made none of its own; "
                            + "run it again, with the passphrase that the store has now"))
        }
        if isApplied, copy == nil, program == .simplex {
            notes.append(.note("the app asks for the new passphrase when it starts"))
        }
        return notes
    }

    /// What the copies hold, which passphrase they have, and how they are removed.
    private var notesOnCopies: [Note] {
        var notes: [Note] = []
        if let replaced {
            notes += FileMadeMeanwhile.all(in: replaced).map { .warning($0.sentence("change")) }
            let removal = CopiesBesideStore.removalCommand(of: [replaced])
            let opening = "the replaced files open with the old passphrase\(hadTwo == true ? "s" : "")"
            switch kind {
            case .set: notes.append(.warning("the replaced files hold the content in plain text"))
            case .change:
                // With --quiet, it is shown too: the old passphrase may be known to others.
                notes.append(.warning("\(opening); remove them when the store opens with the new one: \(removal)"))
            case .remove:
                notes.append(.note("\(opening); keep it, or remove them when the plain store works: \(removal)"))
            }
        }
        notes += plainCopies.map { .warning(CopiesBesideStore.fact(ofPlain: $0, of: location)) }
        let removed = (kind == .set ? [replaced].compactMap(\.self) : []) + plainCopies
        if isApplied, !removed.isEmpty, let copies {
            notes.append(copies.removal(ofPlain: removed, of: location, .warning, given))
        }
        notes += encryptedCopies.map { path in
            let time = kind == .change ? "the store has a newer backup" : "you no longer need it"
            let removal = "remove it when \(time): \(CopiesBesideStore.removalCommand(of: [path]))"
            return .note("\(path) opens with the passphrase that the store had when it was made; \(removal)")
        }
        return notes
    }
}
