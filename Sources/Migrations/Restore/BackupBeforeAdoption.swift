import ChatDBEngine

extension StoreContext {
    /// The newest backup of adopted databases from before their adoption; nil if none beside the store can be
    /// restored.
    package var backupBeforeAdoption: String? {
        guard location.hasNamedFiles else { return nil }
        let backups = (try? FoundBackup.all(in: location.backupsPath)) ?? []
        return backups.first { backup in
            // Only databases that are not adopted have neither an id nor a list of migrations.
            guard let manifest = backup.manifest, manifest.identity == nil,
                manifest.parts.values.allSatisfy({ $0.version == nil })
            else { return false }
            return (try? Restorer(self).checkBackup(backup.path)) != nil
        }?.path
    }
}
