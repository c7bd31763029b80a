import CChatDBNetwork
import Foundation

/// A TLS connection to a server, by the system's OpenSSL.
final class TLSSession {
    private let session: OpaquePointer
    private let connection: SocketConnection
    private let protocolName: String

    /// The reason why OpenSSL cannot be loaded; nil when it is loaded. Loads it at the first call.
    static var loadProblem: String? { chatdb_tls_load().map { String(cString: $0) } }

    /// Whether OpenSSL has what apps offer to servers. Loads nothing: call ``loadProblem`` first.
    static var isSuitable: Bool {
        guard let session = chatdb_tls_new(-1, "smp/1") else { return false }
        chatdb_tls_free(session)
        return true
    }

    /// A session that offers one protocol. Loads nothing: call ``loadProblem`` first.
    init(over connection: SocketConnection, protocol name: String) throws(ServerTestFailure) {
        guard let session = chatdb_tls_new(connection.descriptor, name) else {
            // OpenSSL is suitable, so memory is missing.
            throw ServerTestFailure(.tls, .thisMachine("OpenSSL cannot make a connection"))
        }
        self.session = session
        self.connection = connection
        protocolName = name
    }

    deinit { chatdb_tls_free(session) }

    /// Completes the handshake, in which the server agrees to the protocol.
    func handshake(until deadline: Deadline) throws(ServerTestFailure) {
        while true {
            let result = chatdb_tls_handshake(session)
            if Int(result) == CHATDB_TLS_DONE { break }
            try wait(after: result, until: deadline, .tls)
        }
        // Some servers go on without a protocol in common.
        guard agreedToProtocol else { throw ServerTestFailure(.tls, .otherProtocol(expected: protocolName)) }
    }

    /// Reads exactly this number of bytes.
    func read(_ size: Int, until deadline: Deadline) throws(ServerTestFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: size)
        while bytes.count < size {
            var count: CInt = 0
            let result = chatdb_tls_read(session, &part, CInt(size - bytes.count), &count)
            if Int(result) == CHATDB_TLS_DONE {
                bytes += part.prefix(Int(count))
                if deadline.isOver { throw ServerTestFailure(.handshake, .timedOut) }
            } else {
                try wait(after: result, until: deadline, .handshake)
            }
        }
        return bytes
    }

    /// Tells the server that the connection ends.
    func close() { chatdb_tls_close(session) }

    /// Whether the server agreed to the protocol.
    private var agreedToProtocol: Bool { chatdb_tls_agreed(session) == 1 }

    /// The number of certificates that the server sent.
    var certificateCount: Int { Int(chatdb_tls_certificates(session)) }

    /// The SHA-256 of the certificate at a place in the chain, in base64url without padding. The server's own certificate
    /// is at 0. Nil if the chain is shorter.
    func keyHash(ofCertificate index: Int) -> String? {
        var hash = [UInt8](repeating: 0, count: 32)
        guard chatdb_tls_fingerprint(session, CInt(index), &hash) == 1 else { return nil }
        return Data(hash).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// The fault of the chain, with its last certificate as the only authority; nil for a valid one.
    var chainProblem: ServerTestFailure.Problem? {
        var isExpired: CInt = 0
        guard let reason = chatdb_tls_chain_problem(session, &isExpired) else { return nil }
        let words = String(cString: reason)
        return isExpired == 1 ? .expired(words) : .invalidChain(words)
    }

    /// Waits for what OpenSSL needs, or throws the end of the connection.
    private func wait(
        after result: CInt, until deadline: Deadline, _ step: ServerTestStep
    ) throws(ServerTestFailure) {
        switch Int(result) {
        case CHATDB_TLS_WANTS_READ: try connection.wait(forWriting: false, until: deadline, step)
        case CHATDB_TLS_WANTS_WRITE: try connection.wait(forWriting: true, until: deadline, step)
        case CHATDB_TLS_OTHER_PROTOCOL: throw ServerTestFailure(step, .otherProtocol(expected: protocolName))
        case CHATDB_TLS_CLOSED: throw ServerTestFailure(step, .closed)
        default:
            var code: CInt = 0
            if let reason = chatdb_tls_reason(session, &code) {
                throw ServerTestFailure(step, .tls(String(cString: reason)))
            }
            throw ServerTestFailure(step, code == 0 ? .closed : .broken(errno: code))
        }
    }
}
