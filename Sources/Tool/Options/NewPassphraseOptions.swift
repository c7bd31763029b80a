import ArgumentParser
import ChatDBKit
import Foundation

/// The passphrase that a store is to have: from a file, from standard input, or typed twice on the terminal. Rule:
/// docs/encryption.md, "Changing the passphrase".
struct NewPassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the new passphrase from this file (default: chatdb asks for it twice on the terminal).",
            valueName: "file"),
        completion: .file())
    var newPassphraseFile: String?

    @Flag(help: "Read the new passphrase from standard input, one line.")
    var newPassphraseStdin = false

    func validate() throws {
        if newPassphraseFile?.isEmpty == true { throw ValidationError("the name of the passphrase file is empty") }
        if newPassphraseFile != nil, newPassphraseStdin {
            throw ValidationError("--new-passphrase-file and --new-passphrase-stdin cannot be used together")
        }
    }

    /// Throws if both passphrases are to come from standard input.
    func require(beside old: PassphraseOptions) throws {
        if newPassphraseStdin, old.passphraseStdin {
            throw ValidationError("--passphrase-stdin and --new-passphrase-stdin cannot be used together")
        }
    }

    /// The option given, for commands in hints.
    var repeated: GivenPassphrase? { newPassphraseStdin ? .standardInput : newPassphraseFile.map(GivenPassphrase.file) }

    /// The passphrase that the command line gives; nil if it gives none.
    func given() throws -> Passphrase? {
        let words = newPassphraseStdin ? ["--passphrase-stdin"] : newPassphraseFile.map { ["--passphrase-file=\($0)"] }
        guard let words else { return nil }
        let options = try PassphraseOptions.parse(words)
        return try options.given().map { try Self.checked($0, of: options.source) }
    }

    /// The passphrase typed twice on the terminal.
    ///
    /// - Parameter option: the beginning of the options that give it, for the error.
    static func typed(for name: String, orBy option: String = "--new-passphrase") throws -> Passphrase {
        guard isatty(STDIN_FILENO) == 1 else { throw NewPassphraseError.needed(option: option) }
        do {
            let line = try PasswordInput.typed("New passphrase of \(TextEscaping.line(name))", twice: true) { line in
                if line.isEmpty { throw PassphraseError.empty }
                _ = try checked(Passphrase(line.utf8))
            }
            return Passphrase(line.utf8)
        } catch PasswordError.nothingTyped {
            throw NewPassphraseError.needed(option: option)
        } catch PasswordError.different {
            throw NewPassphraseError.different
        }
    }

    /// The passphrase, if an app could take it. Warns of blanks at its ends: a person who types the passphrase later
    /// does not see them in an editor, and may have typed them by mistake.
    ///
    /// - Parameter source: the file, or the line on standard input; nil for a passphrase that was typed.
    static func checked(_ passphrase: Passphrase, of source: String? = nil) throws(NewPassphraseError) -> Passphrase {
        if !passphrase.isPlainText { throw .notText(source) }
        if passphrase.hasByteOrderMark { throw .byteOrderMark }
        if let ends = passphrase.blankEnds {
            PassphraseOptions.warn(
                "\(source ?? "the line that was typed") \(ends) with a blank, which is part of the new passphrase: without it, the passphrase does not "
                    + "open the store")
        }
        return passphrase
    }
}

/// The new passphrase is missing, or cannot be used.
enum NewPassphraseError: Reportable, Equatable {
    /// None was given, and there is no terminal to ask on.
    case needed(option: String)
    /// The two that were typed differ.
    case different
    /// The app could not take it. It is from this file, or from the line on standard input; nil if it was typed.
    case notText(String?)
    /// Nobody types the mark, so the passphrase would open the store from the same file only.
    case byteOrderMark

    var report: ErrorReport {
        switch self {
        case .needed(let option):
            ErrorReport(
                "passphraseNeeded", "a new passphrase is required, and none was given", state: "Nothing was done.",
                hint: """
                    give it with \(option)-file FILE or \(option)-stdin; on a terminal, chatdb asks for it twice
                    """, exit: .usage)
        case .different:
            ErrorReport(
                "passphrasesDiffer", "the two passphrases are not the same", state: "Nothing was done.", exit: .no)
        case .notText(let source):
            ErrorReport(
                "invalidPassphrase",
                "the new passphrase\(source.map { " in \($0)" } ?? "") has a control character, such as a line end, or is "
                    + "not UTF-8, so it cannot be typed",
                state: "Nothing was done.", exit: .invalidData)
        case .byteOrderMark:
            ErrorReport(
                "invalidPassphrase", "the new passphrase begins with a byte order mark, which cannot be typed",
                state: "Nothing was done.", hint: "save the file as UTF-8 without a byte order mark",
                exit: .invalidData)
        }
    }
}
