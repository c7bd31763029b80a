import ChatDBEngine

extension StoreContext {
    /// The newest backup of adopted databases from before their adoption; nil if none beside the store can be
    /// restored.
    package var backupBeforeAdoption: String? {
        guard location.hasNamedFiles else { return nil }
        let backups = (try? FoundBackup.all(in: location.backupsPath)) ?? []
        return backups.first { backup in
            guard let manifest = backup.manifest, manifest.identity == nil, !manifest.isSimplex else { return false }
            return (try? Restorer(self).checkBackup(backup.path)) != nil
        }?.path
    }
}
