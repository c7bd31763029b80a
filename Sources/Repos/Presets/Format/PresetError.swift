public import ChatDBEngine
public import ChatDBReposChat
public import ChatDBReposKit
public import ChatDBSchema

/// Why a preset cannot be used.
public enum PresetError: RuleViolation, Hashable {
    /// No preset of that name ships with this build.
    case presetNotFound(String)
    /// The text is no preset: all that is wrong with it, up to a limit, and how much more there is.
    case invalidPreset([PresetProblem], more: Int)
    /// Some entries conflict, and the caller did not decide about conflicts, or all entries conflict, so that nothing is
    /// left to import; with these entries.
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

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .presetNotFound(let name):
            .refused("presetNotFound", "no preset \"\(name)\" ships with this build", ["preset": .string(name)])
        case .invalidPreset(let problems, let more):
            .invalid(
                "invalidPreset",
                problems.count + more == 1
                    ? "the preset is not valid: \(problems.first?.description ?? "")"
                    : "the preset is not valid, in \(problems.count + more) places",
                ["problems": .array(problems.map(\.json)), "more": .integer(Int64(more))],
                lines: problems.count + more > 1
                    ? problems.sentences + (more > 0 ? ["and \(more) more"] : []) : [])
        case .presetConflicts(let changes):
            .refused(
                "presetConflicts",
                changes.count == 1
                    ? "one entry of the preset conflicts with the profile: \(changes.first.map(Self.sentence) ?? "")"
                    : "\(changes.count) entries of the preset conflict with the profile",
                [
                    "conflicts": .array(
                        changes.map {
                            [
                                "name": .string($0.name), "address": JSONValue($0.address),
                                "reason": JSONValue($0.reason),
                            ]
                        })
                ], lines: changes.count > 1 ? changes.map(Self.sentence) : [])
        case .operators(let error): error.info
        case .servers(let error): error.info
        case .relays(let error): error.info
        case .users(let error): error.info
        case .store(let error): error.info
        }
    }

    private static func sentence(_ change: PresetChange) -> String {
        let what =
            switch change.kind {
            case .operator: "operator"
            case .relay: "relay"
            case .smpServer, .xftpServer: "server"
            }
        let name = change.name.isEmpty ? change.address ?? "" : "\"\(change.name)\""
        return "the \(what) \(name): \(change.reason ?? "")"
    }

    package var storeError: StoreError? {
        switch self {
        case .operators(let error): error.storeError
        case .servers(let error): error.storeError
        case .relays(let error): error.storeError
        case .users(let error): error.storeError
        case .store(let error): error
        default: nil
        }
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
