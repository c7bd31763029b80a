import ChatDBKit

/// The requests of one client. Its calls may come from many threads. The session ends with its last reference.
public final class RequestSession: EventReceiver, Sendable {
    let service: RequestService
    /// Whether the client may only read.
    public let isReadOnly: Bool
    /// The events that wait for the client.
    public let outgoing = OutgoingQueue()

    /// The hidden profiles that the client has unlocked.
    let unlocked = UnlockedProfiles()

    fileprivate init(_ service: RequestService, isReadOnly: Bool) {
        self.service = service
        self.isReadOnly = isReadOnly
        service.enter()
    }

    deinit {
        service.subscribers.remove(ObjectIdentifier(self))
        service.leave()
    }

    /// The answer to one line, a request or a batch; nil for a line with notifications only. Every error is an answer.
    public func respond(to line: String) -> String? { respond(to: line.utf8) }

    /// The same in bytes of UTF-8, without a newline at the end.
    /// - Parameter readOnly: whether this line may only read, although the client may write.
    package func respond(to line: some Collection<UInt8>, readOnly: Bool = false) -> String? {
        if line.count > service.limits.lineBytes { return respondToLongLine() }
        return answer(to: line, isReadOnly || readOnly)
    }

    /// The answer to a line that the transport did not keep, because it is too long.
    func respondToLongLine() -> String {
        let error = RequestError(
            code: .parse, message: "the request has more than \(service.limits.lineBytes) bytes")
        return RequestAnswer.error(error, to: .null).text(.compact)
    }

    /// Sends an event to the client. Events about hidden profiles that the client has not unlocked are left out.
    func notify(_ event: StoreEvent) {
        var event = event
        if event.isOfHiddenProfile, event.profile.map({ unlocked.has($0, service.hiding) }) != true {
            // That a profile is hidden or gone concerns every client, but not which.
            guard event.subject == .profiles else { return }
            event.profile = nil
        }
        outgoing.add(event)
    }

    /// Subscribes the client to the events of the store, or ends that: then events that wait are dropped.
    private func setSubscribed(_ isSubscribed: Bool) throws {
        if isSubscribed { return try service.subscribers.add(self, to: service.store()) }
        service.subscribers.remove(ObjectIdentifier(self))
        outgoing.removeAll()
    }

    private func answer(to line: some Sequence<UInt8>, _ isReadOnly: Bool) -> String? {
        let limits = service.limits
        let read: RequestLine
        do throws(RequestError) {
            read = try RequestLine(
                line, limits: JSONLimits(bytes: limits.lineBytes, depth: limits.depth, values: limits.values),
                batch: limits.batch)
        } catch {
            return RequestAnswer.error(error, to: .null).text(.compact)
        }
        var room = limits.answerBytes
        guard read.isBatch else { return read.entries.first.flatMap { text(of: $0, isReadOnly, &room) } }
        var answers = ""
        for entry in read.entries {
            guard let text = text(of: entry, isReadOnly, &room) else { continue }
            answers += (answers.isEmpty ? "[" : ",") + text
        }
        return answers.isEmpty ? nil : answers + "]"
    }

    /// The answer to one request, which has room for this many bytes. Without room, a request does not run.
    private func text(of entry: RequestLine.Entry, _ isReadOnly: Bool, _ room: inout Int) -> String? {
        guard case .request(let request) = entry, let id = request.id else {
            return answer(to: entry, isReadOnly)?.text(.compact)
        }
        if room > 0, let text = answer(to: entry, isReadOnly)?.text(.compact) {
            room -= text.utf8.count
            // What a request has changed stays changed: its answer is sent.
            let isWritten = (try? MethodTable.method(request.method))?.access == .write
            if room >= 0 || isWritten { return text }
        }
        let tooLarge = ServiceError.answerTooLarge(limit: service.limits.answerBytes)
        return RequestAnswer.error(service.describe(tooLarge), to: id).text(.compact)
    }

    private func answer(to entry: RequestLine.Entry, _ isReadOnly: Bool) -> JSONValue? {
        switch entry {
        case .invalid(let error, let id): return id.map { RequestAnswer.error(error, to: $0) }
        case .request(let request):
            let outcome = Result { try run(request, isReadOnly) }
            guard let id = request.id else { return nil }
            switch outcome {
            case .success(let result): return RequestAnswer.result(result, to: id)
            case .failure(let error): return RequestAnswer.error(service.describe(error), to: id)
            }
        }
    }

    private func run(_ request: RequestLine.Request, _ isReadOnly: Bool) throws -> JSONValue {
        if request.method == "rpc.discover" {
            _ = try Arguments(request.parameters, for: [])
            return OpenRPC.document
        }
        let method = try MethodTable.method(request.method)
        let arguments = try Arguments(request.parameters, for: method.parameters)
        if isReadOnly, method.access == .write { throw ServiceError.readOnlySession(method: method.name) }
        try service.gate.enter(limit: service.limits.requests)
        defer { service.gate.leave() }
        return try method.body(
            Call(
                arguments: arguments, service: service, unlocked: unlocked,
                setSubscribed: { [self] in try setSubscribed($0) }))
    }
}

extension RequestService {
    /// A session of one client.
    /// - Parameter readOnly: whether the client may only read.
    public func session(readOnly: Bool = false) -> RequestSession {
        RequestSession(self, isReadOnly: readOnly || mode == .readOnly)
    }
}
