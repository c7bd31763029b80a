#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The processor time of one thread, which any thread may ask for while that one lives.
struct ThreadClock: Sendable {
    #if canImport(Darwin)
        private let thread: thread_act_t
    #else
        private let clock: clockid_t
    #endif

    /// That of the thread that calls.
    static func current() -> ThreadClock {
        #if canImport(Darwin)
            return ThreadClock(thread: pthread_mach_thread_np(pthread_self()))
        #else
            var clock = clockid_t()
            pthread_getcpuclockid(pthread_self(), &clock)
            return ThreadClock(clock: clock)
        #endif
    }

    /// In nanoseconds; 0 for a thread that has ended.
    func now() -> Int64 {
        #if canImport(Darwin)
            var info = thread_basic_info()
            var count = mach_msg_type_number_t(
                MemoryLayout<thread_basic_info>.size / MemoryLayout<integer_t>.size)
            let result = withUnsafeMutablePointer(to: &info) {
                $0.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                    thread_info(thread, thread_flavor_t(THREAD_BASIC_INFO), $0, &count)
                }
            }
            guard result == KERN_SUCCESS else { return 0 }
            let seconds = Int64(info.user_time.seconds) + Int64(info.system_time.seconds)
            let microseconds = Int64(info.user_time.microseconds) + Int64(info.system_time.microseconds)
            return seconds * 1_000_000_000 + microseconds * 1_000
        #else
            var time = timespec()
            guard clock_gettime(clock, &time) == 0 else { return 0 }
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        #endif
    }
}
