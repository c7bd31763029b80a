import ArgumentParser
import ChatDBKit

struct DiagnoseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diagnose", abstract: "Explain a message of the app from what is in the store. Changes nothing.",
        discussion: """
            Takes a message that SimpleX Chat's app showed or logged. The answer has what the message means, the rows \
            in the store that explain it, and what to do. The names in a message are enough: SEUserNotFound, A_CRYPTO. \
            If a message has the number of a row, such as groupId = 5, the answer says whether the row exists. Without \
            a message, lists the messages that the app may show because of what is in the store, and their causes. \
            Exits with 1 if no cause was found: the store does not explain the message, or the checks that could find \
            the cause could not run. docs/diagnosis.md lists the messages.

            Examples:
              chatdb diagnose -d simplex 'FOREIGN KEY constraint failed'
              grep -i error log.txt | chatdb diagnose - -d simplex
              chatdb diagnose -d simplex
            """)

    @Argument(help: "What the app showed or logged; - reads it from standard input.")
    var text: String?

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    /// The most bytes that are read from standard input. A log may be longer, but a message is short.
    private static let longest = 1 << 20

    func run() throws {
        let output = try output.output()
        let text = try message()
        Signals.interruptsAskToStop()
        let location = try store.location()
        output.detail("the store is \(location.prefix)")
        // The programs of a server know nothing of what the app says.
        if let server = location.server {
            throw HintedError(
                ReadOnlyStoreError.onServer(server), hint: "\(.check) finds what is wrong in a store on a server")
        }
        let diagnosis = try DiagnoseReport(
            text: text, store: location, engine: store.fileEngine(), store.repeated, output)
        try output.write(diagnosis)
        diagnosis.note(to: output)
        if text != nil, !diagnosis.isExplained { throw Answer(status: .no) }
    }

    /// The given message. It is nil if the command has no argument.
    private func message() throws -> String? {
        guard let given = text else { return nil }
        guard given == "-" else { return try Self.checked(given, "the message") }
        let bytes = try InputFile.read("-", upTo: Self.longest)
        if bytes.count > Self.longest { throw UnusableText.tooLong }
        return try Self.checked(String(decoding: bytes, as: UTF8.self), InputFile.name("-"))
    }

    /// Refuses a text without words. A log may have single bytes that are no text, such as those of a character that
    /// was cut.
    private static func checked(_ text: String, _ source: String) throws(UnusableText) -> String {
        let wrong = text.unicodeScalars.count { $0 == "\0" || $0 == "\u{FFFD}" }
        if wrong > 10 + text.unicodeScalars.count / 10 { throw .noText }
        if text.allSatisfy(\.isWhitespace) { throw .empty(source) }
        return text
    }
}

/// A text in which no message can be found.
enum UnusableText: Reportable {
    case empty(String)
    /// The bytes of standard input are no text.
    case noText
    case tooLong

    var report: ErrorReport {
        switch self {
        case .empty(let source):
            ErrorReport(
                "usage", "\(source) is empty", state: "Nothing was done.",
                hint: "give the message that the app showed; without one, \(.diagnose) lists what the store explains",
                exit: .usage)
        case .noText:
            ErrorReport(
                "usage", "standard input is not a text", state: "Nothing was done.",
                hint: "give the lines of the log that have the message", exit: .usage)
        case .tooLong:
            ErrorReport(
                "usage", "standard input has more than 1 MiB", state: "Nothing was done.",
                hint: "give the end of the log: tail -c 1000000 LOG | \(.diagnose, "-")", exit: .usage)
        }
    }
}

extension DiagnoseReport {
    /// Checks a store, and explains the messages of a text.
    init(
        text: String?, store location: StoreLocation, engine: SQLiteEngine, _ given: GivenOptions, _ output: Output
    ) throws {
        let read = text.map { MessageText($0) }
        let messages = read.map { KnownMessage.found(in: $0) }
        let holders = DatabaseName.allCases.flatMap { engine.holders(of: location.path(of: $0)) ?? [] }
        let names = read?.rows ?? []
        do {
            let found = try CheckedStore.check(location, with: engine, output)
            self.init(
                text: text, read, messages: messages, check: CheckReport(found: found, given),
                problems: found.status.problems.map { $0.error.report(of: $0.path) }, holders: holders,
                rows: try Self.rows(names, of: found),
                history: DiagnosedHistory(read?.migrations ?? [], of: found.status))
        } catch {
            // The reason why the store cannot be read may explain the message.
            let problem = ErrorReport(error)
            guard messages?.contains(where: { $0.errors.contains(problem.code) }) == true else { throw error }
            self.init(
                text: text, read, messages: messages, check: nil, problems: [problem], holders: holders,
                rows: names.map { NamedRow(name: $0, state: .unreadable(problem.message)) })
        }
    }

    /// The rows that a message names. A row that cannot be read has the reason.
    private static func rows(_ names: [RowName], of found: CheckedStore) throws -> [NamedRow] {
        if names.isEmpty { return [] }
        func unreadable(_ reason: String) -> [NamedRow] {
            names.map { NamedRow(name: $0, state: .unreadable(reason)) }
        }
        guard let chat = found.status.readable[.chat] else {
            let isMissing = found.status.parts[.chat] == nil
            return unreadable("the chat database \(isMissing ? "is missing" : "cannot be read")")
        }
        guard chat.isReadable(as: .chat) else { return unreadable("the file has another database") }
        do {
            let connection = try found.context.openAsThisBuild(.chat)
            defer { try? connection.close() }
            return try names.map { try NamedRow($0, in: connection) }
        } catch let error as StoreError where !error.endsReading {
            return unreadable(error.message)
        }
    }
}
