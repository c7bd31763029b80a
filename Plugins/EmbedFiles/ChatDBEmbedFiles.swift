import Foundation
import PackagePlugin

/// Embeds every file below a target's folder, except its Swift files, as Swift source:
/// `EmbeddedFiles.all` is the list of (path below the folder, content), sorted by path.
@main
struct ChatDBEmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = target.directoryURL
        let files = try filesToEmbed(below: folder)
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        return [
            .buildCommand(
                displayName: "Embedding the files of \(target.name)",
                executable: try context.tool(named: "chatdb-embed-files").url,
                arguments: [output.path, folder.path] + files.map(\.path),
                inputFiles: files,
                outputFiles: [output])
        ]
    }

    private func filesToEmbed(below folder: URL) throws -> [URL] {
        guard let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        else {
            throw CocoaError(.fileReadNoSuchFile)
        }
        var files: [URL] = []
        for case let file as URL in walk {
            let isRegular = try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile ?? false
            if isRegular, file.pathExtension != "swift", !file.lastPathComponent.hasPrefix(".") {
                files.append(file)
            }
        }
        return files.sorted { $0.path < $1.path }
    }
}
