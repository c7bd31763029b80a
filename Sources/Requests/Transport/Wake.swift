import ChatDBPOSIX

/// A pipe that wakes threads which wait in `poll`.
final class Wake: Sendable {
    /// The descriptor to wait for: readable once woken.
    let descriptor: CInt
    private let writing: CInt

    /// Throws when the process has no descriptors left.
    init() throws(TransportError) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .noDescriptors(errno) }
        (descriptor, writing) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(descriptor)
        close(writing)
    }

    /// Wakes the threads that wait. A full pipe wakes them already.
    func wake() {
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)
    }

    /// Forgets that it was woken.
    func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }
}
