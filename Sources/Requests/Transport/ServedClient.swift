import ChatDBPOSIX
import Foundation

/// Serves one client over two descriptors, which may be one: reads lines, answers them in their order, and sends
/// notifications between the answers. One thread does all of it.
struct ServedClient {
    let session: RequestSession
    let input: CInt
    let output: CInt
    /// Wakes the threads of all clients when the service ends.
    let ending: Wake
    /// Wakes the thread of this client when a notification waits.
    let notified: Wake

    private var limits: ServiceLimits { session.service.limits }
    /// What a pipe takes without blocking once it is ready, on every system.
    private static let pipeBytes = 512

    /// What the client has sent, and what it has not read.
    struct State {
        var reader: LineReader
        /// What the client has not read yet, from `sent` on.
        var unsent: [UInt8] = []
        var sent = 0
        var isAtEnd = false
        /// When the client last read something, if something waits.
        var waitsSince: ContinuousClock.Instant?

        var waiting: Int { unsent.count - sent }

        mutating func append(_ line: String?) {
            guard let line else { return }
            // What the client has read is removed here too: it may never read everything.
            if sent > 1 << 16 {
                unsent.removeFirst(sent)
                sent = 0
            }
            unsent += line.utf8
            unsent.append(UInt8(ascii: "\n"))
        }
    }

    init(_ session: RequestSession, input: CInt, output: CInt, ending: Wake) throws(TransportError) {
        self.session = session
        self.input = input
        self.output = output
        self.ending = ending
        notified = try Wake()
    }

    /// Serves the client until its end of input, until it is gone, or until the service ends.
    func run() {
        session.outgoing.whenAdded { [notified] in notified.wake() }
        defer { session.outgoing.whenAdded(nil) }
        var state = State(reader: LineReader(limit: limits.lineBytes))
        while true {
            answer(&state)
            let hadRoom = state.waiting < limits.outputBytes
            guard send(&state) else { return }
            // Lines that had no room for their answers are answered now.
            if !hadRoom, state.waiting < limits.outputBytes { continue }
            if state.isAtEnd, state.waiting == 0 { return }
            switch wait(state) {
            case .ready(let isReadable):
                if isReadable, !receive(&state) { return }
            case .ending: return end(&state)
            case .gone: return
            }
        }
    }

    /// Answers the lines that are complete, while there is room for answers, and adds the notifications.
    private func answer(_ state: inout State) {
        while state.waiting < limits.outputBytes, let line = state.reader.next() {
            switch line {
            case .text(let bytes): state.append(session.respond(to: bytes))
            case .tooLong: state.append(session.respondToLongLine())
            }
        }
        if state.isAtEnd, state.waiting < limits.outputBytes {
            switch state.reader.last() {
            case .text(let bytes): state.append(session.respond(to: bytes))
            case .tooLong: state.append(session.respondToLongLine())
            case nil: break
            }
        }
        while state.waiting < limits.outputBytes, let line = session.outgoing.next() { state.append(line) }
    }

    /// Answers what has arrived with the error that the service ends, and gives the client time to read it.
    private func end(_ state: inout State) {
        var passes = 0
        while !state.isAtEnd, passes < 64, isReadable(), receive(&state) { passes += 1 }
        let deadline = ContinuousClock.now + .seconds(min(limits.patience, 2))
        repeat {
            answer(&state)
            let hadRoom = state.waiting < limits.outputBytes
            guard send(&state) else { return }
            if hadRoom, state.waiting == 0 { return }
            var descriptor = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
            _ = poll(&descriptor, 1, 100)
        } while ContinuousClock.now < deadline
    }
}

// MARK: - Descriptors

extension ServedClient {
    private enum Event {
        case ready(isReadable: Bool)
        case ending
        /// The client does not read, or its connection is broken.
        case gone
    }

    /// Waits for the client, for a notification, and for the end of the service.
    private func wait(_ state: State) -> Event {
        let reads = !state.isAtEnd && state.waiting < limits.outputBytes
        var descriptors = [
            pollfd(fd: ending.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: notified.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: reads ? input : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: state.waiting > 0 ? output : -1, events: Int16(POLLOUT), revents: 0),
        ]
        var timeout: CInt = -1
        if let since = state.waitsSince {
            let left = Duration.seconds(limits.patience) - (ContinuousClock.now - since)
            if left <= .zero { return .gone }
            timeout = CInt(clamping: left.components.seconds * 1_000 + 1_000)
            if left < .seconds(1) { timeout = CInt(left / .milliseconds(1)) + 1 }
        }
        guard poll(&descriptors, nfds_t(descriptors.count), timeout) >= 0 || errno == EINTR else { return .gone }
        if descriptors[0].revents != 0 { return .ending }
        if descriptors[1].revents != 0 { notified.clear() }
        if descriptors[3].revents & Int16(POLLERR | POLLNVAL) != 0 { return .gone }
        return .ready(isReadable: descriptors[2].revents != 0)
    }

    private func isReadable() -> Bool {
        var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) > 0
    }

    /// Reads what is there. False when the connection is broken.
    private func receive(_ state: inout State) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            let count = read(input, buffer.baseAddress, buffer.count)
            if count < 0 { return [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) }
            if count == 0 { state.isAtEnd = true }
            state.reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return true
        }
    }

    /// Writes what the client takes without waiting. False when the connection is broken.
    private func send(_ state: inout State) -> Bool {
        while state.waiting > 0 {
            let count = state.unsent.withUnsafeBytes { bytes in
                writeSome(UnsafeRawBufferPointer(rebasing: bytes[state.sent...]))
            }
            if count < 0 {
                guard [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) else { return false }
                state.waitsSince = state.waitsSince ?? .now
                return true
            }
            state.sent += count
            if state.waitsSince != nil { state.waitsSince = .now }
        }
        state.unsent.removeAll(keepingCapacity: state.unsent.capacity <= 1 << 20)
        (state.sent, state.waitsSince) = (0, nil)
        return true
    }

    /// Writes a part of the bytes. Descriptors other than sockets may be shared with other programs, so they stay
    /// blocking: a part that a ready pipe takes at once is written.
    private func writeSome(_ bytes: UnsafeRawBufferPointer) -> Int {
        if input == output { return ChatDBPOSIX.send(output, bytes.baseAddress, bytes.count, Self.sendFlags) }
        var descriptor = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        guard poll(&descriptor, 1, 0) > 0 else {
            errno = EAGAIN
            return -1
        }
        return write(output, bytes.baseAddress, min(bytes.count, Self.pipeBytes))
    }

    #if os(Linux)
        private static let sendFlags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
    #else
        private static let sendFlags = CInt(MSG_DONTWAIT)
    #endif
}
