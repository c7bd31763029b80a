public import ChatDBEngine
import ChatDBReposBoth
public import ChatDBReposChat
public import ChatDBSchema

/// Rule: docs/domain.md, "Profiles".
extension UsersWriter {
    /// Makes a profile as `create(_:agent:)` does, and starts it with the servers and relays of a preset; the same seed
    /// makes the same choices. Throws as both do, and then the caller undoes the transactions.
    public func create(
        _ name: String, startingWith preset: PresetFile, seed: UInt64, agent: any WriteTransaction
    ) throws(PresetError) -> User {
        let user = try PresetError.from { try create(name, agent: agent) }
        _ = try PresetSync.start(preset, for: user.id, in: tx, seed: seed, clock: clock)
        return user
    }
}
