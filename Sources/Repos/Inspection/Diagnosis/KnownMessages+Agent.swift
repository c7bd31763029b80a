/// Errors of the app's agent, by their names in the agent's source.
extension KnownMessage {
    static let ofAgent: [KnownMessage] = [
        KnownMessage(
            "userNotFound", ["INTERNAL SEUserNotFound", "SEUserNotFound", "NO_USER"],
            """
            The agent database does not have the profile, or has marked it as deleted. The app can neither connect nor \
            delete the profile with its connections.
            """,
            findings: ["profileMarkedDeleted", "profileWithoutAgent"],
            possible: ["sharedAgentProfile", "agentProfileWithoutProfile"], origin: .agent),
        KnownMessage(
            "uniqueID", ["SEUniqueID"],
            """
            The agent failed three times to store a row with a new random id. The id is never the reason: another \
            constraint refuses the row, such as the reference to a missing profile.
            """,
            findings: ["profileWithoutAgent"],
            possible: ["agentDanglingReference", "agentSchemaMissing", "agentSchemaDrift", "otherHistory"]),
        KnownMessage(
            "connNotFound",
            [
                "SEConnNotFound", "CONN NOT_FOUND", "connErr NOT_FOUND", "connErr type NOT_FOUND", "SERatchetNotFound",
                "SEX3dhKeysNotFound",
            ],
            "The agent database does not have the connection, or its keys. It can neither send nor receive.",
            findings: ["connectionWithoutAgent"],
            possible: ["connectionDeletedOnOneSide", "agentDanglingReference"],
            elsewhere: ["the connection was deleted while the app still used it: restart the app"]),
        KnownMessage(
            "connDuplicate",
            ["SEConnDuplicate", "CONN DUPLICATE", "connErr DUPLICATE", "connErr type DUPLICATE", "SESndQueueExists"],
            "The connection exists already.",
            possible: ["agentConnectionWithoutConnection", "duplicateGroup"],
            elsewhere: ["the same link was used twice"]),
        KnownMessage(
            "connSimplex",
            [
                "CONN SIMPLEX", "connErr SIMPLEX", "connErr type SIMPLEX", "SEBadConnType", "NOT_AVAILABLE",
                "NOT_ACCEPTED",
            ],
            """
            The connection has no queue for this direction: the other side has not completed the connection, or the \
            queue was lost.
            """,
            findings: ["disabledQueue"],
            possible: ["connectionDeletedOnOneSide", "agentDanglingReference"],
            elsewhere: ["the other person has not come online since the connection began"]),
        KnownMessage(
            "decryption",
            [
                "decryption error", "decryption errors", "A_CRYPTO", "DECRYPT_AES", "DECRYPT_CB", "RATCHET_HEADER",
                "RATCHET_EARLIER", "RATCHET_SKIPPED", "RATCHET_SYNC", "encryption re-negotiation error",
                "encryption re-negotiation required",
            ],
            """
            The keys of a connection differ from those of the other side. Both sides have to negotiate them again, with \
            "Fix connection" in the app.
            """,
            findings: ["ratchetOutOfSync"],
            possible: ["messageBeyondCounter"],
            elsewhere: [
                "these files, or those of the other person, were restored from an older copy",
                "the same files are used on two devices",
            ]),
        KnownMessage(
            "duplicateMessage", ["A_DUPLICATE"],
            "The agent received a message twice, and ignores the second one.",
            possible: ["messageBeyondCounter", "ratchetOutOfSync", "mismatchedPair"],
            elsewhere: ["the server sent it again, which does no harm", "the same files are used on two devices"],
            isOfRows: false),
        KnownMessage(
            "auth", ["SMP AUTH", "smpErr AUTH", "smpErr type AUTH", "Connection error (AUTH)"],
            "The server does not know the queue, or refuses the key: the other side deleted or moved the queue.",
            findings: ["disabledQueue"],
            possible: ["connectionDeletedOnOneSide", "mismatchedPair"],
            elsewhere: [
                "the other person deleted the contact, or the queue expired at the server",
                "the server needs a password that the store does not have",
            ], isOfRows: false),
        KnownMessage(
            "quota", ["QUOTA"],
            "The queue is full: the recipient has not received messages for a long time. The agent tries again.",
            possible: ["undeliveredMessage"], elsewhere: ["the recipient is offline"], isOfRows: false),
        KnownMessage(
            "network",
            [
                "BROKER TIMEOUT", "BROKER NETWORK", "BROKER HOST", "brokerErr TIMEOUT", "brokerErr NETWORK",
                "brokerErr HOST", "brokerErr type TIMEOUT", "brokerErr type NETWORK", "brokerErr type HOST",
            ],
            "The agent does not reach the server. It tries again.",
            elsewhere: ["the network, the server, or a proxy that is set in the app"], isOfRows: false),
    ]
}
