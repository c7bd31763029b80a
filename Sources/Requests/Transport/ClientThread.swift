import ChatDBPOSIX

/// The thread of a client. Foundation's `Thread` does not say whether the system could start it.
enum ClientThread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts `body` on a thread. False when the system has no room for another thread; then `body` does not run.
    static func start(stackSize: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
        // Several C modules declare the type, and a value of it would need the import of one of them.
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        guard pthread_attr_init(attributes) == 0 else { return false }
        defer { pthread_attr_destroy(attributes) }
        guard pthread_attr_setstacksize(attributes, stackSize) == 0,
            pthread_attr_setdetachstate(attributes, CInt(PTHREAD_CREATE_DETACHED)) == 0
        else { return false }
        let work = Unmanaged.passRetained(Work(body))
        #if canImport(Darwin)
            var thread: pthread_t?
            let code = pthread_create(&thread, attributes, { ClientThread.run($0) }, work.toOpaque())
        #else
            var thread = pthread_t()
            let code = pthread_create(&thread, attributes, { $0.flatMap { ClientThread.run($0) } }, work.toOpaque())
        #endif
        if code != 0 { work.release() }
        return code == 0
    }

    private static func run(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        return nil
    }
}
