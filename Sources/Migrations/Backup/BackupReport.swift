/// A backup that was made.
public struct BackupReport: Sendable, Hashable {
    /// Its folder, from the root.
    public let path: String
    /// What it says about itself.
    public let manifest: BackupManifest
    /// The migration in the middle of which the store was, and so is the backup; nil when in none.
    public let interrupted: IntentRecord?
    /// Old backups that were removed because only so many were to be kept.
    public let removedBackups: [String]
    /// What is worth knowing, a clause each: a database that is missing, how one had to be read.
    public let notes: [String]
}
