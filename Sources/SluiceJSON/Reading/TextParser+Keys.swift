extension TextParser {
    /// Returns a Boolean value that indicates whether a key occurs twice in the object that ends here; throws if
    /// duplicates are rejected.
    ///
    /// The hashes of a few keys show in most cases that they differ. If not, the keys are compared: a few with each other,
    /// many through a table of Swift's seeded hashes, so that a hostile text cannot provoke collisions.
    /// - Complexity: O(*n*) in the size of the object, expected.
    @inline(never)
    mutating func hasDuplicateKeys() throws(Fault) -> Bool {
        if frame.count <= KeyHashes.maximumCount, haveDistinctHashes() { return false }
        let end = tapeCount
        let first = frame.index + 2
        if frame.count <= 12 {
            var later = first
            while later < end {
                var earlier = first
                while earlier < later {
                    if sameKey(earlier, later) { return try reportDuplicate(later) }
                    earlier = next(earlier)
                }
                later = next(later)
            }
            return false
        }
        var capacity = 32
        while capacity < frame.count * 2 { capacity *= 2 }
        var slots = [UInt32](repeating: 0, count: capacity)
        var found = false
        var key = first
        while key < end {
            var slot = hash(key) & (capacity - 1)
            while slots[slot] != 0 {
                if sameKey(Int(slots[slot]), key) {
                    found = try reportDuplicate(key)
                    break
                }
                slot = (slot + 1) & (capacity - 1)
            }
            // No key has index 0, since the object's own entry comes before it.
            if slots[slot] == 0 { slots[slot] = UInt32(truncatingIfNeeded: key) }
            key = next(key)
        }
        return found
    }

    /// Returns a Boolean value that indicates whether no two keys have the same hash, and none has an escape.
    private func haveDistinctHashes() -> Bool {
        KeyHashes.with(frame.count) { hashes in
            var key = frame.index + 2
            while key < tapeCount {
                guard Tape.isPlainString(tape[key]), hashes.insert(raw(tape[key])) else { return false }
                key = next(key)
            }
            return true
        }
    }

    private func reportDuplicate(_ key: Int) throws(Fault) -> Bool {
        guard duplicates == .refused else { return true }
        let word = tape[key]
        throw Fault(
            .duplicateKey,
            Tape.offset(word) - 1,
            "the key \(JSON.string(keyText(word))) occurs twice in one object",
            hint: "remove one of the two"
        )
    }

    /// Returns the key after the member whose key is at `key`.
    private func next(_ key: Int) -> Int {
        Tape.isContainer(tape[key + 1]) ? Tape.end(tape[key + 2]) : key + 2
    }

    private func raw(_ word: UInt64) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: start + Tape.offset(word), count: Tape.length(word))
    }

    private func keyText(_ word: UInt64) -> String {
        String(unsafeUninitializedCapacity: Tape.length(word)) { Unescaping.copy(raw(word), to: $0) }
    }

    private func sameKey(_ left: Int, _ right: Int) -> Bool {
        let a = tape[left]
        let b = tape[right]
        switch (Tape.kind(a), Tape.kind(b)) {
        case (.string, .string):
            return Tape.length(a) == Tape.length(b)
                && equalBytes(start + Tape.offset(a), start + Tape.offset(b), Tape.length(a))
        case (.escapedString, .string): return Unescaping.equals(raw(a), raw(b))
        case (.string, _): return Unescaping.equals(raw(b), raw(a))
        default: return keyText(a).utf8.elementsEqual(keyText(b).utf8)
        }
    }

    private func hash(_ key: Int) -> Int {
        var hasher = Hasher()
        let word = tape[key]
        if Tape.kind(word) == .string {
            hasher.combine(bytes: UnsafeRawBufferPointer(raw(word)))
        } else {
            keyText(word).withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
        return hasher.finalize()
    }
}
