/// What a service accepts from its clients.
public struct ServiceLimits: Sendable, Hashable {
    /// The bytes of one line.
    public var lineBytes: Int
    /// How deep arrays and objects may stand in each other.
    public var depth: Int
    /// The values of one line: texts, numbers, arrays, objects and their names.
    public var values: Int
    /// The requests of one batch.
    public var batch: Int
    /// The requests that run or wait at one time.
    public var requests: Int
    /// The clients of a socket.
    public var clients: Int
    /// The bytes of one answer, which may be that to a batch.
    public var answerBytes: Int
    /// The seconds for which a request may read the database.
    public var readingSeconds: Double
    /// The bytes of answers that wait for a client that does not read. The service then reads no further request of it.
    public var outputBytes: Int
    /// The seconds after which a client that does not read is disconnected.
    public var patience: Double

    /// The limits; the default values are those of `chatdb serve`.
    public init(
        lineBytes: Int = 4 << 20, depth: Int = 32, values: Int = 200_000, batch: Int = 100, requests: Int = 256,
        clients: Int = 256, answerBytes: Int = 32 << 20, readingSeconds: Double = 60, outputBytes: Int = 4 << 20,
        patience: Double = 30
    ) {
        self.lineBytes = lineBytes
        self.depth = depth
        self.values = values
        self.batch = batch
        self.requests = requests
        self.clients = clients
        self.answerBytes = answerBytes
        self.readingSeconds = readingSeconds
        self.outputBytes = outputBytes
        self.patience = patience
    }
}
