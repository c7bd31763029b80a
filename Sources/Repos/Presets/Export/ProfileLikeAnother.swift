public import ChatDBEngine
import ChatDBReposBoth
public import ChatDBReposChat
import ChatDBReposKit
public import ChatDBSchema

/// A profile that was made like another one. Rule: docs/domain.md, "Profiles", Like another.
public struct ProfileLikeAnother: Sendable, Hashable {
    /// The new profile.
    public let user: User
    /// The profile from which it has relays, servers and settings.
    public let other: User
    /// Notes on entries that the new profile lacks, a clause each; usually empty.
    public let notes: [String]
}

/// Rule: docs/domain.md, "Profiles", Like another.
extension UsersWriter {
    /// Makes a profile as `create(_:agent:)` does, with the relays, servers and settings of another profile: their
    /// switches, roles, passwords and results of tests, the choices about entries of operators that the other profile
    /// removed, the time after which messages are removed, notifications, receipts and the automatic acceptance of
    /// invitations. Notifications of a hidden profile are off because it is hidden, so the new profile has them on.
    /// Nothing else is taken. Throws `profileNotFound`, and the errors of that method; the caller then undoes the
    /// transactions.
    public func create(
        _ name: String, like other: UserID, agent: any WriteTransaction
    ) throws(PresetError) -> ProfileLikeAnother {
        let model = try PresetError.from { try UsersRepo(tx).get(other, hidden: .shown) }
        let exported = try PresetExport(of: other, in: tx, hidden: .shown).file()
        let user = try PresetError.from { try create(name, agent: agent) }
        let options = PresetImportOptions(mode: .restore, onConflict: .skip)
        let plan = try PresetImport.apply(exported.file, options, to: user.id, in: tx, clock: clock)
        return try PresetError.from {
            try copyChoices(of: other, to: user.id)
            return ProfileLikeAnother(
                user: try copySettings(of: model, to: user.id), other: model, notes: exported.notes + plan.notes)
        }
    }

    private func copySettings(of model: User, to user: UserID) throws -> User {
        if let seconds = try SettingsRepo(tx).chatItemTTL(of: model.id) {
            try SettingsWriter(tx, clock: clock).setChatItemTTL(seconds, of: user)
        }
        if !model.isHidden { try setNotifications(model.showsNotifications, of: user) }
        try setReceiptsToContacts(model.sendsReceiptsToContacts, of: user)
        try setReceiptsToSmallGroups(model.sendsReceiptsToSmallGroups, of: user)
        return try setAcceptsGroupInvitations(model.acceptsGroupInvitations, of: user)
    }
}
