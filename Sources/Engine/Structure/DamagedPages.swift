/// The damaged pages of an encrypted database: how many there are, and the first of them.
public struct DamagedPages: Sendable, Hashable {
    /// A damaged page.
    public struct Page: Sendable, Hashable {
        /// Its number in the file; the first page has 1.
        public let number: Int64
        /// Whether it was overwritten with zeros. Otherwise its authentication code does not fit its bytes.
        public let isZeroed: Bool

        /// A page and its damage.
        package init(number: Int64, isZeroed: Bool) {
            self.number = number
            self.isZeroed = isZeroed
        }
    }

    /// The most pages that are named.
    public static let most = 100

    /// The number of damaged pages.
    public private(set) var count = 0
    /// The first ``most`` of them in the file, by their numbers.
    public private(set) var first: [Page] = []

    /// No page.
    package init() {}

    /// Adds a page, in any order.
    package mutating func add(_ page: Page) {
        count += 1
        insert(page)
    }

    /// Adds the pages of another part of the file.
    package mutating func add(_ others: DamagedPages) {
        count += others.count
        for page in others.first { insert(page) }
    }

    private mutating func insert(_ page: Page) {
        let place = first.firstIndex { $0.number > page.number } ?? first.endIndex
        guard place < Self.most else { return }
        first.insert(page, at: place)
        if first.count > Self.most { first.removeLast() }
    }
}
