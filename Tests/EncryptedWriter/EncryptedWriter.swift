import ChatDBKit
import Foundation

// encrypted-writer PATH PASSPHRASE: runs the statements of standard input, one a line, on an encrypted database that it
// writes in place. A line that begins with "say" is printed. For the tests that kill it.

@main
enum EncryptedWriter {
    static func main() {
        do {
            try run()
        } catch {
            FileHandle.standardError.write(Data("encrypted-writer: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run() throws {
        let words = CommandLine.arguments
        guard words.count == 3 else { throw StoreError(.other, "encrypted-writer PATH PASSPHRASE") }
        let connection = try SQLiteEngine().openEncrypted(
            words[1], with: Passphrase(words[2].utf8), creating: !FileManager.default.fileExists(atPath: words[1]))
        defer { connection.close() }
        while let line = readLine() {
            if line.hasPrefix("say ") {
                FileHandle.standardOutput.write(Data((line.dropFirst(4) + "\n").utf8))
            } else {
                try connection.run(.unchecked(sql: line))
            }
        }
    }
}
