import ChatDBKit

extension Things {
    /// Channels that the profile relays, one of each status, each with an owner.
    var activeGroup: GroupID { GroupID(200 + number) }
    var waitingRequest: GroupID { GroupID(210 + number) }
    var failedRequest: GroupID { GroupID(220 + number) }
    var acceptedGroup: GroupID { GroupID(230 + number) }
    var inactiveGroup: GroupID { GroupID(240 + number) }
    var rejectedGroup: GroupID { GroupID(250 + number) }
    /// The owner of `activeGroup`.
    var relayedOwner: GroupMemberID { GroupMemberID(300 + number) }
    /// A message in `activeGroup`.
    var relayedMessage: MessageID { MessageID(200 + number) }
    var task: DeliveryTaskID { DeliveryTaskID(10 + number) }
    var job: DeliveryJobID { DeliveryJobID(10 + number) }
    var worker: DeliveryWorker { DeliveryWorker(groupID: activeGroup, scope: .group) }
    var rejectedLink: GroupLink? { GroupLink(storedFull: nil, short: "https://\(name).example/c#\(key(71))") }
}

extension TwoProfiles {
    /// What the store of a relay operator has, in an order that foreign keys allow.
    static func relayRows(_ things: Things) -> [String] {
        let (n, name) = (things.number, things.name)
        let groups: [(Int64, String, String)] = [
            (200, "active", "NULL, 0"), (210, "invited", "NULL, 0"), (220, "invited", "'\(name) is offline', 0"),
            (230, "accepted", "NULL, 0"), (240, "inactive", "NULL, 0"), (250, "rejected", "NULL, 0"),
        ]
        let rows = groups.flatMap { number, status, failure in
            let (group, own) = (number + n, number + n)
            let link = "https://\(name).example/c#\(key(number == 250 ? 71 : Int(number)))"
            return [
                """
                INSERT INTO display_names (user_id, local_display_name, ldn_base)
                VALUES (\(n), '\(name)-relayed-\(number)', '\(name)-relayed-\(number)'),
                    (\(n), '\(name)-relayed-owner-\(number)', '\(name)-relayed-owner-\(number)')
                """,
                """
                INSERT INTO group_profiles (group_profile_id, user_id, display_name)
                VALUES (\(group), \(n), '\(name)-relayed-\(number)')
                """,
                """
                INSERT INTO groups (group_id, user_id, group_profile_id, local_display_name, use_relays,
                    relay_own_status, relay_request_inv_id, relay_request_group_link, relay_request_group_link_key,
                    relay_request_peer_chat_min_version, relay_request_peer_chat_max_version,
                    relay_request_err_reason, relay_request_failed, relay_inactive_at, relay_sent_web_domain)
                VALUES (\(group), \(n), \(group), '\(name)-relayed-\(number)', 1, '\(status)', '\(name)-inv-\(number)',
                    '\(link)', '\(LinkKey.of(link) ?? "")', 1, 7, \(failure),
                    \(status == "inactive" ? "'2026-01-01 00:00:00.000'" : "NULL"), '\(name).example')
                """,
                """
                INSERT INTO contact_profiles (contact_profile_id, user_id, display_name)
                VALUES (\(100 + group), \(n), '\(name)-relayed-owner-\(number)')
                """,
                """
                INSERT INTO group_members (group_member_id, user_id, group_id, member_id, member_role, member_category,
                    member_status, local_display_name, contact_profile_id, contact_id)
                VALUES (\(own), \(n), \(group), '\(name)-r\(number)', 'relay', 'user',
                    '\(status == "rejected" ? "left" : "connected")', '\(name)', \(n), \(n)),
                    (\(100 + own), \(n), \(group), '\(name)-o\(number)', 'owner', 'host', 'connected',
                        '\(name)-relayed-owner-\(number)', \(100 + group), NULL)
                """,
            ]
        }
        return ["UPDATE users SET is_user_chat_relay = 1 WHERE user_id = \(n)"] + rows + [
            """
            INSERT INTO messages (message_id, user_id, msg_sent, chat_msg_event, msg_body, group_id, shared_msg_id)
            VALUES (\(200 + n), \(n), 0, 'x.msg.new', '\(name) relayed', \(200 + n), '\(name)-relayed-1')
            """,
            """
            INSERT INTO delivery_tasks (delivery_task_id, user_id, group_id, worker_scope, job_scope_spec_tag,
                job_scope_include_pending, sender_group_member_id, message_id, task_status, task_err_reason)
            VALUES (\(10 + n), \(n), \(200 + n), 'group', 'delivery_job', 0, \(300 + n), \(200 + n), 'new', NULL),
                (\(20 + n), \(n), \(200 + n), 'group', 'delivery_job', 0, \(300 + n), \(200 + n), 'error',
                    '\(name) failed')
            """,
            """
            INSERT INTO delivery_jobs (delivery_job_id, user_id, group_id, worker_scope, job_scope_spec_tag,
                job_scope_include_pending, sender_group_member_ids, body, job_status, job_err_reason)
            VALUES (\(10 + n), \(n), \(200 + n), 'group', 'delivery_job', 1, '\(900 + n)',
                    CAST('\(name) body' AS BLOB), 'pending', NULL),
                (\(20 + n), \(n), \(200 + n), 'group', 'delivery_job', 1, NULL, NULL, 'error', '\(name) failed')
            """,
        ]
    }
}
