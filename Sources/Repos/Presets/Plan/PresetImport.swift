public import ChatDBEngine
import ChatDBReposChat
public import ChatDBReposKit
public import ChatDBSchema

/// The options of an import. Rule: docs/presets.md, "Import".
public struct PresetImportOptions: Sendable, Hashable {
    /// The treatment of entries that the file does not have.
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// These entries stay: the file adds and updates.
        case merge
        /// The user's own entries become exactly those of the file. Operators' entries are only enabled or disabled.
        case replace
        /// The whole profile becomes equal to the file: also operators' entries, passwords and results of tests. This
        /// mode is for files that were written before a change, and trusts them.
        case restore
    }

    /// The decision about conflicts: about the same relay with another name, about the same name of another relay, and
    /// about the same server with another key hash.
    public enum OnConflict: String, Sendable, Hashable, CaseIterable {
        /// Imports nothing.
        case fail
        /// Leaves the entry out.
        case skip
        /// Gives the same relay the name of the file, and adds a number to the name of a new relay if another relay has
        /// that name. Leaves out a server with another key hash.
        case rename
    }

    /// The treatment of entries that the file does not have.
    public var mode: Mode
    /// The decision about conflicts.
    public var onConflict: OnConflict
    /// Whether entries that exist are switched on and off as in the file, and get its roles. Replacing does so anyway.
    public var setsEnabled: Bool
    /// Whether operators are changed at all; they are the store's, not the profile's.
    public var changesOperators: Bool
    /// Whether the import trusts the file about operators, and about which entries are an operator's.
    public var trustsOperators: Bool
    /// Whether operators' entries that the file does not have stay even if the profile is to become equal to it.
    var keepsPresets = false

    /// Merging and without trust, by default.
    public init(
        mode: Mode = .merge, onConflict: OnConflict = .fail, setsEnabled: Bool = false, changesOperators: Bool = true,
        trustsOperators: Bool = false
    ) {
        self.mode = mode
        self.onConflict = onConflict
        self.setsEnabled = setsEnabled
        self.changesOperators = changesOperators
        self.trustsOperators = trustsOperators
    }

    var followsEnabled: Bool { setsEnabled || mode != .merge }

    var believes: Bool { trustsOperators || mode == .restore }
}

/// Imports the relays and servers of a file into a profile.
///
/// A file of another person cannot add entries that the user could not remove. An entry counts as an operator's only if
/// the preset that ships with this build has it. Then it is taken from that preset, with the switch of the file. Any
/// other entry becomes the user's own. Of operators, and of preset entries that the profile has, only the switch is
/// taken. The plan has everything that is not taken, with the reason. Rule: docs/presets.md, "Whom to trust".
///
/// ```swift
/// let file = try PresetFile.read(bytes, named: "alice.json").file
/// let plan = try store.read { try PresetImport.plan(file, for: user.id, in: $0) }
/// for change in plan.changes { print(change.name) }
/// _ = try store.write { try PresetImport.apply(file, to: user.id, in: $0) }
/// ```
public enum PresetImport {
    /// The plan of an import. Changes nothing. Throws `profileNotFound`.
    public static func plan(
        _ file: PresetFile, _ options: PresetImportOptions = PresetImportOptions(), for user: UserID,
        in chat: any ReadTransaction
    ) throws(PresetError) -> PresetPlan {
        // A caller that has the id of a hidden profile has found it already.
        _ = try PresetError.from { try UsersRepo(chat).get(user, hidden: .shown) }
        var planner = PresetImportPlanner(
            file, try PresetState(of: user, in: chat), options, shipped: try BundledPresets.preset())
        return planner.make()
    }

    /// Makes the plan, carries it out in the caller's transaction, and returns it. Throws `presetConflicts` when
    /// entries conflict and the options do not decide about conflicts; nothing has changed then.
    public static func apply(
        _ file: PresetFile, _ options: PresetImportOptions = PresetImportOptions(), to user: UserID,
        in chat: any WriteTransaction, clock: StoreClock = .system
    ) throws(PresetError) -> PresetPlan {
        let plan = try plan(file, options, for: user, in: chat)
        try PresetApplier(of: plan, to: user, in: chat, clock: clock).apply()
        return plan
    }
}
