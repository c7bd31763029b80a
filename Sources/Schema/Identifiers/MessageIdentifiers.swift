/// A message sent or received: a row of `messages` in the chat database.
public struct MessageID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A message on one connection: a row of `msg_deliveries`.
public struct MessageDeliveryID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// What a conversation shows: a row of `chat_items`.
public struct ChatItemID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A version of an edited item: a row of `chat_item_versions`.
public struct ChatItemVersionID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A row of `chat_item_reactions`.
public struct ChatItemReactionID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A file sent or received: a row of `files`.
public struct FileID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A row of `xftp_file_descriptions`.
public struct FileDescriptionID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A label for conversations: a row of `chat_tags`.
public struct ChatTagID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// Notes to oneself: a row of `note_folders`.
public struct NoteFolderID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}
