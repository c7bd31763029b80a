import Foundation

/// The tool where no user, root included, can write the folder of the store: on a read-only mount, in namespaces of
/// that
/// one run.
enum ReadOnlyMount {
    /// Why this machine has no such mounts; nil where it has.
    static let obstacle: String? = {
        #if os(Linux)
            do {
                let tried = try ToolRun().shell(mounting(".", "true"))
                return tried.code == 0 ? nil : "no mount in a namespace of one's own: \(tried.errors)"
            } catch {
                return "\(error)"
            }
        #else
            return "needs Linux"
        #endif
    }()

    /// Runs `command`, a line of bash that knows the tool as `$CHATDB`, with the folder of the store read-only.
    static func run(_ command: String, _ store: ToolRun, temporary: String) throws -> ToolRun.Outcome {
        // A mount hides what lies below it from a process that is already there: the process has to enter again.
        try store.shell(
            "cd /; TMPDIR='\(temporary)' " + mounting(store.folder.path, "cd '\(store.folder.path)'; \(command)"))
    }

    private static func mounting(_ folder: String, _ command: String) -> String {
        """
        exec unshare --user --map-root-user --mount bash -ec '
        folder=$(realpath "$0"); mount --bind "$folder" "$folder"; mount -o remount,bind,ro "$folder"; eval "$1"' \
        '\(folder)' \(quoted(command))
        """
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
}
