import ChatDBKit

extension Things {
    /// The queue of `agentConnection` to receive from; `secondReceiveQueue` is not primary.
    var receiveQueue: QueueAddress { queue("rcv-\(name)") }
    var secondReceiveQueue: QueueAddress { queue("rcv2-\(name)") }
    /// Being deleted.
    var deletedReceiveQueue: QueueAddress { queue("rcv3-\(name)") }
    var sendQueue: QueueAddress { queue("snd-\(name)") }
    var secondSendQueue: QueueAddress { queue("snd2-\(name)") }
    /// On its way out.
    var deletedSendQueue: QueueAddress { queue("snd3-\(name)") }
    var notifier: QueueAddress { queue("ntf-\(name)") }
    /// With agreement keys, an answer to its invitation, and two queues that are being deleted.
    var secondAgentConnection: AgentConnectionID { AgentConnectionID("conn-\(name)-2") }
    /// Of an address, with a request.
    var addressConnection: AgentConnectionID { AgentConnectionID("conn-\(name)-4") }
    /// Marked as deleted, without queues.
    var deletedConnection: AgentConnectionID { AgentConnectionID("conn-\(name)-5") }
    /// On `agentConnection`: received and taken, received, sent, sent with a shared body; the last two wait.
    var acknowledgedMessage: AgentMessageID { AgentMessageID(1) }
    var receivedMessage: AgentMessageID { AgentMessageID(2) }
    var sentMessage: AgentMessageID { AgentMessageID(3) }
    var sharedMessage: AgentMessageID { AgentMessageID(4) }
    var sharedBody: AgentMessageBodyID { AgentMessageBodyID(100 + number) }
    var agentDelivery: AgentDeliveryID { AgentDeliveryID(100 + number) }
    var confirmation: ConfirmationID { ConfirmationID("confirmation-\(name)") }
    var agentInvitation: InvitationID { InvitationID("invitation-\(name)") }
    /// At a server; the other needs none.
    var command: AgentCommandID { AgentCommandID(100 + number) }
    var serverlessCommand: AgentCommandID { AgentCommandID(200 + number) }
}

extension TwoProfiles {
    /// The rows that belong to no profile.
    static let sharedAgentRows = [
        "INSERT INTO ntf_servers (ntf_host, ntf_port, ntf_key_hash) VALUES ('ntf.example', '443', 'k=')",
        """
        INSERT INTO ntf_tokens (provider, device_token, ntf_host, ntf_port, tkn_pub_key, tkn_priv_key, tkn_pub_dh_key,
            tkn_priv_dh_key, tkn_status, tkn_action)
        VALUES ('apns', CAST('device' AS BLOB), 'ntf.example', '443', x'01', x'02', x'03', x'04', 'NEW', 'REGISTER')
        """,
        """
        INSERT INTO xftp_servers (xftp_server_id, xftp_host, xftp_port, xftp_key_hash)
        VALUES (1, 'xftp.example', '443', 'k=')
        """,
    ]

    /// The rows of the agent's work for one profile: queues, messages, requests, commands.
    static func agentWorkRows(_ things: Things) -> [String] {
        let (n, name) = (things.number, things.name)
        let connection = (0...5).map { "CAST('conn-\(name)-\($0)' AS BLOB)" }
        let time = "'2026-07-2\(n) 09:05:00.120'"
        func blob(_ text: String) -> String { "CAST('\(text)-\(name)' AS BLOB)" }
        return [
            """
            INSERT INTO connections (conn_id, user_id, conn_mode, deleted)
            VALUES (\(connection[4]), \(n), 'CON', 0), (\(connection[5]), \(n), 'INV', 1)
            """,
            """
            UPDATE connections SET last_internal_msg_id = 4, last_internal_rcv_msg_id = 2,
                last_internal_snd_msg_id = 2, last_external_snd_msg_id = 2, last_rcv_msg_hash = x'02',
                last_snd_msg_hash = x'04' WHERE conn_id = \(connection[1])
            """,
            """
            INSERT INTO rcv_queues (host, port, rcv_id, conn_id, rcv_queue_id, rcv_primary, rcv_private_key,
                rcv_dh_secret, e2e_priv_key, snd_id, status, deleted) VALUES
                ('smp.example', '5223', \(blob("rcv2")), \(connection[1]), 2, 0, x'01', x'02', x'03',
                    \(blob("snd-of-rcv2")), 'new', 0),
                ('smp.example', '5223', \(blob("rcv3")), \(connection[2]), 1, 1, x'01', x'02', x'03',
                    \(blob("snd-of-rcv3")), 'active', 1)
            """,
            """
            INSERT INTO snd_queues (host, port, snd_id, conn_id, snd_queue_id, snd_primary, snd_private_key,
                e2e_dh_secret, status, deleted) VALUES
                ('smp.example', '5223', \(blob("snd2")), \(connection[1]), 2, 0, x'01', x'02', 'new', 0),
                ('smp.example', '5223', \(blob("snd3")), \(connection[2]), 1, 1, x'01', x'02', 'active', 1)
            """,
            "INSERT INTO snd_message_bodies (snd_message_body_id, agent_msg) VALUES (\(100 + n), \(blob("shared")))",
            """
            INSERT INTO messages (conn_id, internal_id, internal_ts, msg_type, msg_body) VALUES
                (\(connection[1]), 1, \(time), 'M', \(blob("one"))), (\(connection[1]), 2, \(time), 'M', \(blob("two"))),
                (\(connection[1]), 3, \(time), 'M', \(blob("three"))), (\(connection[1]), 4, \(time), 'M', x'')
            """,
            """
            INSERT INTO rcv_messages (conn_id, internal_rcv_id, internal_id, external_snd_id, broker_id, broker_ts,
                internal_hash, external_prev_snd_hash, integrity, user_ack) VALUES
                (\(connection[1]), 1, 1, 1, \(blob("broker")), \(time), x'01', x'', 'ok', 1),
                (\(connection[1]), 2, 2, 2, \(blob("broker2")), \(time), x'02', x'01', 'ok', 0)
            """,
            """
            INSERT INTO snd_messages (conn_id, internal_snd_id, internal_id, internal_hash, previous_msg_hash,
                snd_message_body_id) VALUES
                (\(connection[1]), 1, 3, x'03', x'', NULL), (\(connection[1]), 2, 4, x'04', x'03', \(100 + n))
            """,
            """
            INSERT INTO snd_message_deliveries (snd_message_delivery_id, conn_id, snd_queue_id, internal_id)
            VALUES (\(100 + n), \(connection[1]), 1, 3), (\(200 + n), \(connection[1]), 1, 4)
            """,
            """
            INSERT INTO encrypted_rcv_message_hashes (conn_id, hash) VALUES (\(connection[1]), \(blob("hash")))
            """,
            """
            INSERT INTO processed_ratchet_key_hashes (conn_id, hash) VALUES (\(connection[1]), \(blob("hash")))
            """,
            "INSERT INTO ratchets (conn_id, ratchet_state) VALUES (\(connection[1]), \(blob("ratchet")))",
            """
            INSERT INTO ratchets (conn_id, x3dh_priv_key_1, x3dh_priv_key_2) VALUES (\(connection[2]), x'01', x'02')
            """,
            """
            INSERT INTO skipped_messages (conn_id, header_key, msg_n, msg_key)
            VALUES (\(connection[1]), \(blob("header")), 7, \(blob("key")))
            """,
            """
            INSERT INTO conn_confirmations (confirmation_id, conn_id, e2e_snd_pub_key, ratchet_state,
                sender_conn_info)
            VALUES (\(blob("confirmation")), \(connection[2]), x'01', x'02', x'03')
            """,
            """
            INSERT INTO conn_invitations (invitation_id, contact_conn_id, cr_invitation, recipient_conn_info)
            VALUES (\(blob("invitation")), \(connection[4]), x'01', x'02')
            """,
            """
            INSERT INTO commands (command_id, conn_id, host, port, corr_id, command_tag, command) VALUES
                (\(100 + n), \(connection[1]), 'smp.example', '5223', \(blob("corr")), 'NEW', x'01'),
                (\(200 + n), \(connection[1]), NULL, NULL, \(blob("corr2")), 'JOIN', x'02')
            """,
            """
            INSERT INTO ntf_subscriptions (conn_id, smp_host, smp_port, smp_ntf_id, ntf_host, ntf_port, ntf_sub_status,
                ntf_sub_action, ntf_sub_action_ts)
            VALUES (\(connection[1]), 'smp.example', '5223', \(blob("ntf")), 'ntf.example', '443', 'NEW', 'N_CREATE',
                \(time))
            """,
        ]
    }
}
