/// The state that all containers of one encoding share: a tree in which every value is a node, with scalars already as
/// bytes.
///
/// It is a tree and not only a text, since a type may write to its containers in any order: to a nested one, then to
/// the outer one, then to the nested one again. Most types write in the order of the text, though, so the arena of the
/// bytes is a text as well for as long as it can be: see `isOrdered`.
///
/// `storage` is read and written without exclusivity checks: an encoding runs on one thread at a time (`Encoder` is not
/// Sendable), the memory belongs to this object alone, and no reference into it outlives the method that creates it.
final class EncodingState {
    let options: SluiceJSONEncoder
    /// A Boolean value that indicates whether keys are written unchanged.
    let usesDefaultKeys: Bool
    /// A Boolean value that indicates whether an array of scalars may be written as one node, since elements need no
    /// lines of their own.
    let isCompact: Bool
    private let storage: UnsafeMutablePointer<Storage>

    private struct Storage: ~Copyable {
        /// The bytes of keys and scalars, in the order of encoding.
        var bytes = JSONWriter(capacity: 1024)
        var nodes: UnsafeMutablePointer<Node>
        var count = 0
        var capacity = 32
        /// A Boolean value that indicates whether the arena is the text so far: with its commas and brackets, and with
        /// nothing that is removed or replaced later.
        var isOrdered = false
        /// In an ordered arena, the innermost container that is open, or -1.
        var innermost = -1
        /// In an ordered arena, the node whose value comes next, or -1.
        var pending = -1
        /// The indexes of objects whose nested containers were requested again.
        var indexes: [Int: ChildIndex] = [:]

        init() { nodes = .allocate(capacity: capacity) }
        deinit { nodes.deallocate() }
    }

    enum Kind: UInt8 {
        /// Nothing has been encoded yet; an empty object if nothing ever is.
        case unset
        /// Bytes in the arena.
        case bytes
        /// Bytes that a direct conformance wrote, which are reformatted if formatting is requested.
        case direct
        case array, object
    }

    struct Node {
        /// The start of the key's JSON string in the arena; there is no key if the length is 0. The key is followed by
        /// a colon and, for a scalar, by the value.
        var keyStart = 0
        var keyLength: Int32 = 0
        var kind = Kind.unset
        /// For an object, a Boolean value that indicates whether two keys may be the same.
        var needsKeyCheck = false
        /// For a scalar, the position of its bytes. For a container, its first and last child, or 0 without children.
        var start = 0
        var extent = 0
        var next: Int32 = 0
        var parent: Int32 = 0
        /// For an object, a bit for each key. For an array, the number of its elements.
        var seen: UInt64 = 0
    }

    init(options: SluiceJSONEncoder) {
        self.options = options
        if case .useDefaultKeys = options.keyEncodingStrategy {
            usesDefaultKeys = true
        } else {
            usesDefaultKeys = false
        }
        isCompact = !options.outputFormatting.contains(.prettyPrinted)
        storage = .allocate(capacity: 1)
        storage.initialize(to: Storage())
        storage.pointee.bytes.escapesSlashes = !options.outputFormatting.contains(.withoutEscapingSlashes)
        storage.pointee.isOrdered = isCompact && !options.outputFormatting.contains(.sortedKeys)
    }

    deinit {
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    /// Returns the reason why a directly written value has no JSON form, if it doesn't.
    func takeFailure() -> String? { storage.pointee.bytes.takeFailure() }

    // MARK: - Nodes

    @inline(__always)
    private func append(_ node: Node) -> Int {
        if storage.pointee.count == storage.pointee.capacity { grow() }
        let index = storage.pointee.count
        (storage.pointee.nodes + index).initialize(to: node)
        storage.pointee.count = index &+ 1
        return index
    }

    @inline(never)
    private func grow() {
        let larger = UnsafeMutablePointer<Node>.allocate(capacity: storage.pointee.capacity * 2)
        larger.moveInitialize(from: storage.pointee.nodes, count: storage.pointee.count)
        storage.pointee.nodes.deallocate()
        storage.pointee.nodes = larger
        storage.pointee.capacity *= 2
    }

    /// Accesses the node at `index`.
    @inline(__always)
    subscript(index: Int) -> Node {
        get { storage.pointee.nodes[index] }
        _modify { yield &storage.pointee.nodes[index] }
    }

    /// Appends the root node, which has index 0 and so is no node's child.
    func root() -> Int {
        storage.pointee.pending = 0
        return append(Node())
    }

    func isSet(_ node: Int) -> Bool { self[node].kind != .unset }

    /// Appends a last child without a key and returns its index.
    @inline(__always)
    func element(of parent: Int) -> Int {
        separate(in: parent)
        let index = append(Node(parent: Int32(truncatingIfNeeded: parent)))
        link(index, to: parent)
        self[parent].seen &+= 1
        storage.pointee.pending = index
        return index
    }

    /// Appends a last child with a key, which is written to the arena, and returns its index.
    @inline(__always)
    func member(of parent: Int, _ key: String) -> Int {
        separate(in: parent)
        let start = storage.pointee.bytes.count
        storage.pointee.bytes.needsComma = false
        storage.pointee.bytes.key(text: key)
        let length = storage.pointee.bytes.count &- start &- 1
        let index = append(
            Node(
                keyStart: start,
                keyLength: Int32(truncatingIfNeeded: length),
                parent: Int32(truncatingIfNeeded: parent)
            )
        )
        link(index, to: parent)
        noteKey(start, length, parent)
        storage.pointee.pending = index
        return index
    }

    @inline(__always)
    private func link(_ index: Int, to parent: Int) {
        let last = self[parent].extent
        if last == 0 {
            self[parent].start = index
        } else {
            self[last].next = Int32(truncatingIfNeeded: index)
        }
        self[parent].extent = index
    }

    @inline(__always)
    private func noteKey(_ start: Int, _ length: Int, _ parent: Int) {
        // The key's last eight bytes, including the quote and the colon, and its length.
        let end = start &+ length &+ 1
        let base = storage.pointee.bytes.base
        var tail: UInt64 = 0
        if end >= 8 {
            tail = UInt64(littleEndian: UnsafeRawPointer(base + (end &- 8)).loadUnaligned(as: UInt64.self))
            if length < 7 { tail &>>= UInt64(truncatingIfNeeded: 8 &* (7 &- length)) }
        } else {
            for index in start..<end { tail |= UInt64(base[index]) &<< UInt64(8 &* (index &- start)) }
        }
        let mixed = (tail ^ UInt64(truncatingIfNeeded: length) &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
        let bit: UInt64 = 1 &<< (mixed &>> 58)
        if self[parent].seen & bit != 0 { self[parent].needsKeyCheck = true }
        self[parent].seen |= bit
    }

    /// Removes the child `node` from `parent`, with everything that was written to it, since its value threw an error.
    ///
    /// The node itself stays in the arena, since a type may have kept an encoder that writes to it.
    /// - Parameter previous: The child before it, or 0 if it is the first.
    /// - Complexity: O(1), unless other children were removed or added meanwhile.
    @inline(never)
    func remove(_ node: Int, after previous: Int, from parent: Int) {
        storage.pointee.isOrdered = false
        var previous = previous
        var at = previous == 0 ? self[parent].start : Int(self[previous].next)
        while at != node {
            // Reached only by code that writes to a container in the middle of writing to another one.
            guard at != 0 else { return }
            (previous, at) = (at, Int(self[at].next))
        }
        let next = self[node].next
        if previous == 0 { self[parent].start = Int(next) } else { self[previous].next = next }
        if self[parent].extent == node { self[parent].extent = previous }
        if self[parent].kind == .array { self[parent].seen &-= 1 }
        storage.pointee.indexes[parent] = nil
    }

    /// Resets the node to one that nothing was written to.
    func reset(_ node: Int) {
        storage.pointee.isOrdered = false
        self[node].kind = .unset
        self[node].start = 0
        self[node].extent = 0
    }

    /// Makes the node a container; keeps a container of the same kind and replaces anything else.
    func makeContainer(_ node: Int, _ kind: Kind) {
        if self[node].kind == kind { return }
        if storage.pointee.isOrdered { open(node, kind) }
        self[node].kind = kind
        self[node].start = 0
        self[node].extent = 0
        self[node].seen = 0
        self[node].needsKeyCheck = false
        if !storage.pointee.indexes.isEmpty { storage.pointee.indexes[node] = nil }
    }

    /// Returns the nested container that a key of `parent` already has, or nil.
    /// - Complexity: O(1) on average over all calls for one parent.
    func container(of parent: Int, _ key: String, _ kind: Kind) -> Int? {
        guard self[parent].kind == .object else { return nil }
        var child = self[parent].start
        var found: Int?
        var steps = 0
        while child != 0 {
            if steps == 16 { return indexedContainer(of: parent, key, kind) }
            // The last value of a key is the one that counts.
            if self[child].kind == kind, keyText(child) == key { found = child }
            child = Int(self[child].next)
            steps += 1
        }
        return found
    }

    @inline(never)
    private func indexedContainer(of parent: Int, _ key: String, _ kind: Kind) -> Int? {
        // Each call adds the children since the last call to the index.
        var index = storage.pointee.indexes.removeValue(forKey: parent) ?? ChildIndex()
        var child = index.last == 0 ? self[parent].start : Int(self[index.last].next)
        while child != 0 {
            index.children[keyText(child)] = child
            index.last = child
            child = Int(self[child].next)
        }
        let found = index.children[key]
        storage.pointee.indexes[parent] = index
        guard let found, self[found].kind == kind else { return nil }
        return found
    }

    /// An index of the children of an object by their keys, up to the child `last`.
    private struct ChildIndex {
        var last = 0
        var children: [String: Int] = [:]
    }

    func keyText(_ node: Int) -> String {
        let content = UnsafeBufferPointer(
            start: storage.pointee.bytes.base + self[node].keyStart + 1,
            count: Int(self[node].keyLength) - 2
        )
        return String(unsafeUninitializedCapacity: max(content.count, 1)) { Unescaping.copy(content, to: $0) }
    }

    // MARK: - The text in order

    /// Writes the comma before the next child of a container, after the brackets that end the containers within it.
    @inline(__always)
    private func separate(in parent: Int) {
        guard storage.pointee.isOrdered else { return }
        if storage.pointee.innermost != parent || storage.pointee.pending >= 0 {
            guard storage.pointee.pending < 0, close(to: parent) else {
                storage.pointee.isOrdered = false
                return
            }
        }
        if self[parent].extent != 0 {
            storage.pointee.bytes.reserve(1)
            storage.pointee.bytes.put(UInt8(ascii: ","))
        }
    }

    /// Writes the bracket with which a container begins.
    private func open(_ node: Int, _ kind: Kind) {
        guard storage.pointee.pending == node else {
            storage.pointee.isOrdered = false
            return
        }
        storage.pointee.pending = -1
        storage.pointee.innermost = node
        storage.pointee.bytes.reserve(1)
        storage.pointee.bytes.put(UInt8(ascii: kind == .object ? "{" : "["))
    }

    /// Writes the brackets that end the open containers within `parent`; returns false if it isn't open, or if an object
    /// has a repeated key.
    /// - Parameter parent: The container that stays open, or -1 to end all of them.
    @inline(never)
    private func close(to parent: Int) -> Bool {
        while storage.pointee.innermost != parent {
            let node = storage.pointee.innermost
            guard node >= 0 else { return false }
            let isObject = self[node].kind == .object
            if isObject, self[node].needsKeyCheck, repeatsKeys(node) { return false }
            storage.pointee.bytes.reserve(1)
            storage.pointee.bytes.put(UInt8(ascii: isObject ? "}" : "]"))
            storage.pointee.innermost = node == 0 ? -1 : Int(self[node].parent)
        }
        return true
    }

    /// Calls `body` with the text of the root, which is copied only where the values did not come in its order.
    func withText<Result>(_ root: Int, _ body: (borrowing JSONWriter) -> Result) -> Result {
        if storage.pointee.isOrdered, storage.pointee.pending < 0, close(to: -1) { return body(storage.pointee.bytes) }
        var writer = JSONWriter(capacity: storage.pointee.bytes.count + 64)
        write(root, to: &writer)
        return body(writer)
    }

    // MARK: - Scalars

    /// Calls `write` to write one scalar to the arena as the value of `node`.
    @inline(__always)
    func set(_ node: Int, _ write: (inout JSONWriter) -> Void) { set(node, .bytes, write) }

    /// Returns the number without a JSON form that was written as `null` since the last call, or nil.
    func takeNonFinite() -> Double? {
        guard let number = storage.pointee.bytes.nonFiniteNumber else { return nil }
        storage.pointee.bytes.nonFiniteNumber = nil
        return number
    }

    @inline(__always)
    func set(_ node: Int, _ kind: Kind, _ write: (inout JSONWriter) -> Void) {
        if storage.pointee.pending != node { storage.pointee.isOrdered = false }
        storage.pointee.pending = -1
        storage.pointee.bytes.needsComma = false
        let start = storage.pointee.bytes.count
        write(&storage.pointee.bytes)
        self[node].kind = kind
        self[node].start = start
        self[node].extent = storage.pointee.bytes.count &- start
    }

    /// Returns the bytes in the arena from `start` on. They are valid until the arena is written to.
    func bytes(_ start: Int, _ count: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: storage.pointee.bytes.base + start, count: count)
    }
}
