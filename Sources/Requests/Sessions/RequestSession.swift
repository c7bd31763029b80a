package import ChatDBKit

/// The requests of one client. Its calls may come from many threads. The session ends with its last reference.
public final class RequestSession: Sendable {
    let service: RequestService
    /// Whether the client may only read.
    public let isReadOnly: Bool
    /// What waits for the client: notifications, and with a transport also answers.
    public let outgoing = OutgoingQueue()

    private let unlocked = UnlockedProfiles()

    fileprivate init(_ service: RequestService, isReadOnly: Bool) {
        self.service = service
        self.isReadOnly = isReadOnly
        service.enter()
    }

    deinit { service.leave() }

    /// The answer to one line, a request or a batch; nil for a line with notifications only. Every error is an answer.
    public func respond(to line: String) -> String? {
        answer(to: line.utf8).map { $0.text(.compact) }
    }

    /// The same in bytes of UTF-8, without a newline at the end.
    func respond(to line: some Sequence<UInt8>) -> String? {
        answer(to: line).map { $0.text(.compact) }
    }

    /// The answer to a line that the transport did not keep, because it is too long.
    func respondToLongLine() -> String {
        let error = RequestError(
            code: .parse, message: "the request has more than \(service.limits.lineBytes) bytes")
        return RequestAnswer.error(error, to: .null).text(.compact)
    }

    /// Sends a notification, which says what happened.
    ///
    /// - Parameters:
    ///   - key: a later notification with the same key replaces this one while it waits, and `merged` in its parameters
    ///     counts those that it stands for. Nil for one that is never replaced.
    ///   - hiddenProfile: the hidden profile that it is about: a client that has not unlocked it gets nothing.
    package func notify(
        _ method: String, _ parameters: [JSONValue.Member], replacing key: String? = nil,
        hiddenProfile: UserID? = nil
    ) {
        if let hiddenProfile, !unlocked.has(hiddenProfile) { return }
        outgoing.add(method, parameters, replacing: key)
    }

    private func answer(to line: some Sequence<UInt8>) -> JSONValue? {
        let limits = JSONLimits(
            bytes: service.limits.lineBytes, depth: service.limits.depth, values: 200_000)
        let read: RequestLine
        do throws(RequestError) {
            read = try RequestLine(line, limits: limits)
        } catch {
            return RequestAnswer.error(error, to: .null)
        }
        let answers = read.entries.compactMap(answer)
        if read.isBatch { return answers.isEmpty ? nil : .array(answers) }
        return answers.first
    }

    private func answer(to entry: RequestLine.Entry) -> JSONValue? {
        switch entry {
        case .invalid(let error, let id): return RequestAnswer.error(error, to: id)
        case .request(let request):
            let outcome = Result { try run(request) }
            guard let id = request.id else { return nil }
            switch outcome {
            case .success(let result): return RequestAnswer.result(result, to: id)
            case .failure(let error): return RequestAnswer.error(service.describe(error), to: id)
            }
        }
    }

    private func run(_ request: RequestLine.Request) throws -> JSONValue {
        if request.method == "rpc.discover" {
            _ = try Arguments(request.parameters, for: [])
            return OpenRPC.document
        }
        let method = try MethodTable.method(request.method)
        let arguments = try Arguments(request.parameters, for: method.parameters)
        if isReadOnly, method.access == .write { throw ServiceError.readOnlySession(method: method.name) }
        try service.gate.enter(limit: service.limits.requests)
        defer { service.gate.leave() }
        return try method.body(Call(arguments: arguments, service: service, unlocked: unlocked))
    }
}

extension RequestService {
    /// A session of one client.
    /// - Parameter readOnly: whether the client may only read.
    public func session(readOnly: Bool = false) -> RequestSession {
        RequestSession(self, isReadOnly: readOnly || mode == .readOnly)
    }
}
