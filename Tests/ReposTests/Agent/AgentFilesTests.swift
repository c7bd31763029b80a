import ChatDBKit
import Testing

@Suite struct AgentFilesTests {
    let world: AgentWorld
    private let here = FileServer(host: "x1.example", port: "443", keyHash: "k=")
    private let there = FileServer(host: "x2.example", port: "443", keyHash: "k=")
    private let encryption = FileEncryption(key: secret("key"), nonce: secret("nonce"))

    init() throws { world = try AgentWorld() }

    private func file(_ name: String, chunks: [[FileServer]]) -> NewReceivedFile {
        NewReceivedFile(
            entityID: AgentFileEntityID(name), encryption: encryption, digest: secret("digest"), size: 10, chunkSize: 5,
            prefixPath: "/p", temporaryPath: "/t", savePath: "/s",
            chunks: chunks.enumerated().map { index, servers in
                NewReceivedChunk(
                    size: 5, digest: secret("chunk"),
                    replicas: servers.map {
                        FileReplica(server: $0, id: FileReplicaID("\(name)\(index)\($0.host)"), key: secret("k"))
                    })
            })
    }

    @Test("a file server that an earlier version stored with a key hash without padding is the same server")
    func keyHash() throws {
        let server = FileServer(host: "x3.example", port: "443", keyHash: key(3))
        try world.write { agent in
            try agent.run(
                """
                INSERT INTO xftp_servers (xftp_host, xftp_port, xftp_key_hash) VALUES ('x3.example', '443', \(key(3)))
                """)
            let made = try AgentReceivedFilesWriter(agent).create(file("f", chunks: [[server]]), of: world.alice)
            #expect(try agent.count("SELECT count(*) FROM xftp_servers") == 1)
            let chunk = try #require(try AgentReceivedFilesRepo(agent).nextChunk(from: server))
            #expect(chunk.fileID == made.id && chunk.replica.server == server)
        }
    }

    @Test("chunks are received from the server that has them, those tried least first, until the file is received")
    func receiving() throws {
        try world.write { agent in
            let writer = AgentReceivedFilesWriter(agent)
            let files = AgentReceivedFilesRepo(agent)
            let made = try writer.create(file("f", chunks: [[here, there], [here]]), of: world.alice)
            #expect(made.status == .receiving && made.encryption == encryption && made.temporaryPath == "/t")
            #expect(try files.chunks(of: made.id, of: world.alice).allSatisfy { $0.path == nil && $0.size == 5 })
            let first = try #require(try files.nextChunk(from: here))
            #expect(first.chunk == 1 && first.fileID == made.id && first.userID == world.alice)
            #expect(first.replica.server == here && first.replica.id == FileReplicaID("f0x1.example"))
            try writer.retryLater(first.id, delay: 5_000)
            let second = try #require(try files.nextChunk(from: here))
            #expect(second.chunk == 2 && second.retries == 0)
            try writer.retryLater(second.id, delay: 1)
            try writer.retryLater(second.id, delay: 1)
            let again = try #require(try files.nextChunk(from: here))
            #expect(again.id == first.id && again.retries == 1 && again.delay == 5_000)
            let other = try #require(try files.nextChunk(from: there))
            #expect(try !writer.received(other.id, at: "/t/1"))
            #expect(try files.nextChunk(from: here)?.id == second.id, "the first chunk came from elsewhere")
            #expect(code { try writer.decrypting(made.id, of: world.alice) } == "wrongStatus")
            #expect(try writer.received(second.id, at: "/t/2"), "one copy of a chunk is enough")
            #expect(try files.nextChunk(from: here) == nil && files.nextChunk(from: there) == nil)
            #expect(try files.get(made.id, of: world.alice).status == .received)
            #expect(
                try files.chunks(of: made.id, of: world.alice).map { "\($0.chunk) \($0.path ?? "-")" } == [
                    "1 /t/1", "2 /t/2",
                ])
            #expect(code { try files.chunks(of: made.id, of: world.bob) } == "receivedFileNotFound")
            #expect(code { try writer.complete(made.id, of: world.alice) } == "wrongStatus")
            try writer.decrypting(made.id, of: world.alice)
            try writer.complete(made.id, of: world.alice)
            let complete = try files.get(made.id, of: world.alice)
            #expect(complete.status == .complete && complete.temporaryPath == nil)
            #expect(code { try writer.failed(made.id, "late", of: world.alice) } == "wrongStatus")
            let missing = ReceivedReplicaID(99)
            #expect(code { try writer.received(missing, at: "/") } == "receivedReplicaNotFound")
            #expect(code { try writer.retryLater(missing, delay: 1) } == "receivedReplicaNotFound")
        }
    }

    @Test("a file that was given up or failed is not received, and its row is removed only after it was given up")
    func givingUp() throws {
        try world.write { agent in
            let writer = AgentReceivedFilesWriter(agent)
            let files = AgentReceivedFilesRepo(agent)
            #expect(code { try writer.create(file("f", chunks: []), of: world.alice) } == "noChunks")
            #expect(code { try writer.create(file("f", chunks: [[here], []]), of: world.alice) } == "noChunks")
            #expect(code { try writer.create(file("f", chunks: [[here]]), of: AgentUserID(9)) } == "agentUserNotFound")
            let failing = try writer.create(file("f", chunks: [[here]]), of: world.alice)
            #expect(code { try writer.create(file("f", chunks: [[here]]), of: world.bob) } == "agentFileExists")
            #expect(code { try writer.failed(failing.id, "x", of: world.bob) } == "receivedFileNotFound")
            try writer.failed(failing.id, "not there", of: world.alice)
            #expect(try files.get(failing.id, of: world.alice).error == "not there")
            #expect(code { try writer.failed(failing.id, "again", of: world.alice) } == "wrongStatus")
            let given = try writer.create(file("g", chunks: [[here]]), of: world.alice)
            #expect(try files.find(AgentFileEntityID("g")) == given)
            #expect(code { try writer.remove(given.id, of: world.alice) } == "notMarkedDeleted")
            try writer.markDeleted(given.id, of: world.alice)
            #expect(try files.nextChunk(from: here) == nil && files.find(AgentFileEntityID("g")) == nil)
            #expect(code { try writer.markDeleted(given.id, of: world.alice) } == "receivedFileNotFound")
            #expect(code { try writer.remove(given.id, of: world.bob) } == "receivedFileNotFound")
            #expect(try files.all(of: world.alice, includingDeleted: true).map(\.isDeleted) == [false, true])
            try writer.remove(given.id, of: world.alice)
            #expect(try files.all(of: world.alice, includingDeleted: true).map(\.id) == [failing.id])
            #expect(try agent.count("SELECT count(*) FROM rcv_file_chunks") == 1)
        }
    }

    @Test("a file of many chunks is made whole")
    func manyChunks() throws {
        try world.write { agent in
            let servers = (0..<450).map { _ in [here, there] }
            _ = try AgentReceivedFilesWriter(agent).create(file("big", chunks: servers), of: world.alice)
            #expect(try agent.count("SELECT count(*) FROM rcv_file_chunk_replicas WHERE replica_number = 2") == 450)
            #expect(try agent.count("SELECT max(chunk_no) FROM rcv_file_chunks") == 450)
            #expect(try agent.count("SELECT count(*) FROM xftp_servers") == 2)
        }
    }

    @Test("a file is encrypted, uploaded chunk by chunk, and complete when every chunk is at a server")
    func sending() throws {
        try world.write { agent in
            let writer = AgentSentFilesWriter(agent)
            let files = AgentSentFilesRepo(agent)
            let (alice, entity) = (world.alice, AgentFileEntityID("s"))
            func add(_ chunk: Int, _ server: FileServer, _ name: String) throws -> SentReplicaID {
                try writer.addReplica(
                    FileReplica(server: server, id: FileReplicaID(name), key: secret("k")),
                    recipients: ["1", "2"].map { ReplicaRecipient(id: FileReplicaID(name + $0), key: secret($0)) },
                    ofChunk: chunk, of: file, of: alice)
            }
            let file = try writer.create(entity, path: "/f", recipients: 2, encryption: encryption, of: alice).id
            let chunks = [0, 5].map { NewSentChunk(offset: $0, size: 5, digest: secret("c")) }
            func encrypt() throws { try writer.encrypted(file, digest: secret("d"), chunks: chunks, of: alice) }
            #expect(code { try encrypt() } == "wrongStatus")
            #expect(code { try writer.encrypting(file, of: world.bob) } == "sentFileNotFound")
            try writer.encrypting(file, of: alice)
            #expect(code { try writer.encrypting(file, of: alice) } == "wrongStatus")
            #expect(code { try add(1, here, "a") } == "wrongStatus")
            #expect(code { try writer.encrypted(file, digest: secret("d"), chunks: [], of: alice) } == "noChunks")
            try encrypt()
            #expect(try files.get(file, of: alice).digest == secret("d"))
            #expect(code { try add(3, here, "a") } == "chunkNotFound")
            let first = try add(1, here, "a")
            let copy = try add(1, there, "b")
            let second = try add(2, here, "c")
            #expect(try files.get(file, of: alice).status == .uploading)
            try writer.retryLater(first, delay: 1)
            #expect(try files.nextChunk(to: here)?.id == second)
            #expect(try files.nextChunk(to: there)?.id == copy)
            #expect(try !writer.uploaded(second))
            #expect(try files.nextChunk(to: here)?.retries == 1)
            #expect(try writer.uploaded(copy), "one copy of each chunk is enough")
            #expect(try files.get(file, of: alice).status == .complete)
            #expect(try files.nextChunk(to: here) == nil)
            #expect(try files.replicas(of: file, of: alice).map(\.id) == [first, copy, second])
            let recipients = try files.recipients(of: file, of: alice)
            #expect(recipients[copy]?.map(\.id.description) == ["b1", "b2"] && recipients.count == 3)
            #expect(code { try files.recipients(of: file, of: world.bob) } == "sentFileNotFound")
            #expect(code { try writer.failed(file, "late", of: alice) } == "wrongStatus")
            #expect(code { try writer.uploaded(SentReplicaID(99)) } == "sentReplicaNotFound")
            #expect(code { try writer.retryLater(SentReplicaID(99), delay: 1) } == "sentReplicaNotFound")
        }
    }

    @Test(
        "after the numbers that a chunk's replicas have there is one for the next, however high they are",
        arguments: [[Int64.max], [.max, .max - 1], [.max, .max - 1, 7], [-1], [.min]])
    func replicaNumbers(_ numbers: [Int64]) throws {
        try world.write { agent in
            let writer = AgentSentFilesWriter(agent)
            let file = try writer.create(
                AgentFileEntityID("s"), path: "/f", recipients: 1, encryption: encryption, of: world.alice
            ).id
            try writer.encrypting(file, of: world.alice)
            try writer.encrypted(
                file, digest: secret("d"), chunks: [NewSentChunk(offset: 0, size: 5, digest: secret("c"))],
                of: world.alice)
            func add(_ name: String) throws -> SentReplicaID {
                try writer.addReplica(
                    FileReplica(server: here, id: FileReplicaID(name), key: secret("k")), recipients: [], ofChunk: 1,
                    of: file, of: world.alice)
            }
            for (index, number) in numbers.enumerated() {
                let id = try add("\(index)")
                try agent.run(
                    """
                    UPDATE snd_file_chunk_replicas SET replica_number = \(number)
                    WHERE snd_file_chunk_replica_id = \(id)
                    """)
            }
            let last = try add("last")
            let given = try agent.count(
                "SELECT replica_number FROM snd_file_chunk_replicas WHERE snd_file_chunk_replica_id = \(last)")
            #expect(given == (numbers.contains(7) ? 8 : 1))
        }
    }

    @Test("a sent file is deleted in two phases, and its replicas can be found in between")
    func deletingSent() throws {
        try world.write { agent in
            let writer = AgentSentFilesWriter(agent)
            let files = AgentSentFilesRepo(agent)
            let made = try writer.create(
                AgentFileEntityID("s"), path: "/f", recipients: 1, encryption: encryption, of: world.alice)
            #expect(try files.find(made.entityID) == made)
            let taken = code {
                try writer.create(made.entityID, path: "/", recipients: 1, encryption: encryption, of: world.bob)
            }
            #expect(taken == "agentFileExists")
            try writer.failed(made.id, "no", of: world.alice)
            #expect(try files.get(made.id, of: world.alice).status == .error)
            #expect(code { try writer.remove(made.id, of: world.alice) } == "notMarkedDeleted")
            try writer.markDeleted(made.id, of: world.alice)
            #expect(code { try writer.markDeleted(made.id, of: world.alice) } == "sentFileNotFound")
            #expect(try files.all(of: world.alice) == [] && files.find(made.entityID) == nil)
            #expect(try files.replicas(of: made.id, of: world.alice) == [])
            try writer.remove(made.id, of: world.alice)
            #expect(try files.all(of: world.alice, includingDeleted: true) == [])
        }
    }

    @Test("with its last chunk a file that has failed, or was given up, is not received", arguments: [false, true])
    func receivedTooLate(isGivenUp: Bool) throws {
        try world.write { agent in
            let writer = AgentReceivedFilesWriter(agent)
            let file = try writer.create(file("f", chunks: [[here]]), of: world.alice)
            let replica = try #require(try AgentReceivedFilesRepo(agent).nextChunk(from: here)).id
            if isGivenUp {
                try writer.markDeleted(file.id, of: world.alice)
            } else {
                try writer.failed(file.id, "gone", of: world.alice)
            }
            #expect(try !writer.received(replica, at: "/1"))
            let status = try AgentReceivedFilesRepo(agent).get(file.id, of: world.alice, includingDeleted: true).status
            #expect(status == (isGivenUp ? .receiving : .error))
        }
    }

    @Test("with its last chunk a file that has failed, or was given up, is not complete", arguments: [false, true])
    func uploadedTooLate(isGivenUp: Bool) throws {
        try world.write { agent in
            let writer = AgentSentFilesWriter(agent)
            let id = AgentFileEntityID("s")
            let file = try writer.create(id, path: "/f", recipients: 1, encryption: encryption, of: world.alice).id
            try writer.encrypting(file, of: world.alice)
            let chunk = NewSentChunk(offset: 0, size: 5, digest: secret("c"))
            try writer.encrypted(file, digest: secret("d"), chunks: [chunk], of: world.alice)
            let replica = try writer.addReplica(
                FileReplica(server: here, id: FileReplicaID("r"), key: secret("k")),
                recipients: [ReplicaRecipient(id: FileReplicaID("1"), key: secret("1"))], ofChunk: 1, of: file,
                of: world.alice)
            if isGivenUp {
                try writer.markDeleted(file, of: world.alice)
            } else {
                try writer.failed(file, "gone", of: world.alice)
            }
            #expect(try !writer.uploaded(replica))
        }
    }
}
