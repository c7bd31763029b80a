import ArgumentParser
import ChatDBKit

struct DiagnoseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diagnose", abstract: "Explain a message of the app from what is in the store. Changes nothing.",
        discussion: """
            Takes a message that SimpleX Chat's app showed or logged. The answer has what the message means, the rows \
            in the store that explain it, and what to do. The names in a message are enough: SEUserNotFound, A_CRYPTO. \
            If a message has the number of a row, such as groupId = 5, the answer says whether the row exists. Without \
            a message, lists what is wrong with the store and the messages that the app may show because of it. Exits \
            with 1 if the store does not explain the message. docs/diagnosis.md lists the messages.

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
        let diagnosis = try diagnosis(of: text, output)
        try output.write(diagnosis)
        if text != nil, !diagnosis.isExplained { throw Answer(status: .no) }
    }

    /// The given message. It is nil if the command has no argument.
    private func message() throws -> String? {
        guard text == "-" else { return text }
        let bytes = try InputFile.read("-", upTo: Self.longest)
        if bytes.count > Self.longest {
            throw ValidationError("standard input has more than 1 MiB; give the lines around the message")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func diagnosis(of text: String?, _ output: Output) throws -> DiagnoseReport {
        let location = try store.location()
        output.detail("the store is \(location.prefix)")
        let engine = try store.engine()
        let messages = text.map(KnownMessage.found)
        let holders = DatabaseName.allCases.flatMap { engine.holders(of: location.path(of: $0)) ?? [] }
        do {
            let found = try CheckedStore.check(location, with: engine, output)
            return DiagnoseReport(
                text: text, messages: messages, check: CheckReport(found: found, store.repeated),
                problems: found.status.problems.map { $0.error.report(of: $0.path) }, holders: holders,
                rows: try text.map { try Self.rows(in: $0, of: found) } ?? [])
        } catch {
            // The reason why the store cannot be read may explain the message.
            let problem = ErrorReport(error)
            guard messages?.contains(where: { $0.errors.contains(problem.code) }) == true else { throw error }
            return DiagnoseReport(
                text: text, messages: messages, check: nil, problems: [problem], holders: holders, rows: [])
        }
    }

    /// The rows that a message names. Empty if the message names none, or if the chat database cannot be read.
    private static func rows(in text: String, of found: CheckedStore) throws -> [NamedRow] {
        guard let chat = found.status.readable[.chat], chat.isReadable(as: .chat) else { return [] }
        let connection = try found.context.openAsThisBuild(.chat)
        defer { try? connection.close() }
        return try connection.read { try NamedRow.found(in: text, of: $0) }
    }
}
