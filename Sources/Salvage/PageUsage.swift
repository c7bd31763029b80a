/// Which pages of a file belong to what, as far as it has been read. Pages that nothing refers to may have rows of a
/// tree whose pointers are damaged.
package final class PageUsage {
    package let file: PageFile
    /// Pages of trees and overflow pages.
    private var used = PageNumbers()
    private var free = PageNumbers()
    /// The pages of the free list that may have old rows: its leaves, and those that nothing else says to be used.
    package private(set) var freePages: [Int] = []
    /// Whether the free list could be read to its end.
    package private(set) var isFreeListWhole = true
    /// Pages that may still be read more than once. Damaged pointers can lead to one page from many places, which would
    /// take time by the square of the size of the file.
    private var repeatedReads: Int

    package init(_ file: PageFile) {
        self.file = file
        repeatedReads = 1000 + 8 * file.pageCount
        readFreeList()
    }

    package func isUsed(_ page: Int) -> Bool { used.contains(page) }

    /// Whether nothing refers to a page, as far as it is known.
    package func isOrphan(_ page: Int) -> Bool {
        !used.contains(page) && !free.contains(page) && page != file.layout.lockPage
            && !file.layout.isPointerMap(page)
    }

    package func isFree(_ page: Int) -> Bool { free.contains(page) && !used.contains(page) }

    /// Marks a page as used by a tree or a row; returns whether it may be read: whether it is its first use, or there is
    /// still time for another.
    func take(_ page: Int) -> Bool {
        if used.insert(page) { return true }
        repeatedReads -= 1
        return repeatedReads > 0
    }

    /// The content of a cell as far as its overflow pages can be read.
    func content(of payload: BTreePage.Payload, in page: BTreePage) -> PageBytes {
        var bytes = Array(page.view.slice(payload.start, payload.local) ?? [])
        var next = payload.overflow ?? 0
        var chain: Set<Int> = []
        while bytes.count < payload.size, next > 1, file.contains(next), chain.insert(next).inserted, take(next),
            let read = file.bytes(of: next)
        {
            let view = PageBytes(read)
            guard let following = view.word(0),
                let part = view.slice(4, min(payload.size - bytes.count, file.layout.usable - 4))
            else { break }
            bytes += part
            next = following
        }
        return PageBytes(bytes)
    }

    private func readFreeList() {
        var trunk = file.layout.firstFreePage
        var trunks = PageNumbers()
        while trunk != 0 {
            guard file.contains(trunk), trunk > 1, trunks.insert(trunk), let bytes = file.bytes(of: trunk) else {
                isFreeListWhole = false
                return
            }
            let view = PageBytes(bytes)
            let count = view.word(4) ?? 0
            guard count <= file.layout.usable / 4 - 2 else {
                isFreeListWhole = false
                return
            }
            free.insert(trunk)
            for index in 0..<count {
                guard let leaf = view.word(8 + index * 4), leaf > 1, file.contains(leaf) else {
                    isFreeListWhole = false
                    continue
                }
                if free.insert(leaf) { freePages.append(leaf) }
            }
            trunk = view.word(0) ?? 0
        }
    }
}
