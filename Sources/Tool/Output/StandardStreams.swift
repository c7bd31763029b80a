import ChatDBKit

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The destination of all output. Nothing else in the tool writes to standard output or standard error.
enum StandardStreams {
    /// Writes all bytes before it returns.
    typealias Sink = (_ bytes: [UInt8]) throws -> Void

    /// Throws `ReaderGone`, or `WriteFailed`.
    static let output: @Sendable ([UInt8]) throws -> Void = { try write($0, to: STDOUT_FILENO, "standard output") }

    /// Throws like `output`; most callers cannot report that anywhere else.
    static let error: @Sendable ([UInt8]) throws -> Void = { try write($0, to: STDERR_FILENO, "standard error") }

    static func write(_ bytes: [UInt8], to descriptor: CInt, _ name: String) throws {
        try writeAll(bytes, to: name) { rest in
            #if canImport(Darwin)
                let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
            #elseif canImport(Musl)
                let count = Musl.write(descriptor, rest.baseAddress, rest.count)
            #else
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            #endif
            if count >= 0 { return .wrote(count) }
            let code = errno
            if code == EAGAIN {
                // The stream is non-blocking: wait until it takes more.
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&ready, 1, -1)
                return .wrote(0)
            }
            return .failed(code)
        }
    }

    /// The result of one system call.
    enum Outcome {
        case wrote(Int)
        case failed(CInt)
    }

    /// Writes all bytes: a call may take a part only, or be interrupted by a signal.
    static func writeAll(
        _ bytes: [UInt8], to name: String, with call: (UnsafeRawBufferPointer) -> Outcome
    ) throws {
        var written = 0
        while written < bytes.count {
            let outcome = bytes.withUnsafeBytes { call(UnsafeRawBufferPointer(rebasing: $0[written...])) }
            switch outcome {
            case .wrote(let count): written += count
            case .failed(EINTR): continue
            case .failed(EPIPE): throw ReaderGone()
            case .failed(let code): throw WriteFailed(stream: name, code: code)
            }
        }
    }

    /// The system's message for an error number.
    static func sentence(for code: CInt) -> String {
        strerror(code).map { String(cString: $0).lowercased() } ?? "error \(code)"
    }
}

/// The reader of our output has closed the pipe, as `head` does when it has enough. No failure: the tool ends quietly
/// with 0.
struct ReaderGone: Error, Equatable {}

/// Output could not be written: the disk is full, or the device broken.
struct WriteFailed: Error, Equatable, Reportable {
    let stream: String
    let code: CInt

    var report: ErrorReport {
        ErrorReport(
            "outputFailed", "writing to \(stream) failed: \(StandardStreams.sentence(for: code))",
            details: ["errno": .integer(Int64(code))], exit: .ioError)
    }
}
