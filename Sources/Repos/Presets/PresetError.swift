public import Engine
package import Schema

/// One thing that is wrong in a preset.
public struct PresetProblem: Sendable, Hashable, CustomStringConvertible {
    /// Where, as `custom.relays[3].address`; an empty text is the whole file.
    public let path: String
    /// What is wrong and what was expected, a clause.
    public let message: String

    init(_ path: String, _ message: String) {
        self.path = path
        self.message = message
    }

    /// The path and what is wrong there.
    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

/// Why a preset cannot be used.
public enum PresetError: RuleViolation, Hashable {
    /// No preset of that name ships with this build.
    case presetNotFound(String)
    /// The text is no preset: all that is wrong with it, up to a limit, and how much more there is.
    case invalidPreset([PresetProblem], more: Int)
    /// Something is wrong with an operator.
    case operators(OperatorsError)
    /// Something is wrong with a server.
    case servers(ServersError)
    /// Something is wrong with a relay.
    case relays(ChatRelaysError)
    /// Something is wrong with the profile.
    case users(UsersError)
    /// The database failed.
    case store(StoreError)

    private var cause: (any RuleViolation)? {
        switch self {
        case .operators(let error): error
        case .servers(let error): error
        case .relays(let error): error
        case .users(let error): error
        case .presetNotFound, .invalidPreset, .store: nil
        }
    }

    /// A stable word.
    public var code: String {
        switch self {
        case .presetNotFound: "presetNotFound"
        case .invalidPreset: "invalidPreset"
        case .store(let error): error.kind.rawValue
        default: cause?.code ?? "invalidPreset"
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .presetNotFound(let name): "no preset \"\(name)\" ships with this build"
        case .invalidPreset(let problems, let more):
            problems.count + more == 1
                ? "the preset is not valid: \(problems.first?.description ?? "")"
                : "the preset is not valid: \(problems.count + more) problems, the first: "
                    + (problems.first?.description ?? "")
        case .store(let error): error.message
        default: cause?.message ?? ""
        }
    }

    /// A command that helps, or nil.
    public var hint: String? {
        switch self {
        case .presetNotFound: "chatdb preset list"
        case .invalidPreset, .store: nil
        default: cause?.hint
        }
    }

    package var details: JSONValue {
        switch self {
        case .presetNotFound(let name): ["preset": .string(name)]
        case .invalidPreset(let problems, let more):
            [
                "problems": .array(
                    problems.map { ["path": .string($0.path), "message": .string($0.message)] }),
                "more": .integer(Int64(more)),
            ]
        case .store: [:]
        default: cause?.details ?? [:]
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { cause?.storeError }
    }

    /// Runs a step of a repository and turns its error into one of presets.
    static func from<T>(_ body: () throws -> T) throws(PresetError) -> T {
        do {
            return try body()
        } catch let error as PresetError {
            throw error
        } catch let error as OperatorsError {
            throw .operators(error)
        } catch let error as ServersError {
            throw .servers(error)
        } catch let error as ChatRelaysError {
            throw .relays(error)
        } catch let error as UsersError {
            throw .users(error)
        } catch let error as StoreError {
            throw .store(error)
        } catch {
            throw .store(StoreError(.other, "unexpected failure (\(type(of: error)))"))
        }
    }
}
