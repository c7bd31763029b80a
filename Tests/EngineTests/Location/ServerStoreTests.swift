import ChatDBKit
import Testing

/// The address of a store on a server.
@Suite struct ServerAddressTests {
    @Test("the name of the store is taken out of the address, and every other parameter is left to libpq")
    func parameters() throws {
        let store = try ServerStore("postgres://ops@db.example:5433/chats?sslmode=require&store=main&connect_timeout=3")
        #expect(store.name == "main")
        #expect(store.uri == "postgres://ops@db.example:5433/chats?sslmode=require&connect_timeout=3")
        #expect(store.description == store.uri + "&store=main")
        #expect(store.schema(of: .chat) == "main_chat")
        #expect(store.schema(of: .agent) == "main_agent")
        #expect(try ServerStore("postgresql:///x?store=a").description == "postgresql:///x?store=a")
        #expect(try ServerStore("postgres://?service=chats&store=a").uri == "postgres://?service=chats")
    }

    @Test(
        "an address without one valid name is refused",
        arguments: [
            "postgres:///x", "postgres:///x?store=", "postgres:///x?store=A", "postgres:///x?store=1a",
            "postgres:///x?store=a&store=b", "postgres:///x?store=a%20b", "postgres:///x?store=a;b",
            "postgres:///x?store=" + String(repeating: "a", count: 41), "mysql:///x?store=a",
            "postgres:///x?store=pg_x", "postgres:///x?store=a%00", "postgres:///x?store=a\"b", "postgres:///x?store=ü",
        ])
    func invalid(_ text: String) {
        #expect { try ServerStore(text) } throws: { error in
            guard case StoreLocationError.invalidServer = error else { return false }
            return true
        }
    }

    @Test(
        "an address with a password is refused, and the error does not repeat it",
        arguments: [
            "postgres://me:secret@host/x?store=a", "postgres://me:secret@host?store=a",
            "postgres:///x?password=secret&store=a", "postgres:///x?store=a&sslpassword=secret",
        ])
    func passwords(_ text: String) {
        #expect { try ServerStore(text) } throws: { error in
            error as? StoreLocationError == .passwordInAddress && !"\(error)".contains("secret")
        }
    }

    @Test("a port, an address of IPv6 and an @ behind the host are no password")
    func noPasswords() throws {
        for text in [
            "postgres://host:5432/x?store=a", "postgres://[::1]:5432/x?store=a", "postgres://host/a:b@c?store=a",
        ] {
            #expect(try ServerStore(text).name == "a")
        }
    }

    @Test("the database is the path of the address or its parameter dbname")
    func database() throws {
        for (text, name) in [
            ("postgres:///chats?store=a", "chats"), ("postgres://me@host:5432/chats?store=a", "chats"),
            ("postgres://host/x?dbname=chats&store=a", "chats"), ("postgres://host?store=a", nil),
            ("postgres:///?service=s&store=a", nil),
        ] as [(String, String?)] {
            #expect(try ServerStore(text).database == name, "\(text)")
        }
    }

    @Test("a location on a server has no files, and its paths name the databases")
    func location() throws {
        let location = try StoreLocation.resolve("postgres:///x?store=main")
        #expect(location.server?.name == "main")
        #expect(location.name == "main")
        #expect(location.path(of: .chat) == "postgres:///x?store=main&database=chat")
        #expect(location.state(of: .chat) == .missing)
        #expect(location.databases == [.chat, .agent])
        #expect(try StoreLocation(prefix: "/tmp/x").server == nil)
    }
}
