/// A backup that was made.
public struct BackupReport: Sendable, Hashable {
    /// Its folder, from the root.
    public let path: String
    /// What it says about itself.
    public let manifest: BackupManifest
    /// Old backups that were removed because only so many were to be kept.
    public let removedBackups: [String]
    /// What is worth knowing, a clause each: a database that is missing, how one had to be read.
    public let notes: [String]
}
