public import ChatDBEngine
import ChatDBReposBoth
public import ChatDBReposChat
public import ChatDBReposKit
public import ChatDBSchema

/// Makes profiles follow a preset.
///
/// Preset entries of a profile follow the preset's operators. New ones are added, enabled up to the operator's `use`.
/// Names, domains and addresses follow the preset. The user's switches stay, and so does the test of an address that
/// stays. Entries that are no longer in an operator's list are removed; a relay to which channels refer is
/// soft-deleted. Names and domains of operators follow too, for every profile. Entries of operators that the preset
/// does not have, and the user's own entries, stay. An entry that the profile has as its own, and the name of an own
/// relay, are conflicts and not taken. Rule: docs/presets.md, "Following operators' lists".
///
/// ```swift
/// let preset = try BundledPresets.preset()
/// let plan = try store.write { try PresetSync.apply(preset, to: user.id, in: $0, seed: 7) }
/// ```
public enum PresetSync {
    /// The plan of a sync. Changes nothing. The same seed makes the same choices. Throws `invalidPreset` for a file
    /// without operators.
    public static func plan(
        _ file: PresetFile, for user: UserID, in chat: any ReadTransaction, seed: UInt64
    ) throws(PresetError) -> PresetPlan {
        if file.operators.isEmpty {
            throw .invalidPreset(
                [PresetProblem("it names no operator, and a sync follows the lists of operators; import it instead")],
                more: 0)
        }
        return try makePlan(file, for: user, in: chat, seed: seed, purpose: .sync)
    }

    /// Makes the plan, carries it out in the caller's transaction, and returns it. To carry out a plan that was shown
    /// before, use `PresetPlan.apply`.
    public static func apply(
        _ file: PresetFile, to user: UserID, in chat: any WriteTransaction, seed: UInt64, clock: StoreClock = .system
    ) throws(PresetError) -> PresetPlan {
        let plan = try plan(file, for: user, in: chat, seed: seed)
        try PresetApplier(of: plan, to: user, in: chat, clock: clock).apply()
        return plan
    }

    /// Gives a new profile the entries of a preset. Operators that the store lacks are created; others stay as they
    /// are. Of an operator's entries, exactly as many are enabled as its `use` says, chosen among those that the preset
    /// enables. Custom entries are added as they are. Returns the plan that was carried out.
    public static func start(
        _ file: PresetFile, for user: UserID, in chat: any WriteTransaction, seed: UInt64, clock: StoreClock = .system
    ) throws(PresetError) -> PresetPlan {
        let plan = try makePlan(file, for: user, in: chat, seed: seed, purpose: .start)
        try PresetApplier(of: plan, to: user, in: chat, clock: clock).apply()
        return plan
    }

    private static func makePlan(
        _ file: PresetFile, for user: UserID, in chat: any ReadTransaction, seed: UInt64,
        purpose: PresetPlanner<SplitMix64>.Purpose
    ) throws(PresetError) -> PresetPlan {
        // A caller that has the id of a hidden profile has found it already.
        _ = try PresetError.from { try UsersRepo(chat).get(user, hidden: .shown) }
        var planner = PresetPlanner(
            file, try PresetState(of: user, in: chat), for: purpose, using: SplitMix64(seed: seed))
        return planner.make()
    }
}

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
