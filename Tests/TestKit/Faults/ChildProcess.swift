import Foundation

/// A started process whose streams are files: the test drains no pipe, and the output exists even if the process is
/// killed. Foundation's `Process` cannot tell that a child has stopped.
final class ChildProcess {
    private let id: pid_t
    private var ended: Termination?

    #if canImport(Glibc)
        init(
            _ executable: URL, arguments: [String], environment: [String: String], input: URL, output: URL, errors: URL
        ) throws(FaultError) {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            let writing = O_WRONLY | O_CREAT | O_TRUNC
            posix_spawn_file_actions_addopen(&actions, 0, input.path, O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, output.path, writing, 0o600)
            posix_spawn_file_actions_addopen(&actions, 2, errors.path, writing, 0o600)

            // The threads of a test runner block signals, and a child would inherit the signal mask.
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            var none = sigset_t()
            sigemptyset(&none)
            posix_spawnattr_setsigmask(&attributes, &none)
            var all = sigset_t()
            sigfillset(&all)
            posix_spawnattr_setsigdefault(&attributes, &all)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

            var words = ([executable.path] + arguments).map { strdup($0) } + [nil]
            var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
            defer { for text in words + variables { free(text) } }
            var started: pid_t = 0
            let failure = HarnessFiles.closed {
                posix_spawn(&started, executable.path, &actions, &attributes, &words, &variables)
            }
            guard failure == 0 else {
                throw .cannotStart(program: executable.path, reason: String(cString: strerror(failure)))
            }
            id = started
        }

        /// Returns false when the process ended instead.
        func waitUntilStopped() -> Bool {
            if ended != nil { return false }
            let status = wait(WUNTRACED)
            if status & 0xff == 0x7f { return true }
            ended = Self.termination(status)
            return false
        }

        func waitUntilEnded() -> Termination {
            if let ended { return ended }
            let end = Self.termination(wait(0))
            ended = end
            return end
        }

        func send(_ signal: CInt) {
            if ended == nil { kill(id, signal) }
        }

        private func wait(_ options: CInt) -> CInt {
            var status: CInt = 0
            while waitpid(id, &status, options) < 0 && errno == EINTR {}
            return status
        }

        private static func termination(_ status: CInt) -> Termination {
            let signal = status & 0x7f
            return signal == 0 ? .exit((status >> 8) & 0xff) : .signal(signal)
        }
    #else
        init(
            _ executable: URL, arguments: [String], environment: [String: String], input: URL, output: URL, errors: URL
        ) throws(FaultError) {
            throw .unsupportedPlatform
        }
        func waitUntilStopped() -> Bool { false }
        func waitUntilEnded() -> Termination { ended ?? .exit(0) }
        func send(_ signal: CInt) {}
    #endif
}
