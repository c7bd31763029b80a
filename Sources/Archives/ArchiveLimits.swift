import ChatDBPOSIX

/// The limits of an archive. A real one stays far below each of them.
package struct ArchiveLimits: Sendable {
    /// The largest number of entries.
    package var entries = 150_000
    /// The largest size of the list of entries in bytes. It is held in memory.
    package var list: Int64 = 16 << 20
    /// The largest size of all contents together in bytes.
    package var contents: Int64 = 1 << 40
    /// The largest size of a content, as a multiple of its size in the archive. Deflating a file of zeros gives
    /// 1 to 1,030; a database or a photo gives 1 to 10.
    package var expansion: Int64 = 1_000
    /// The size in bytes up to which a content may have any expansion.
    package var small: Int64 = 1 << 20
    /// The processor time for reading in seconds, whatever the size of the archive.
    package var seconds: Int64 = 10
    /// The size of content in the archive for which another second is added, in bytes. Inflating takes a tenth of that
    /// time.
    package var bytesPerSecond: Int64 = 5 << 20

    /// The processor time that is added for each entry, in microseconds: creating its file takes some.
    package var microsecondsPerEntry: Int64 = 200

    /// The default limits.
    package init() {}

    /// Whether a content is larger than its bytes in the archive may become.
    func forbid(_ size: Int64, from compressed: Int64) -> Bool {
        size > small && size / expansion > max(compressed, 1)
    }
}

/// The processor time that reading an archive may take. Processor time and not time of the clock: a slow disk must not
/// stop it.
final class ArchiveClock {
    private let limit: Int64
    private let start: Int64

    /// Begins now.
    /// - Parameters:
    ///   - bytes: the size of the archive.
    ///   - entries: the number of its entries.
    init(_ limits: ArchiveLimits, bytes: Int64, entries: Int) {
        // A sparse file can be larger than nanoseconds can count.
        let seconds = min(limits.seconds + bytes / max(limits.bytesPerSecond, 1), 1_000_000_000)
        limit = seconds * 1_000_000_000 + Int64(entries) * limits.microsecondsPerEntry * 1_000
        start = Self.now
    }

    /// Whether the time has passed.
    var isOver: Bool { Self.now - start > limit }

    /// The processor time of this thread in nanoseconds. A reader belongs to one thread.
    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
