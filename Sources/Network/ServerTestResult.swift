import ChatDBPOSIX

/// The result of the test of one server.
public struct ServerTestResult: Sendable, Hashable {
    /// What the test found.
    public enum Outcome: Sendable, Hashable {
        /// Every step succeeded. An SMP server said which versions of its protocol it speaks; an XFTP server is not
        /// asked, and has nil.
        case passed(versions: ClosedRange<UInt16>?)
        /// The first step that failed.
        case failed(ServerTestFailure)
        /// All hosts of the server are `.onion` hosts, which only Tor reaches. Nothing was sent.
        case onlyOnion
        /// This machine could not take the step, for example because too many files are open. That says nothing about
        /// the server.
        case notTested(ServerTestFailure)
    }

    /// The server.
    public let target: ServerTestTarget
    /// What the test found.
    public let outcome: Outcome
    /// How long the test took.
    public let duration: Duration

    /// Whether every step succeeded; nil when the server was not tested.
    public var passed: Bool? {
        switch outcome {
        case .passed: true
        case .failed: false
        case .onlyOnion, .notTested: nil
        }
    }

    /// The first step that failed; nil for any other outcome.
    public var failure: ServerTestFailure? {
        if case .failed(let failure) = outcome { failure } else { nil }
    }
}

/// A step of the test of a server. They are tried in this order.
public enum ServerTestStep: String, Sendable, Hashable, CaseIterable {
    /// The name of the host has an address.
    case name
    /// The server accepts a TCP connection.
    case connection
    /// The server completes a TLS handshake, and agrees to the protocol (`smp/1` or `xftp/1`).
    case tls
    /// The certificates are valid, and those of the key hash.
    case certificate
    /// An SMP server sends the first block of its protocol, with its versions.
    case handshake
}

/// The step of a test that failed, and the reason.
public struct ServerTestFailure: Error, Sendable, Hashable {
    /// The reason.
    public enum Problem: Sendable, Hashable {
        /// A name server said that the host does not exist.
        case hostNotFound
        /// No name server answered in time; the system's words, or nil when the time was over.
        case noNameServer(String?)
        /// The system cannot look up the name; its words.
        case lookupFailed(String)
        /// The host refused the connection: nothing listens at the port.
        case refused
        /// The system has no way to the host; the error number.
        case unreachable(errno: Int32)
        /// The connection broke; the error number.
        case broken(errno: Int32)
        /// The server did not answer in time.
        case timedOut
        /// The server closed the connection.
        case closed
        /// The server and OpenSSL did not agree; OpenSSL's words.
        case tls(String)
        /// The server did not agree to the protocol.
        case otherProtocol(expected: String)
        /// The server sent this number of certificates; 2 to 4 are expected.
        case certificateCount(Int)
        /// The certificates are not those of the key hash.
        case otherKeyHash
        /// A certificate has expired, or is not valid yet; OpenSSL's words.
        case expired(String)
        /// The certificates are not a valid chain; OpenSSL's words.
        case invalidChain(String)
        /// What the server sent is not the first block of SMP.
        case notSMP
        /// A fault of this machine: it has no memory or descriptors left; the system's words. Not a failure of the
        /// server: only ``ServerTestResult/Outcome/notTested(_:)`` has it.
        case thisMachine(String)
    }

    /// The step.
    public let step: ServerTestStep
    /// The reason.
    public let problem: Problem

    /// A step and its reason.
    package init(_ step: ServerTestStep, _ problem: Problem) {
        self.step = step
        self.problem = problem
    }

    /// The stable name of the reason, for programs: `refused`.
    public var code: String {
        switch problem {
        case .hostNotFound: "hostNotFound"
        case .noNameServer: "noNameServer"
        case .lookupFailed: "lookupFailed"
        case .refused: "refused"
        case .unreachable: "unreachable"
        case .broken: "broken"
        case .timedOut: "timedOut"
        case .closed: "closed"
        case .tls: "tls"
        case .otherProtocol: "otherProtocol"
        case .certificateCount: "certificateCount"
        case .otherKeyHash: "otherKeyHash"
        case .expired: "expired"
        case .invalidChain: "invalidChain"
        case .notSMP: "notSMP"
        case .thisMachine: "thisMachine"
        }
    }

    /// The reason as a clause, without a full stop.
    public var message: String {
        switch problem {
        case .hostNotFound: "the host does not exist"
        case .noNameServer(let words): "no name server answered" + (words.map { " (\($0))" } ?? " in time")
        case .lookupFailed(let words): "the system cannot look up the host (\(words))"
        case .refused: "the host refused the connection"
        case .unreachable(let code): "the host cannot be reached (\(Self.words(for: code)))"
        case .broken(let code): "the connection broke (\(Self.words(for: code)))"
        case .timedOut: "the server did not answer in time"
        case .closed: "the server closed the connection"
        case .tls(let words): "TLS failed (\(words))"
        case .otherProtocol(let name): "the server does not speak \(name)"
        case .certificateCount(let count):
            "the server sent \(count) certificate\(count == 1 ? "" : "s"); expected 2 to 4"
        case .otherKeyHash: "the certificate is not the one of the key hash in the address"
        case .expired(let words): "a certificate is out of date (\(words))"
        case .invalidChain(let words): "the certificates are not valid (\(words))"
        case .notSMP: "the first block is not one of SMP"
        case .thisMachine(let words): "this machine cannot make the test (\(words))"
        }
    }

    /// Whether nothing answered at all, so that the cause may be this machine's own network.
    public var isSilence: Bool {
        switch problem {
        case .noNameServer, .unreachable: true
        case .timedOut: step == .name || step == .connection
        default: false
        }
    }

    /// Whether the cause is this machine, so that the server was not tested.
    var isOfThisMachine: Bool { if case .thisMachine = problem { true } else { false } }

    /// The system's words for an error number.
    static func words(for code: Int32) -> String {
        strerror(code).map { String(cString: $0).lowercased() } ?? "error \(code)"
    }
}
