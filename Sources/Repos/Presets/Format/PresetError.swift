public import ChatDBEngine
public import ChatDBReposChat
public import ChatDBReposKit
package import ChatDBSchema

/// Why a preset cannot be used.
public enum PresetError: RuleViolation, Hashable {
    /// No preset of that name ships with this build.
    case presetNotFound(String)
    /// The text is no preset: all that is wrong with it, up to a limit, and how much more there is.
    case invalidPreset([PresetProblem], more: Int)
    /// Entries clash, and nobody decided what to do: these.
    case presetConflicts([PresetChange])
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
        case .presetNotFound, .invalidPreset, .presetConflicts, .store: nil
        }
    }

    /// A stable word.
    public var code: String {
        switch self {
        case .presetNotFound: "presetNotFound"
        case .invalidPreset: "invalidPreset"
        case .presetConflicts: "presetConflicts"
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
                : "the preset is not valid, in \(problems.count + more) places"
        case .presetConflicts(let changes):
            changes.count == 1
                ? "one entry of the preset conflicts with the profile: \(changes.first.map(Self.sentence) ?? "")"
                : "\(changes.count) entries of the preset conflict with the profile"
        case .store(let error): error.message
        default: cause?.message ?? ""
        }
    }

    /// A command that helps, or nil.
    public var hint: String? {
        switch self {
        case .presetNotFound: "chatdb preset list"
        case .presetConflicts: "--on-conflict skip leaves them out, --on-conflict rename takes relays with another name"
        case .invalidPreset(let problems, _):
            problems.contains(where: \.isUnknownField) ? "--lenient passes unknown fields over, with a warning" : nil
        case .store: nil
        default: cause?.hint
        }
    }

    package var details: JSONValue {
        switch self {
        case .presetNotFound(let name): ["preset": .string(name)]
        case .invalidPreset(let problems, let more):
            [
                "problems": .array(problems.map(\.json)),
                "more": .integer(Int64(more)),
            ]
        case .presetConflicts(let changes):
            [
                "conflicts": .array(
                    changes.map {
                        ["name": .string($0.name), "address": JSONValue($0.address), "reason": JSONValue($0.reason)]
                    })
            ]
        case .store: [:]
        default: cause?.details ?? [:]
        }
    }

    /// More than one problem or conflict, a line each.
    package var lines: [String] {
        switch self {
        case .invalidPreset(let problems, let more) where problems.count + more > 1:
            problems.map(\.description) + (more > 0 ? ["and \(more) more"] : [])
        case .presetConflicts(let changes) where changes.count > 1: changes.map(Self.sentence)
        default: []
        }
    }

    private static func sentence(_ change: PresetChange) -> String {
        let what = change.kind == .relay ? "relay" : "server"
        let name = change.name.isEmpty ? change.address ?? "" : "\"\(change.name)\""
        return "the \(what) \(name): \(change.reason ?? "")"
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
