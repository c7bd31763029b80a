import ChatDBKit
import Testing

/// What an import does about addresses that are the same entry and not the same text.
@Suite struct PresetAddressTests: ImportTesting {
    let test: TestStore
    let alice: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        try test.write { chat in
            let servers = ServersWriter(chat)
            let added = try servers.add("smp://\(key(2))=:mypw@s.example", of: alice.id)
            try servers.setTested(added.id, true, of: alice.id)
        }
    }

    private func theirs(password: String = "") throws -> PresetFile {
        file(smp: [PresetServer(address: try ServerAddress("smp://\(key(9))=\(password)@s.example"))])
    }

    @Test(
        "another key hash for a server is a conflict, which is left out unless it stops all", arguments: [true, false])
    func keyHash(_ isList: Bool) throws {
        var theirs = try theirs()
        theirs.hasAddressesOnly = isList
        let before = try servers()
        let error = #expect(throws: PresetError.self) {
            try test.write { try PresetImport.apply(theirs, to: alice.id, in: $0) }
        }
        #expect(error?.message.contains("the server \"s.example\": the file has another key hash") == true)
        for onConflict in [PresetImportOptions.OnConflict.skip, .rename] {
            let plan = try take(theirs, PresetImportOptions(onConflict: onConflict))
            #expect(plan.changes.map(\.action) == [.conflict] && plan.changes[0].fields.first?.name == "address")
        }
        #expect(try servers() == before)
    }

    @Test(
        "replacing takes another key hash, sends the other server no password, and makes it untested",
        arguments: [true, false])
    func replaces(_ isList: Bool) throws {
        var list = try theirs()
        list.hasAddressesOnly = isList
        let plan = try take(list, PresetImportOptions(mode: .replace))
        #expect(plan.changes.flatMap(\.fields).map(\.name) == ["address", "password", "tested"])
        let server = try servers()[0]
        #expect(server.keyHash == key(9) + "=" && server.password == nil && server.tested == nil)
        try take(try theirs(password: ":theirs"), PresetImportOptions(mode: .replace))
        #expect(try servers()[0].password == "theirs")
    }

    @Test("with further hosts a server keeps its password and is untested; with the same address it stays tested")
    func hosts() throws {
        try take(file(smp: [PresetServer(address: try ServerAddress("smp://\(key(2))=@s.example"))]))
        #expect(try servers()[0].tested == true)
        try take(file(smp: [PresetServer(address: try ServerAddress("smp://\(key(2))=@s.example,b.onion"))]))
        #expect(try servers()[0].password == "mypw" && servers()[0].tested == nil)
    }

    @Test("with another text of its address a relay is untested")
    func relayText() throws {
        let mine = try test.addRelay("r.example", name: "R", of: alice)
        try test.write { try ChatRelaysWriter($0).setTested(mine.id, true, of: alice.id) }
        try take(file(relays: [try entry("r.example", "R")]))
        #expect(try relays()[0].tested == true)
        let text = relay("r.example") + "?h=more.example&p=99"
        let plan = try take(file(relays: [PresetRelay(name: "R", address: try RelayAddress(text))]))
        #expect(plan.changes[0].fields.map(\.name) == ["address", "tested"])
        #expect(try relays()[0].tested == nil && relays()[0].testedAt == nil && relays()[0].address == text)
    }

    @Test("roles that a merged file lacks stay; roles that it has are taken")
    func roles() throws {
        let id = try servers()[0].id
        let proxyOff = ServerRoleChoices(proxy: false)
        try test.write { try ServersWriter($0).setRoles(id, proxyOff, of: alice.id) }
        var same = PresetServer(address: try ServerAddress("smp://\(key(2))=@s.example"))
        try take(file(smp: [same]))
        #expect(try servers()[0].roles == proxyOff)
        same.roles = ServerRoleChoices(storage: false)
        try take(file(smp: [same]))
        #expect(try servers()[0].roles == same.roles)
    }
}
