/// The pages of a file that are used or free, as far as the file has been read. Pages to which nothing refers may have
/// rows of a tree whose pointers are damaged.
package final class PageUsage {
    package let file: PageFile
    /// Pages of trees and overflow pages.
    private var used = PageNumbers()
    private var free = PageNumbers()
    /// The leaf pages of the freelist, which may have old rows.
    package private(set) var freePages: [Int] = []
    /// Whether the freelist could be read to its end.
    package private(set) var isFreeListWhole = true
    /// The number of times that pages may still be read again. Damaged pointers can lead to one page from many places,
    /// and the time would grow with the square of the size of the file.
    private var repeatedReads: Int
    /// The trees to which shared pages belong.
    package var owners: [Int: PageOwner] = [:]
    /// The pages of trees, which no row has as overflow pages.
    package var treePages = PageNumbers()

    package init(_ file: PageFile) {
        self.file = file
        repeatedReads = 1000 + 8 * file.dataPageCount
        readFreeList()
    }

    package func isUsed(_ page: Int) -> Bool { used.contains(page) }

    /// Whether nothing refers to a page of the file, as far as the file has been read.
    package func isOrphan(_ page: Int) -> Bool {
        file.contains(page) && !used.contains(page) && !free.contains(page) && page != file.layout.lockPage
            && !file.layout.isPointerMap(page)
    }

    package func isFree(_ page: Int) -> Bool { free.contains(page) && !used.contains(page) }

    /// Marks a page as used by a tree or a row. Returns whether the page may be read: it was not used before, or
    /// ``repeatedReads`` is not used up.
    func take(_ page: Int) -> Bool {
        if used.insert(page) { return true }
        repeatedReads -= 1
        return repeatedReads > 0
    }

    /// Returns whether a page may be read that is not marked as used. Such a read counts as a repeated one.
    private func look() -> Bool {
        repeatedReads -= 1
        return repeatedReads > 0
    }

    /// The record of a cell, with the content up to the first overflow page that cannot be read. It is nil if the
    /// header of the record cannot be read.
    ///
    /// - Parameter isLook: leaves the overflow pages unmarked, because another row may be read from them later.
    func record(of payload: BTreePage.Payload, in page: BTreePage, isLook: Bool = false) -> StoredRecord? {
        // Behind the end of a truncated file, a page has zeros, which are no values.
        let room = file.length(of: page.number) - payload.start
        var bytes = Array(page.view.slice(payload.start, max(0, min(payload.local, room))) ?? [])
        var end = StoredRecord.End.sound
        var next = room >= payload.local + 4 ? payload.overflow ?? 0 : 0
        var chain: Set<Int> = []
        while bytes.count < payload.size, next > 1, file.contains(next), !treePages.contains(next),
            chain.insert(next).inserted, let read = file.bytes(of: next)
        {
            let view = PageBytes(read)
            guard let following = view.word(0), following == 0 || file.contains(following) || !isTree(read, next),
                isLook ? look() : take(next),
                let part = view.slice(4, min(payload.size - bytes.count, file.layout.usable - 4))
            else { break }
            let known = part.prefix(max(0, file.length(of: next) - 4))
            bytes += known
            if known.count < part.count { break }
            next = following
            // The last overflow page has no next one. A page of zeros can be a part of a blob, and not of a text.
            if bytes.count == payload.size {
                end = following != 0 ? .wrong : read.allSatisfy { $0 == 0 } ? .zeros : .sound
            }
        }
        return StoredRecord(PageBytes(bytes), size: payload.size, end: end, encoding: file.layout.encoding)
    }

    /// Whether a page is one of a tree, and no overflow page. Overflow pages begin with the number of the next one.
    private func isTree(_ bytes: [UInt8], _ number: Int) -> Bool {
        BTreePage(bytes, number: number, usable: file.layout.usable)?.isSound == true
    }

    private func readFreeList() {
        var trunk = file.layout.firstFreePage
        var count = 0
        if !file.layout.hasMarks { isFreeListWhole = false }
        var trunks = PageNumbers()
        while trunk != 0 {
            guard file.contains(trunk), trunk > 1, trunks.insert(trunk), let bytes = file.bytes(of: trunk) else {
                isFreeListWhole = false
                return
            }
            let view = PageBytes(bytes)
            let leaves = view.word(4) ?? 0
            guard leaves <= file.layout.usable / 4 - 2 else {
                isFreeListWhole = false
                return
            }
            free.insert(trunk)
            for index in 0..<leaves {
                guard let leaf = view.word(8 + index * 4), leaf > 1, file.contains(leaf) else {
                    isFreeListWhole = false
                    continue
                }
                if free.insert(leaf) { freePages.append(leaf) }
            }
            trunk = view.word(0) ?? 0
            count += leaves + 1
        }
        if count != file.layout.freePageCount { isFreeListWhole = false }
    }
}
