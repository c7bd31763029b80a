import ChatDBKit

extension RepositoryCatalogue {
    static let relayService: [CatalogueEntry] = relayedGroups + relayRequests + deliveryTasks + deliveryJobs

    private static let relayedGroups: [CatalogueEntry] = [
        CatalogueEntry("RelayedGroupsRepo.find(_:of:)") {
            try RelayedGroupsRepo($0.chat).find($0.things.activeGroup, of: $0.user) as Any
        },
        CatalogueEntry("RelayedGroupsRepo.get(_:of:)") {
            try RelayedGroupsRepo($0.chat).get($0.things.activeGroup, of: $0.user)
        },
        CatalogueEntry("RelayedGroupsRepo.page(of:statuses:after:limit:)") { call in
            let groups = RelayedGroupsRepo(call.chat)
            return try [
                groups.page(of: call.user),
                groups.page(of: call.user, statuses: [.accepted, .active], after: call.things.channel, limit: 1),
            ]
        },
        CatalogueEntry("RelayedGroupsRepo.inactive(of:since:limit:)") {
            try RelayedGroupsRepo($0.chat).inactive(of: $0.user, since: .now())
        },
        CatalogueEntry("RelayedGroupsRepo.counts(of:)") { try RelayedGroupsRepo($0.chat).counts(of: $0.user) },
        CatalogueEntry("RelayedGroupsRepo.queue(of:of:)") {
            try RelayedGroupsRepo($0.chat).queue(of: $0.things.activeGroup, of: $0.user)
        },
        CatalogueEntry("RelayedGroupsWriter.activate(_:of:)") {
            try RelayedGroupsWriter($0.chat).activate($0.things.acceptedGroup, of: $0.user)
        },
        CatalogueEntry("RelayedGroupsWriter.deactivate(_:of:)") {
            try RelayedGroupsWriter($0.chat).deactivate($0.things.activeGroup, of: $0.user)
        },
        CatalogueEntry("RelayedGroupsWriter.reject(_:of:)") {
            try RelayedGroupsWriter($0.chat).reject($0.things.activeGroup, of: $0.user)
        },
        CatalogueEntry("RelayedGroupsWriter.allow(_:of:)") {
            try RelayedGroupsWriter($0.chat).allow($0.things.rejectedGroup, of: $0.user)
        },
        CatalogueEntry("RelayedGroupsWriter.setSentWebDomain(_:of:of:)") {
            try RelayedGroupsWriter($0.chat).setSentWebDomain("web.example", of: $0.things.activeGroup, of: $0.user)
        },
    ]

    private static let relayRequests: [CatalogueEntry] = [
        CatalogueEntry("RelayRequestsRepo.next(of:by:)") {
            try RelayRequestsRepo($0.chat).next(of: $0.user, by: .now()) as Any
        },
        CatalogueEntry("RelayRequestsRepo.nextTime(of:)") {
            try RelayRequestsRepo($0.chat).nextTime(of: $0.user) as Any
        },
        CatalogueEntry("RelayRequestsRepo.waiting(of:limit:)") { try RelayRequestsRepo($0.chat).waiting(of: $0.user) },
        CatalogueEntry("RelayRequestsRepo.failed(of:after:limit:)") {
            try RelayRequestsRepo($0.chat).failed(of: $0.user)
        },
        CatalogueEntry("RelayRequestsRepo.refusal(of:of:)") { call in
            try call.things.rejectedLink.flatMap { try RelayRequestsRepo(call.chat).refusal(of: $0, of: call.user) }
                as Any
        },
        CatalogueEntry("RelayRequestsWriter.receive(_:of:)") { call in
            try RelayRequestsWriter(call.chat).receive(
                NewRelayRequest(
                    invitationID: InvitationID(bytes: Array("new".utf8)), link: GroupLink(channelLink(70)),
                    peerVersions: RelayRequest.PeerVersions(lowest: 1, highest: 7), ownerName: "owner",
                    ownerMemberID: "owner", relayMemberID: "relay"), of: call.user
            ).outcome
        },
        CatalogueEntry("RelayRequestsWriter.retryLater(_:delay:of:)") {
            try RelayRequestsWriter($0.chat).retryLater($0.things.waitingRequest, delay: 5_000_000, of: $0.user)
        },
        CatalogueEntry("RelayRequestsWriter.fail(_:reason:of:)") {
            try RelayRequestsWriter($0.chat).fail($0.things.waitingRequest, reason: "no", of: $0.user)
        },
        CatalogueEntry("RelayRequestsWriter.giveUp(_:of:)") {
            try RelayRequestsWriter($0.chat).giveUp($0.things.waitingRequest, of: $0.user)
        },
        CatalogueEntry("RelayRequestsWriter.restart(_:of:)") {
            try RelayRequestsWriter($0.chat).restart($0.things.failedRequest, of: $0.user)
        },
        CatalogueEntry("RelayRequestsWriter.accept(_:profile:of:)") {
            try RelayRequestsWriter($0.chat).accept(
                $0.things.waitingRequest, profile: GroupProfile(displayName: "news"), of: $0.user)
        },
    ]

    private static let deliveryTasks: [CatalogueEntry] = [
        CatalogueEntry("DeliveryTasksRepo.find(_:of:)") {
            try DeliveryTasksRepo($0.chat).find($0.things.task, of: $0.user) as Any
        },
        CatalogueEntry("DeliveryTasksRepo.get(_:of:)") {
            try DeliveryTasksRepo($0.chat).get($0.things.task, of: $0.user)
        },
        CatalogueEntry("DeliveryTasksRepo.workers(of:)") { try DeliveryTasksRepo($0.chat).workers(of: $0.user) },
        CatalogueEntry("DeliveryTasksRepo.next(for:of:)") {
            try DeliveryTasksRepo($0.chat).next(for: $0.things.worker, of: $0.user) as Any
        },
        CatalogueEntry("DeliveryTasksRepo.batch(with:of:limit:)") {
            try DeliveryTasksRepo($0.chat).batch(with: $0.things.task, of: $0.user)
        },
        CatalogueEntry("DeliveryTasksWriter.add(_:of:)") { call in
            try [.group(), .support(call.things.relayedOwner)].map { try add(to: $0, call) }
        },
        CatalogueEntry("DeliveryTasksWriter.fail(_:reason:of:)") {
            try DeliveryTasksWriter($0.chat).fail($0.things.task, reason: "no", of: $0.user)
        },
        CatalogueEntry("DeliveryTasksWriter.leaveOut(_:of:)") {
            try DeliveryTasksWriter($0.chat).leaveOut($0.things.task, of: $0.user)
        },
        CatalogueEntry("DeliveryTasksWriter.deleteDone(madeBefore:of:)") {
            try DeliveryTasksWriter($0.chat).deleteDone(
                madeBefore: StoredTime(microseconds: .max), of: $0.user)
        },
    ]

    private static let deliveryJobs: [CatalogueEntry] = [
        CatalogueEntry("DeliveryJobsRepo.find(_:of:)") {
            try DeliveryJobsRepo($0.chat).find($0.things.job, of: $0.user) as Any
        },
        CatalogueEntry("DeliveryJobsRepo.get(_:of:)") { try DeliveryJobsRepo($0.chat).get($0.things.job, of: $0.user) },
        CatalogueEntry("DeliveryJobsRepo.workers(of:)") { try DeliveryJobsRepo($0.chat).workers(of: $0.user) },
        CatalogueEntry("DeliveryJobsRepo.next(for:of:)") {
            try DeliveryJobsRepo($0.chat).next(for: $0.things.worker, of: $0.user) as Any
        },
        CatalogueEntry("DeliveryJobsRepo.recipients(of:of:limit:)") {
            try DeliveryJobsRepo($0.chat).recipients(of: $0.things.job, of: $0.user)
        },
        CatalogueEntry("DeliveryJobsWriter.add(from:body:of:)") {
            let support = try add(to: .support($0.things.relayedOwner), $0)
            return [
                try DeliveryJobsWriter($0.chat).add(from: [$0.things.task], body: [1], of: $0.user),
                try DeliveryJobsWriter($0.chat).add(from: [support.id], body: [1], of: $0.user),
            ]
        },
        CatalogueEntry("DeliveryJobsWriter.advance(_:to:of:)") {
            try DeliveryJobsWriter($0.chat).advance($0.things.job, to: $0.things.relayedOwner, of: $0.user)
        },
        CatalogueEntry("DeliveryJobsWriter.complete(_:of:)") {
            try DeliveryJobsWriter($0.chat).complete($0.things.job, of: $0.user)
        },
        CatalogueEntry("DeliveryJobsWriter.fail(_:reason:of:)") {
            try DeliveryJobsWriter($0.chat).fail($0.things.job, reason: "no", of: $0.user)
        },
        CatalogueEntry("DeliveryJobsWriter.leaveOut(_:of:)") {
            try DeliveryJobsWriter($0.chat).leaveOut($0.things.job, of: $0.user)
        },
        CatalogueEntry("DeliveryJobsWriter.deleteDone(madeBefore:of:)") {
            try DeliveryJobsWriter($0.chat).deleteDone(madeBefore: StoredTime(microseconds: .max), of: $0.user)
        },
    ]

    private static func add(to scope: DeliveryScope, _ call: Call) throws -> DeliveryTask {
        let things = call.things
        return try DeliveryTasksWriter(call.chat).add(
            NewDeliveryTask(
                in: things.activeGroup, to: scope, from: things.relayedOwner, message: things.relayedMessage,
                isFromChannel: true), of: call.user)
    }
}
