import ChatDBSchema

/// The stored texts of the agent database.
let agentKinds = [
    Kind(ConnectionMode.self, ["INV", "CON"]),
    Kind(QueueStatus.self, ["new", "confirmed", "secured", "active", "disabled"]),
    Kind(ReceiveSwitchStatus.self, ["switch_started", "sending_qadd", "sending_quse", "received_message"]),
    Kind(SendSwitchStatus.self, ["sending_qkey", "sending_qtest"]),
    Kind(RatchetSyncState.self, ["ok", "allowed", "required", "started", "agreed"]),
    Kind(NotificationTokenStatus.self, ["NEW", "REGISTERED", "INVALID", "CONFIRMED", "ACTIVE", "EXPIRED"]),
    Kind(NotificationTokenAction.self, ["REGISTER", "VERIFY", "CHECK", "DELETE"]),
    Kind(NotificationMode.self, ["PERIODIC", "INSTANT"]),
    Kind(
        NotificationSubscriptionStatus.self, ["NEW", "PENDING", "ACTIVE", "INACTIVE", "END", "AUTH", "DELETED"]),
    Kind(NotificationServerAction.self, ["N_CREATE", "N_CHECK", "N_DELETE", "N_ROTATE"]),
    Kind(NotificationQueueAction.self, ["S_KEY", "S_DELETE"]),
    Kind(AgentReceivedFileStatus.self, ["receiving", "received", "decrypting", "complete", "error"]),
    Kind(AgentSentFileStatus.self, ["new", "encrypting", "encrypted", "uploading", "complete", "error"]),
    Kind(SentReplicaStatus.self, ["created", "uploaded"]),
]
