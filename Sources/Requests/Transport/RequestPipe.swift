import ChatDBPOSIX

/// Serves one client over two descriptors, such as standard input and output.
///
/// The caller ignores SIGPIPE: otherwise the signal ends the process when the client has closed a pipe.
public final class RequestPipe: Sendable {
    private let service: RequestService
    private let client: ServedClient
    private let ending: Wake

    /// Throws a `TransportError` when the process has no descriptors left.
    /// - Parameters:
    ///   - input: the descriptor of the requests. It stays open.
    ///   - output: the descriptor of the answers. It stays open.
    ///   - readOnly: whether the client may only read.
    public init(_ service: RequestService, input: Int32, output: Int32, readOnly: Bool = false) throws(TransportError) {
        self.service = service
        ending = try Wake()
        client = try ServedClient(
            service.session(readOnly: readOnly), input: input, output: output, ending: ending)
    }

    /// Serves the client until the end of its input, or until `stop`. Then it ends the service. Blocks the thread.
    public func run() {
        client.run()
        service.end()
    }

    /// Ends the work: the request that runs is completed, others get the error `serviceEnding`. Any thread may call it.
    public func stop() {
        service.beginEnd()
        ending.wake()
    }
}
