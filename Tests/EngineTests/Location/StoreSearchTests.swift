import ChatDBEngine
import Foundation
import Testing

/// The search for stores. Rule: docs/support.md, "Where is the store?".
@Suite struct StoreSearchTests {
    private let scratch: DatabaseFolder

    init() throws {
        scratch = try DatabaseFolder()
    }

    private func write(_ path: String) throws {
        let folder = (scratch.file(path) as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try scratch.write(path, [1])
    }

    private func found(_ search: StoreSearch) -> [String] {
        search.found.map { $0.location.prefix.replacing(scratch.path + "/", with: "") }
    }

    private func search(_ limits: StoreSearch.Limits = .init()) throws -> StoreSearch {
        var search = StoreSearch(limits)
        try search.look(below: scratch.path, as: .below)
        return search
    }

    @Test("finds pairs and single databases at every level, each once, nearest first")
    func levels() throws {
        for path in ["b/c/z_agent.db", "x_chat.db", "x_agent.db", "b/y_chat.db", "_chat.db", "b/chat.db"] {
            try write(path)
        }
        _ = try scratch.folder("d_chat.db")
        var search = try search()
        #expect(found(search) == ["x", "b/y", "b/c/z"] && search.reached.isEmpty && search.unreadableCount == 0)
        try search.look(below: scratch.file("b"), as: .below)
        #expect(search.found.count == 3)
    }

    @Test("follows no symbolic link, so links cannot lead out of the folder or make a loop")
    func links() throws {
        try write("in/a/x_chat.db")
        try write("out/y_chat.db")
        _ = try scratch.link("in/loop", to: scratch.file("in"))
        _ = try scratch.link("in/a/up", to: "..")
        _ = try scratch.link("in/out", to: scratch.file("out"))
        _ = try scratch.link("in/a/x_agent.db", to: scratch.file("out/y_chat.db"))
        var search = StoreSearch()
        try search.look(below: scratch.file("in"), as: .below)
        #expect(found(search) == ["in/a/x"] && search.found.first?.links == [.agent])
        // The folder that the caller names can be a link.
        var linked = StoreSearch()
        try linked.look(below: scratch.file("in/loop"), as: .below)
        #expect(linked.found.count == 1)
    }

    @Test("a limit of names, stores, time or depth ends the search, and the result names it")
    func limits() throws {
        for number in 0..<5 { try write("\(number)/n_chat.db") }
        var limits = StoreSearch.Limits()
        limits.stores = 3
        var limited = try search(limits)
        #expect(limited.found.count == 3 && limited.reached == [.stores])
        limits = StoreSearch.Limits()
        limits.names = 10
        limited = try search(limits)
        #expect(limited.found.count < 5 && limited.reached == [.names] && limited.names == 10)
        limits = StoreSearch.Limits()
        limits.time = .zero
        limited = try search(limits)
        #expect(limited.found.isEmpty && limited.reached == [.time])
        limits = StoreSearch.Limits()
        limits.depth = 1
        try write("0/deep/m_chat.db")
        limited = try search(limits)
        #expect(limited.found.count == 5 && limited.reached == [.depth])
        #expect(try search().found.count == 6)
    }

    @Test("a folder that is missing or a file is an error for the folder that the caller names")
    func first() throws {
        try write("x_chat.db")
        var search = StoreSearch()
        for (name, reason) in [("no", ENOENT), ("x_chat.db", ENOTDIR)] {
            let error = #expect(throws: FolderError.self) { try search.look(below: scratch.file(name), as: .below) }
            #expect(error?.errno == reason)
        }
    }

    @Test("the usual places: each has its name, and a missing one is not in the result")
    func places() throws {
        let places = StorePlaces(home: scratch.file("h"), data: nil, own: scratch.file("h/own"))
        var nothing = StoreSearch()
        nothing.look(at: places)
        #expect(nothing.found.isEmpty && nothing.unreadableCount == 0)
        let flatpak = "h/.var/app/chat.simplex.simplex/data/simplex"
        for path in [
            "h/.local/share/simplex/simplex_v1_chat.db", "\(flatpak)/simplex_v1_agent.db",
            "\(flatpak)/other_chat.db", "h/.simplex/simplex_v1_chat.db", "h/own_chat.db",
        ] {
            try write(path)
        }
        var search = StoreSearch()
        search.look(at: places)
        #expect(search.found.map(\.place) == [.desktop, .flatpak, .terminal, .chatdb])
        #expect(
            found(search) == [
                "h/.local/share/simplex/simplex_v1", "\(flatpak)/simplex_v1", "h/.simplex/simplex_v1", "h/own",
            ])
        let elsewhere = StorePlaces(home: "/h", data: "/data", own: "/data/chatdb/chatdb")
        #expect(elsewhere.prefix(at: .desktop) == "/data/simplex/simplex_v1")
        #expect(StorePlaces(home: "/h", data: "", own: "").prefix(at: .desktop) == "/h/.local/share/simplex/simplex_v1")
    }
}
