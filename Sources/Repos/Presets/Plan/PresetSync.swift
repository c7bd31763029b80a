public import ChatDBEngine
import ChatDBReposBoth
public import ChatDBReposChat
public import ChatDBReposKit
public import ChatDBSchema

/// Brings profiles in line with a preset.
///
/// Preset entries of a profile follow the preset's operators: new ones are added, enabled up to the operator's `use`;
/// names, domains and addresses follow; what the user enabled stays, and how an address that stays was tested; what is
/// no longer in an operator's list goes, a relay that channels refer to softly. Names and domains of operators follow
/// as well, for every profile. Entries of operators that the preset does not have, and entries of the user's own, are
/// left alone: an entry that the profile has as its own, and a name that such a relay has, are conflicts and not taken.
/// Rule: docs/presets.md, "Following operators' lists".
public enum PresetSync {
    /// What a sync would change, without changing anything. The same seed makes the same choices. Throws `invalidPreset`
    /// for a file without operators, which has nothing to follow.
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

    /// Makes the plan and carries it out in the caller's transaction, and answers what was done. A plan that was shown
    /// before is carried out with `PresetPlan.apply`.
    public static func apply(
        _ file: PresetFile, to user: UserID, in chat: any WriteTransaction, seed: UInt64, clock: StoreClock = .system
    ) throws(PresetError) -> PresetPlan {
        let plan = try plan(file, for: user, in: chat, seed: seed)
        try PresetApplier(of: plan, to: user, in: chat, clock: clock).apply()
        return plan
    }

    /// Gives a new profile what a preset has: operators are made where the store lacks them and otherwise left as they
    /// are; of an operator's entries exactly as many as its `use` says are enabled, chosen among those that the preset
    /// enables; custom entries are added as they are. Answers what was done.
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
