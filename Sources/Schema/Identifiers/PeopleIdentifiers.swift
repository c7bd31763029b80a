/// A profile: a row of `users` in the chat database.
public struct UserID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// What a contact, a member or the profile itself shows of itself: a row of `contact_profiles`.
public struct ContactProfileID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A row of `contacts`; a profile has one of its own.
public struct ContactID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// Somebody's wish to connect: a row of `contact_requests`.
public struct ContactRequestID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A profile's address, or the link of a group: a row of `user_contact_links`.
public struct UserContactLinkID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A row of `connections` in the chat database.
public struct ConnectionID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A group or a channel: a row of `groups`.
public struct GroupID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// The name, picture and welcome text of a group: a row of `group_profiles`.
public struct GroupProfileID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A row of `group_members`; a profile's own membership and a relay are members too.
public struct GroupMemberID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A relay's part in one channel: a row of `group_relays`.
public struct GroupRelayID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}
