/// A relay a profile may use: a row of `chat_relays`.
public struct ChatRelayID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A row of `server_operators`, which all profiles share.
public struct ServerOperatorID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A version of the conditions of use: a row of `usage_conditions`.
public struct UsageConditionsID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// An SMP or XFTP server of a profile: a row of `protocol_servers`.
public struct ProtocolServerID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}
