/// The next step: text with commands of chatdb. A hint is a value until it is shown; then each command gets the options
/// for store, profile and migrations that it takes.
///
///     let hint: Hint = "\(.migrateRun) makes a new store; \(.relayShow, "id:3") shows the relay"
///     hint.text(GivenOptions(store: "a b"))
///     // chatdb migrate run -d 'a b' makes a new store; chatdb relay show id:3 -d 'a b' shows the relay
package struct Hint: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// Text, a command, or the end of a line.
    package enum Part: Sendable, Hashable {
        case text(String)
        case command(HintedCommand)
        case lineBreak
    }

    package let parts: [Part]

    package init(_ parts: [Part]) { self.parts = parts }

    /// Text alone.
    package init(text: String) { parts = [.text(text)] }

    package init(stringLiteral text: String) { self.init(text: text) }

    package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    /// Its commands, in order.
    package var commands: [HintedCommand] {
        parts.compactMap { if case .command(let command) = $0 { command } else { nil } }
    }

    /// Its lines. A hint has several if it has steps.
    package var lines: [Hint] { parts.split { $0 == .lineBreak }.map { Hint(Array($0)) } }

    /// The hint with further lines behind its own.
    package func with(lines: [Hint]) -> Hint { Hint(parts + lines.flatMap { [.lineBreak] + $0.parts }) }

    /// The hint for people on one line, with commands that can be typed.
    package func text(_ given: GivenOptions = .none) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .command(let command): command.text(given)
            case .lineBreak: " "
            }
        }.joined()
    }

    /// Collects the parts of a hint.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ text: String) {
            if !text.isEmpty { parts.append(.text(text)) }
        }

        /// A name or a number.
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            parts.append(.text(value.description))
        }

        /// A command with its arguments, which are quoted where a shell needs it.
        package mutating func appendInterpolation(_ command: CommandName, _ arguments: String...) {
            parts.append(.command(HintedCommand(command, arguments)))
        }

        /// A command.
        package mutating func appendInterpolation(_ command: HintedCommand) {
            parts.append(.command(command))
        }

        /// Another hint.
        package mutating func appendInterpolation(_ hint: Hint) {
            parts += hint.parts
        }
    }
}

extension Hint {
    /// A command and nothing else.
    package static func command(_ command: CommandName, _ arguments: String...) -> Hint {
        "\(HintedCommand(command, arguments))"
    }
}
