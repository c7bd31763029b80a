import ChatDBSchema

/// The names of entries: which ones a store's archive has, and which ones are safe.
package enum ArchiveName {
    /// The chat database.
    package static let chat = "simplex_v1_chat.db"
    /// The agent database.
    package static let agent = "simplex_v1_agent.db"
    /// The folder with the files of chats.
    package static let files = "simplex_v1_files"
    /// The folder with pictures of the app's settings.
    package static let assets = "simplex_v1_assets"

    /// The largest length of a name, in bytes.
    private static let mostBytes = 1_024
    /// The largest length of a part of a name, in bytes: that of the file systems.
    private static let mostBytesOfPart = 255
    /// The largest number of parts: the app uses three.
    private static let mostParts = 16
    /// The number of characters of an unknown name in a message.
    private static let shownCharacters = 40

    /// The kind of the entry with this name, which is safe.
    static func kind(of name: some Collection<UInt8>) -> ArchiveEntry.Kind {
        if name.elementsEqual(chat.utf8) { return .chat }
        if name.elementsEqual(agent.utf8) { return .agent }
        if name.elementsEqual((files + "/").utf8) || name.elementsEqual((assets + "/").utf8) { return .folder }
        let isFile = name.starts(with: (files + "/").utf8)
        guard isFile || name.starts(with: (assets + "/").utf8) else { return .other }
        if isFolder(name) { return .folder }
        return isFile ? .file : .asset
    }

    /// The name, if it is that of a database's journal or write-ahead log; nil otherwise.
    static func journal(_ name: some Collection<UInt8>) -> String? {
        let names = [chat, agent].flatMap { ["\($0)-journal", "\($0)-wal"] }
        return names.first { name.elementsEqual($0.utf8) }
    }

    /// Whether the name is that of a database in a folder, or with another prefix than the app's.
    static func isOtherDatabase(_ name: some Collection<UInt8>) -> Bool {
        DatabaseName.allCases.contains { database in
            let end = "_\(database).db".utf8
            return name.suffix(end.count).elementsEqual(end)
        }
    }

    /// Whether the name is that of a folder: it ends with a slash.
    static func isFolder(_ name: some Collection<UInt8>) -> Bool {
        !name.isEmpty && name.dropFirst(name.count - 1).first == slash
    }

    /// Why a file of this name could be written to another place than the name says, on any system; a clause. Nil for a
    /// safe name.
    static func danger(in name: ArraySlice<UInt8>) -> String? {
        if name.isEmpty { return "is empty" }
        if name.count > mostBytes { return "has more than 1,024 bytes" }
        if name.first == slash { return "begins at the root of the disk" }
        if name.contains(UInt8(ascii: "\\")) { return "has a backslash" }
        if name.contains(0) { return "has a zero byte" }
        if name.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "has a control character" }
        let first = name[name.startIndex] | 0x20
        if name.dropFirst().first == UInt8(ascii: ":"), (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) {
            return "begins with the letter of a drive"
        }
        let parts = (isFolder(name) ? name.dropLast() : name).split(separator: slash, omittingEmptySubsequences: false)
        if parts.count > mostParts { return "has more than 16 parts" }
        for part in parts {
            if part.isEmpty { return "has an empty part" }
            if part.elementsEqual(".".utf8) || part.elementsEqual("..".utf8) { return "has . or .. as a part" }
            if part.count > mostBytesOfPart { return "has a part of more than 255 bytes" }
        }
        return String(validating: name, as: UTF8.self) == nil ? "is not UTF-8" : nil
    }

    /// A name for a message. The two databases are shown as they are; of other names the first characters, in quotes,
    /// with `?` for each that is not visible ASCII.
    static func shown(_ name: some Collection<UInt8>) -> String {
        switch kind(of: name) {
        case .chat: return chat
        case .agent: return agent
        case .file, .asset, .folder, .other: break
        }
        let visible = name.prefix(shownCharacters).map { byte -> Character in
            let isShown = (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"")
            return isShown ? Character(UnicodeScalar(byte)) : "?"
        }
        return "\"\(String(visible))\(name.count > shownCharacters ? "…" : "")\""
    }

    private static let slash = UInt8(ascii: "/")
}
