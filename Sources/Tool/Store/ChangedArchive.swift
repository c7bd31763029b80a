import ChatDBKit
import Foundation

extension StoreOptions {
    /// Throws if a command that also writes stores of SimpleX Chat, and changed copies of archives, cannot write this
    /// one.
    func requireWritable(_ simplex: SimplexWriting) throws {
        switch (archive, simplex.changedArchive) {
        case (let archive?, nil): throw ReadOnlyStoreError.archiveWithoutOutput(archive)
        case (nil, let new?):
            if OpenedPaths.isNamedAsArchive(given) { _ = try ArchiveReader(given) }
            throw ReadOnlyStoreError.notAnArchive(try location().prefix, output: new)
        case (_, let new): if let new { try NewOutputFile.requireFree(new) }
        }
    }

    /// Writes the archive again to a new file, with the chat database that the command has changed in its private
    /// folder. The new file gets its name when it is complete, and was read again and checked.
    func writeChangedArchive(to path: String) throws {
        guard let reader = try archiveReader else { return }
        let database = try location().path(of: .chat)
        try NewOutputFile.write(
            to: path, replacing: false, of: nil, checking: { try ArchiveReader($0).verifyAll() }
        ) { sink in
            try ArchiveCopy(reader, cancellation: Signals.cancellation).write(replacingChatWith: database) {
                try sink($0)
            }
        }
        try NewOutputFile.syncName(of: path)
    }
}
