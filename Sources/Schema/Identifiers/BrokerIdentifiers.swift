/// The id a message server gave to a message: `broker_id`.
public struct BrokerMessageID: BytesIdentifier {
    /// The bytes, as stored.
    public let bytes: [UInt8]

    /// The identifier with these bytes; whether there is such a row is not asked.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

/// The id under which an app waits for the outcome of a command: `corr_id`.
public struct CorrelationID: BytesIdentifier {
    /// The bytes, as stored.
    public let bytes: [UInt8]

    /// The identifier with these bytes; whether there is such a row is not asked.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

/// The registration of a device at a notification server: `tkn_id`.
public struct NotificationTokenID: BytesIdentifier {
    /// The bytes, as stored.
    public let bytes: [UInt8]

    /// The identifier with these bytes; whether there is such a row is not asked.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

/// A subscription at a notification server: `ntf_sub_id`.
public struct NotificationSubscriptionID: BytesIdentifier {
    /// The bytes, as stored.
    public let bytes: [UInt8]

    /// The identifier with these bytes; whether there is such a row is not asked.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
