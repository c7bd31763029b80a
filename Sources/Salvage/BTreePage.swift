/// A page of the tree of a table or an index. Every value on the page may be wrong, and is checked before it is used.
package struct BTreePage: Sendable {
    package enum Kind: UInt8, Sendable {
        case indexInterior = 2
        case tableInterior = 5
        case indexLeaf = 10
        case tableLeaf = 13

        var isInterior: Bool { self == .indexInterior || self == .tableInterior }
        /// Whether it belongs to a table with row IDs.
        package var isTable: Bool { self == .tableInterior || self == .tableLeaf }
        /// Bytes of the header.
        var headerSize: Int { isInterior ? 12 : 8 }
    }

    /// The content of a cell. A part of it may be on overflow pages.
    struct Payload {
        /// The number of bytes that the cell's header says.
        let size: Int
        /// The offset of the bytes on this page, and their number.
        let start: Int
        let local: Int
        /// The first overflow page. It is nil if all bytes are on this page.
        let overflow: Int?
    }

    struct Cell {
        var child: Int?
        /// The row ID of a row, or the key of an interior page of a table.
        var rowID: Int64?
        var payload: Payload?
    }

    package let number: Int
    package let kind: Kind
    /// The number of cells, at most as many as a page can have.
    package let cellCount: Int
    /// Whether the header is consistent. The cells are also read if it is not.
    package let isSound: Bool
    let view: PageBytes
    private let start: Int
    private let usable: Int

    /// Reads the page in these bytes. Answers nil if the first byte is not that of a page of a tree.
    init?(_ bytes: [UInt8], number: Int, usable: Int) {
        start = number == 1 ? 100 : 0
        view = PageBytes(bytes)
        guard let kind = view.byte(start).flatMap(Kind.init), let stated = view.short(start + 3),
            let content = view.short(start + 5)
        else { return nil }
        self.number = number
        self.kind = kind
        self.usable = min(usable, bytes.count)
        let first = start + kind.headerSize
        cellCount = min(stated, max(0, (self.usable - first) / 2))
        let contentStart = content == 0 ? 65_536 : content
        isSound = first + stated * 2 <= contentStart && contentStart <= self.usable
    }

    /// The right-most child of an interior page.
    var rightChild: Int? { kind.isInterior ? view.word(start + 8) : nil }

    /// The offset of a cell. It is nil if it lies outside the content of the page.
    func cellOffset(_ index: Int) -> Int? {
        let first = start + kind.headerSize
        guard index >= 0, index < cellCount, let offset = view.short(first + index * 2) else { return nil }
        return offset >= first && offset < usable ? offset : nil
    }

    /// A cell. It is nil if its offset or its length cannot be right.
    func cell(_ index: Int) -> Cell? {
        guard var place = cellOffset(index) else { return nil }
        var cell = Cell()
        if kind.isInterior {
            guard let child = view.word(place) else { return nil }
            cell.child = child
            place += 4
        }
        if kind == .tableInterior {
            guard let key = view.varint(place) else { return nil }
            cell.rowID = key.value
            return cell
        }
        guard let size = view.varint(place), size.value >= 0, size.value <= Self.longest else { return nil }
        place = size.end
        if kind == .tableLeaf {
            guard let row = view.varint(place) else { return nil }
            cell.rowID = row.value
            place = row.end
        }
        guard let payload = payload(Int(size.value), at: place) else { return nil }
        cell.payload = payload
        return cell
    }

    /// The largest number of bytes in a value of SQLite.
    private static let longest: Int64 = 0x7FFF_FFFF

    private func payload(_ size: Int, at place: Int) -> Payload? {
        let most = kind == .tableLeaf ? usable - 35 : (usable - 12) * 64 / 255 - 23
        if size <= most {
            return place + size <= usable ? Payload(size: size, start: place, local: size, overflow: nil) : nil
        }
        let least = (usable - 12) * 32 / 255 - 23
        let fitting = least + (size - least) % (usable - 4)
        let local = fitting <= most ? fitting : least
        guard local >= 0, place + local + 4 <= usable, let next = view.word(place + local) else { return nil }
        return Payload(size: size, start: place, local: local, overflow: next)
    }
}

extension BTreePage {
    /// The pointers of an interior page in their order, each with its range of row IDs. If the keys of the page do not
    /// ascend, or are outside the range of the page, every pointer has the range of the page.
    func children(in own: KeyRange) -> [(page: Int, range: KeyRange)] {
        var children: [(page: Int, key: Int64?)] = []
        var keys: [Int64] = []
        for index in 0..<cellCount {
            guard let cell = cell(index) ?? pointer(index), let child = cell.child else { continue }
            children.append((child, cell.rowID))
            if let key = cell.rowID { keys.append(key) }
        }
        if let right = rightChild { children.append((right, nil)) }
        let isAscending =
            keys.count == children.count - 1 && zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }
            && keys.allSatisfy(own.contains)
        guard kind == .tableInterior, isAscending, isSound else { return children.map { ($0.page, own) } }
        var last = own.after
        return children.map { child in
            defer { last = child.key }
            return (child.page, KeyRange(after: last, upTo: child.key ?? own.upTo))
        }
    }

    /// A cell with its pointer alone, for a cell of an interior page whose content is damaged.
    private func pointer(_ index: Int) -> Cell? {
        guard let offset = cellOffset(index), let child = view.word(offset) else { return nil }
        return Cell(child: child)
    }
}
