package import ChatDBKit

// What a profile does as a chat relay, in the answers of commands.

extension RelayServiceCounts {
    /// The counts and times, without names: a bundle may have them.
    package var json: JSONValue {
        [
            "groups": [
                "accepted": JSONValue(accepted), "active": JSONValue(active), "inactive": JSONValue(inactive),
                "rejected": JSONValue(rejected),
            ],
            "requests": [
                "waiting": JSONValue(waitingRequests), "failed": JSONValue(failedRequests),
                "gaveUp": JSONValue(givenUpRequests), "incomplete": JSONValue(incompleteRequests),
                "oldest": JSONValue(oldestRequest?.iso8601),
                "reasons": .array(
                    failureWords.map { ["reason": .string($0.word), "requests": JSONValue($0.requests)] }),
            ],
            "tasks": tasks.json, "jobs": jobs.json,
        ]
    }

    /// The same as lines for people.
    package var fields: [Field] {
        [
            Field("Groups served", .count(served)), Field("Active", key: "activeGroups", .count(active)),
            Field("Inactive", key: "inactiveGroups", .count(inactive)),
            Field("Rejected", key: "rejectedGroups", .count(rejected)),
            Field("Requests", .text(requestWords)), Field("Oldest request", .time(oldestRequest?.date)),
            Field("Delivery tasks", .text(tasks.words)), Field("Delivery jobs", .text(jobs.words)),
        ]
    }

    /// `2 waiting, 1 failed`; `none` for no requests.
    package var requestWords: String {
        let parts = [
            (waitingRequests, "waiting"), (failedRequests, "failed"), (givenUpRequests, "given up"),
            (incompleteRequests, "incomplete"),
        ].filter { $0.0 > 0 }.map { "\(CellText.grouped(Int64($0.0))) \($0.1)" }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }

    /// The oldest thing that waits.
    package var oldest: StoredTime? { [oldestRequest, tasks.oldest, jobs.oldest].compactMap(\.self).min() }
}

extension DeliveryBacklog {
    package var json: JSONValue {
        ["waiting": JSONValue(waiting), "failed": JSONValue(failed), "oldest": JSONValue(oldest?.iso8601)]
    }

    /// `3 waiting, 1 failed`; `none` for an empty queue.
    package var words: String {
        let parts = [(waiting, "waiting"), (failed, "failed")].filter { $0.0 > 0 }
            .map { "\(CellText.grouped(Int64($0.0))) \($0.1)" }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }
}

/// A group as its relay sees it, and what it has to deliver there.
package struct GroupRelaying {
    /// Nil for a group that the profile does not relay.
    package let group: RelayedGroup?
    package let queue: DeliveryQueue

    package init(of id: GroupID, of user: UserID, in chat: any ReadTransaction) throws {
        group = try RelayedGroupsRepo(chat).find(id, of: user)
        queue = try RelayedGroupsRepo(chat).queue(of: id, of: user)
    }

    /// Null for a group that the profile does not relay.
    package var json: JSONValue {
        guard let group else { return .null }
        return [
            "relayOwnStatus": .string(group.status.text), "inactiveAt": JSONValue(group.inactiveSince?.iso8601),
            "sentWebDomain": JSONValue(group.sentWebDomain), "request": group.requestJSON,
        ]
    }

    /// What waits and what failed.
    package var deliveryJSON: JSONValue { ["tasks": queue.tasks.json, "jobs": queue.jobs.json] }

    /// The lines for people; empty for a group that the profile does not relay and in which nothing is to be delivered.
    package var blocks: [Block] {
        var fields = group?.fields ?? []
        if group != nil || !queue.isEmpty {
            fields += [
                Field("Delivery tasks", .text(queue.tasks.words)), Field("Delivery jobs", .text(queue.jobs.words)),
            ]
            if let oldest = [queue.tasks.oldest, queue.jobs.oldest].compactMap(\.self).min() {
                fields.append(Field("Oldest waiting", key: "oldestDelivery", .time(oldest.date)))
            }
        }
        return fields.isEmpty ? [] : [.heading("Chat relay"), .fields(fields)]
    }
}

extension RelayedGroup {
    fileprivate var requestJSON: JSONValue {
        guard let request else { return .null }
        return [
            "state": JSONValue(requestState?.text), "reason": JSONValue(request.failure),
            "link": JSONValue(request.link), "retries": JSONValue(request.retries),
            "executeAt": .string(request.executeAt.iso8601), "createdAt": .string(createdAt.iso8601),
            "peerVersions": request.peerVersions.map {
                ["min": JSONValue($0.lowest), "max": JSONValue($0.highest)]
            } ?? .null,
        ]
    }

    fileprivate var fields: [Field] {
        var fields = [Field("Own status", key: "relayOwnStatus", .text(status.shownOwnName, ownStyle))]
        if let inactiveSince { fields.append(Field("Inactive since", key: "inactiveAt", .time(inactiveSince.date))) }
        if let sentWebDomain { fields.append(Field("Web domain", key: "sentWebDomain", .text(sentWebDomain))) }
        if let state = requestState { fields.append(Field("Request", .text(state.shown, state.style))) }
        if let request {
            fields.append(Field("Link of the request", key: "requestLink", .text(request.link)))
            if requestState != nil {
                fields += [
                    Field("Requested", key: "requestedAt", .time(createdAt.date)),
                    Field("Failed attempts", key: "retries", .count(request.retries)),
                ]
            }
            if requestState == .waiting, request.retries > 0 {
                fields.append(Field("Next attempt", key: "executeAt", .time(request.executeAt.date)))
            }
        }
        return fields
    }

    private var ownStyle: CellStyle? { status == .active ? .good : status == .rejected ? .bad : nil }
}

extension RelayStatus {
    /// The profile's own status for people. Only the word for an invited relay differs from that in a list of a channel's
    /// relays.
    fileprivate var shownOwnName: String { self == .invited ? "Invited" : shownName }
}

extension RelayRequest.State {
    /// The state for people, with the reason of a failure.
    fileprivate var shown: String {
        switch self {
        case .waiting: "waiting"
        case .gaveUp: "given up"
        case .failed(let reason): "failed: \(reason)"
        case .incomplete: "incomplete: the link, the invitation or a version is missing"
        }
    }

    fileprivate var style: CellStyle? { self == .waiting ? nil : .bad }
}
