/// The state that all containers of one decoding share.
///
/// `hints` is written without exclusivity checks: a decoding runs on one thread at a time (`Decoder` is not Sendable),
/// the memory belongs to this object alone, and every access is a load or store of one slot below `hintCount`.
final class DecodingState {
    let text: ParsedText
    /// The tape of `text`, which keeps it alive as long as this object: one step less, and no reference counted.
    let tape: UnsafePointer<UInt64>
    let bytes: UnsafePointer<UInt8>
    let options: SluiceJSONDecoder
    /// A Boolean value that indicates whether keys are used unchanged.
    let usesDefaultKeys: Bool

    /// The guard that checks the stack in deep texts; nil, without cost, in shallow ones.
    let stack: StackGuard?

    private struct Hint {
        var object = -1
        var next = 0
        var misses = 0
    }

    private static let hintCount = 16
    private let hints: UnsafeMutablePointer<Hint>
    /// The values of objects by key, for objects in which keys were often looked up out of order, or under a key
    /// strategy.
    private var indexes: [Int: [String: Int]] = [:]

    init(text: ParsedText, options: SluiceJSONDecoder) {
        self.text = text
        tape = text.tape
        bytes = text.bytes
        self.options = options
        if case .useDefaultKeys = options.keyDecodingStrategy {
            usesDefaultKeys = true
        } else {
            usesDefaultKeys = false
        }
        stack = text.depth > 32 ? StackGuard() : nil
        hints = .allocate(capacity: DecodingState.hintCount)
        hints.initialize(repeating: Hint(), count: DecodingState.hintCount)
    }

    deinit { hints.deallocate() }

    /// Returns the index of the value of a key in the object at `object`, or nil.
    ///
    /// Keys mostly come in the order of the text, so the member after the last one found is tried first.
    func find(_ key: String, in object: Int) -> Int? {
        key.withBytes { find($0, in: object) }
    }

    private func find(_ key: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
        // In an object with duplicates, the member after a hit may be one that does not count.
        if Tape.hasDuplicates(tape[object]) { return text.value(in: object, forKey: key) }
        let slot = object & (DecodingState.hintCount - 1)
        let end = Tape.end(tape[object + 1])
        if hints[slot].object == object {
            let next = hints[slot].next
            if next < end, stringEquals(next, key) { return found(next, slot) }
        } else {
            hints[slot] = Hint(object: object, next: object + 2)
        }
        if Tape.count(tape[object + 1]) > 64 {
            hints[slot].misses += 1
            if hints[slot].misses > 8 { return index(of: object)[String(decoding: key, as: UTF8.self)] }
        }
        var at = object + 2
        while at < end {
            if stringEquals(at, key) { return found(at, slot) }
            at = skip(at + 1)
        }
        return nil
    }

    @inline(__always)
    private func found(_ key: Int, _ slot: Int) -> Int {
        hints[slot].next = skip(key + 1)
        return key + 1
    }

    /// Returns the index of the entry after the value at `index`.
    @inline(__always)
    func skip(_ index: Int) -> Int { Tape.isContainer(tape[index]) ? Tape.end(tape[index + 1]) : index + 1 }

    @inline(__always)
    private func stringEquals(_ index: Int, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
        let word = tape[index]
        if Tape.isPlainString(word) {
            let length = Tape.length(word)
            return length == key.count && equalBytes(bytes + Tape.offset(word), key.baseAddress, length)
        }
        return text.stringEquals(index, key)
    }

    private func index(of object: Int) -> [String: Int] {
        if let known = indexes[object] { return known }
        var index: [String: Int] = [:]
        forEachMember(of: object) { key, value in
            index[text.string(key)] = value
        }
        indexes[object] = index
        return index
    }

    /// Returns the values of an object by their converted keys; of repeated ones the first counts.
    func convertedKeys(of object: Int, _ path: () -> [any CodingKey]) -> [String: Int] {
        if let known = indexes[object] { return known }
        var index: [String: Int] = [:]
        let path = path()
        forEachMember(of: object) { key, value in
            let converted = convert(text.string(key), path)
            if index[converted] == nil { index[converted] = value }
        }
        indexes[object] = index
        return index
    }

    /// Returns a key of the text, converted by the key strategy.
    func convert(_ key: String, _ path: @autoclosure () -> [any CodingKey]) -> String {
        switch options.keyDecodingStrategy {
        case .useDefaultKeys: key
        case .convertFromSnakeCase: SnakeCase.removed(from: key)
        case .custom(let convert): convert(path() + [AnyKey(stringValue: key)]).stringValue
        }
    }

    func forEachMember(of object: Int, _ body: (_ key: Int, _ value: Int) throws -> Void) rethrows {
        let end = Tape.end(tape[object + 1])
        var at = object + 2
        while at < end {
            let next = skip(at + 1)
            try body(at, at + 1)
            at = next
        }
    }

    /// Returns the keys from the root to the value at `index`.
    func codingPath(to index: Int) -> [any CodingKey] { text.path(to: index).codingPath }
}

extension JSONPath {
    /// The path as Codable's coding keys.
    var codingPath: [any CodingKey] {
        components.map { component -> any CodingKey in
            switch component {
            case .key(let key): AnyKey(stringValue: key)
            case .index(let index): AnyKey(intValue: index)
            }
        }
    }
}
