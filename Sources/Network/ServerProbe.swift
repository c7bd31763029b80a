import ChatDBSchema

/// The test of one server, step by step, on the calling thread.
struct ServerProbe {
    private let target: ServerTestTarget
    private let deadline: Deadline

    init(_ target: ServerTestTarget, _ timeLimit: Duration) {
        self.target = target
        deadline = Deadline(after: timeLimit)
    }

    func result() -> ServerTestResult {
        let start = ContinuousClock.now
        let outcome = outcome()
        return ServerTestResult(target: target, outcome: outcome, duration: ContinuousClock.now - start)
    }

    private func outcome() -> ServerTestResult.Outcome {
        guard let host = target.testedHost else { return .onlyOnion }
        do throws(ServerTestFailure) {
            return .passed(versions: try versions(of: host))
        } catch {
            return error.isOfThisMachine ? .notTested(error) : .failed(error)
        }
    }

    private func versions(of host: String) throws(ServerTestFailure) -> ClosedRange<UInt16>? {
        let addresses = try HostAddresses.find(host, port: target.port, until: deadline)
        let connection = try SocketConnection.open(to: addresses, until: deadline)
        let session = try TLSSession(over: connection, protocol: applicationProtocol)
        try session.handshake(until: deadline)
        defer { session.close() }
        try check(session)
        switch target.serverProtocol {
        case .smp: return try SMPHello.versions(in: session.read(SMPHello.blockSize, until: deadline))
        // Its first block comes after a request of HTTP/2.
        case .xftp: return nil
        }
    }

    /// The name of the protocol in TLS (ALPN).
    private var applicationProtocol: String {
        switch target.serverProtocol {
        case .smp: "smp/1"
        case .xftp: "xftp/1"
        }
    }

    /// Checks the certificates as apps do: the second of 2 to 4 is the one of the key hash, and the last one signs the
    /// others.
    private func check(_ session: TLSSession) throws(ServerTestFailure) {
        let count = session.certificateCount
        guard (2...4).contains(count) else { throw ServerTestFailure(.certificate, .certificateCount(count)) }
        if let expected = target.keyHash, session.keyHash(ofCertificate: 1) != expected {
            throw ServerTestFailure(.certificate, .otherKeyHash)
        }
        if let problem = session.chainProblem { throw ServerTestFailure(.certificate, problem) }
    }
}

/// The end of the time that a test may take.
struct Deadline {
    private let end: ContinuousClock.Instant

    init(after time: Duration) { end = ContinuousClock.now + time }

    private var rest: Duration { max(end - .now, .zero) }

    var isOver: Bool { ContinuousClock.now >= end }

    /// The rest of the time, rounded up.
    var milliseconds: Int32 {
        let (seconds, attoseconds) = rest.components
        return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    /// The deadline of a try that leaves half of the time to others.
    var half: Deadline { Deadline(after: rest / 2) }
}
