public import ChatDBSchema

/// Something that changed in a store: one subject of one profile. Rule: docs/events.md.
///
/// A transaction that changes several subjects, or rows of several profiles, leads to several values.
public struct StoreChange: Sendable, Hashable {
    /// The part of the data that changed. The texts are stable.
    public enum Subject: String, Sendable, Hashable, Codable, CaseIterable {
        /// Another connection migrated the store. The schema may be one that this build does not know.
        case migrated = "store.migrated"
        /// Another connection, usually of another process, committed a change. Anything may have changed.
        case store = "store.changed"
        /// Profiles: their names, pictures, passwords, and which of them is active.
        case profiles = "profiles.changed"
        /// Chat relays of a profile.
        case relays = "relays.changed"
        /// The relays of channels, and how far they are.
        case groupRelays = "groupRelays.changed"
        /// Servers, operators, their conditions, and the choices of presets.
        case presets = "presets.changed"
        /// Groups and channels, with their profiles and members.
        case groups = "groups.changed"
        /// Contacts, their requests, connections, and the addresses of profiles.
        case contacts = "contacts.changed"
        /// Messages in chats, with their reactions, versions and files.
        case items = "items.changed"
        /// Settings of the app and of profiles, and the tags of chats.
        case settings = "settings.changed"
    }

    /// The relays of a channel.
    public struct Channel: Sendable, Hashable {
        /// The channel.
        public let group: GroupID
        /// Its relays with their status, and the number that are active out of all.
        public let progress: ChannelProgress
    }

    /// The subject.
    public let subject: Subject
    /// The profile, which may be hidden. It is nil if the change concerns all profiles, if another connection made it,
    /// or if the rows that would show the profile are deleted.
    public let profile: UserID?
    /// For ``Subject/groupRelays``, the channels whose relays changed, by number, as they are when the value is made. It
    /// is empty for other subjects, and if the channels are not known or more than ``mostChannels``: then read them
    /// again.
    public let channels: [Channel]
    /// The number of transactions that changed the subject, of any profile, since the receiver got it last. It is
    /// greater than 1 if the receiver was slower than the changes.
    public let transactions: Int

    /// The largest number of `channels`.
    public static let mostChannels = 100

    /// Whether it stands for several transactions.
    public var isMerged: Bool { transactions > 1 }

    package init(_ subject: Subject, of profile: UserID? = nil, channels: [Channel] = [], transactions: Int) {
        self.subject = subject
        self.profile = profile
        self.channels = channels
        self.transactions = transactions
    }
}
