extension JSONNode {
    /// Returns this value, including everything in it, as ``JSON``.
    ///
    /// For members with the same key, the document's ``JSONDuplicateKeys`` decides which one is kept.
    /// - Throws: ``JSONError`` if the value is deeper than ``JSONLimits/deepestValue``.
    /// - Complexity: O(*n*) in the size of the value.
    public func json() throws(JSONError) -> JSON {
        if text.depth <= JSONNode.shallow {
            var end = 0
            return shallow(index, &end)
        }
        // Without recursion: the containers around the current one are kept in `outer`.
        var outer: [ContainerBuilder] = []
        var current = ContainerBuilder()
        var at = index
        while true {
            let word = text.tape[at]
            var value: JSON
            if Tape.isContainer(word), Tape.count(text.tape[at + 1]) > 0 || Tape.isObject(word) {
                guard outer.count < JSONLimits.deepestValue else { throw tooDeep(at) }
                outer.append(current)
                current = ContainerBuilder(text, at)
                at += 2
                if current.end > at {
                    current.readKey(text, &at)
                    continue
                }
                value = current.value
                guard let around = outer.popLast() else { return value }
                current = around
            } else {
                value = scalar(at, word)
                at += Tape.isContainer(word) ? 2 : 1
            }
            // A container that ends here is added to the enclosing one.
            while !outer.isEmpty {
                current.append(value)
                if at < current.end {
                    current.readKey(text, &at)
                    break
                }
                value = current.value
                guard let around = outer.popLast() else { return value }
                current = around
            }
            if outer.isEmpty { return value }
        }
    }

    /// The depth up to which recursion is used, which is faster and takes little stack.
    private static var shallow: Int { 32 }

    /// Returns the value at `at`, by recursion; sets `end` to the index after it.
    private func shallow(_ at: Int, _ end: inout Int) -> JSON {
        let word = text.tape[at]
        guard Tape.isContainer(word) else {
            end = at + 1
            return scalar(at, word)
        }
        let count = Tape.count(text.tape[at + 1])
        var next = at + 2
        defer { end = next }
        guard Tape.isObject(word) else {
            return .array(
                [JSON](filling: count) { buffer, initialized in
                    guard let base = buffer.baseAddress else { return }
                    while initialized < count {
                        (base + initialized).initialize(to: shallow(next, &next))
                        initialized += 1
                    }
                }
            )
        }
        let members = [JSON.Object.Element](filling: count) { buffer, initialized in
            guard let base = buffer.baseAddress else { return }
            while initialized < count {
                let key = text.string(next)
                (base + initialized).initialize(to: (key, shallow(next + 1, &next)))
                initialized += 1
            }
        }
        return .object(assembled(members, hasDuplicates: !Tape.isPlainObject(word), lastWins: text.lastWins))
    }

    @inline(__always)
    private func scalar(_ at: Int, _ word: UInt64) -> JSON {
        switch Tape.kind(word) {
        case .null: .null
        case .true: .bool(true)
        case .false: .bool(false)
        case .integer: JSON(integerText: text.rawBytes(word))
        case .real:
            text.origin == nil
                ? JSON(realText: text.rawBytes(word))
                : text.special(at: at).map(JSON.double) ?? JSON(realText: text.rawBytes(word))
        case .string, .escapedString: .string(text.string(at))
        case .array, .object, .objectWithDuplicates: .array([])
        }
    }

    @inline(never)
    private func tooDeep(_ at: Int) -> JSONError {
        JSONError(
            .limitExceeded,
            "a JSON value may not have more than \(JSONLimits.deepestValue) levels of nesting",
            at: JSONNode(text: text, index: at)
        )
    }
}

/// An array or object that is being built.
private struct ContainerBuilder {
    var end = 0
    private var isObject = false
    private var hasDuplicates = false
    private var lastWins = false
    private var key = ""
    private var elements: [JSON] = []
    private var members: [JSON.Object.Element] = []

    /// Creates a builder that represents the surroundings of the whole value.
    init() {}

    init(_ text: ParsedText, _ at: Int) {
        let extent = text.tape[at + 1]
        end = Tape.end(extent)
        isObject = Tape.isObject(text.tape[at])
        hasDuplicates = isObject && !Tape.isPlainObject(text.tape[at])
        lastWins = text.lastWins
        if isObject {
            members.reserveCapacity(Tape.count(extent))
        } else {
            elements.reserveCapacity(Tape.count(extent))
        }
    }

    /// Reads the key at `at`, if this is an object.
    @inline(__always)
    mutating func readKey(_ text: ParsedText, _ at: inout Int) {
        guard isObject else { return }
        key = text.string(at)
        at += 1
    }

    @inline(__always)
    mutating func append(_ value: JSON) {
        if isObject { members.append((key, value)) } else { elements.append(value) }
    }

    var value: JSON {
        guard isObject else { return .array(elements) }
        return .object(assembled(members, hasDuplicates: hasDuplicates, lastWins: lastWins))
    }
}

/// Returns an object of these members; of those with the same key one is kept.
private func assembled(_ members: [JSON.Object.Element], hasDuplicates: Bool, lastWins: Bool) -> JSON.Object {
    guard hasDuplicates else { return JSON.Object(distinct: members) }
    if !lastWins { return JSON.Object(members) }
    var object = JSON.Object()
    for (key, value) in members { object[key] = value }
    return object
}

extension JSON {
    /// Creates a number from a text without fraction and exponent.
    init(integerText text: UnsafeBufferPointer<UInt8>) {
        if let int = IntegerText.int64(text) {
            self = .int(int)
        } else if let unsigned = IntegerText.uint64(text) {
            self = .unsigned(unsigned)
        } else {
            self = .number(Number(checked: String(decoding: text, as: UTF8.self)))
        }
    }

    /// Creates a number from a text with a fraction or an exponent: a double if its shortest text has the same value.
    init(realText text: UnsafeBufferPointer<UInt8>) {
        let parts = DecimalParts(text)
        if let value = DoubleText.double(parts), value.isFinite, JSON.keepsValue(value, parts) {
            self = .double(value)
        } else {
            self = .number(Number(checked: String(decoding: text, as: UTF8.self)))
        }
    }

    /// Returns a Boolean value that indicates whether the shortest text of `value` has exactly the value of `parts`.
    private static func keepsValue(_ value: Double, _ parts: DecimalParts) -> Bool {
        if parts.isTruncated { return false }
        // A double distinguishes any two numbers of at most 15 digits in the normal range.
        if parts.digits < 1_000_000_000_000_000, abs(value) >= .leastNormalMagnitude { return true }
        if parts.digits == 0 { return true }
        let shortest = DecimalParts(shortest: value)
        var given = parts
        given.dropTrailingZeros()
        return shortest.digits == given.digits && shortest.exponent == given.exponent
    }
}
