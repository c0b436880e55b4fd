extension EncodingState {
    /// Writes the tree below `root`, without recursion.
    func write(_ root: Int, to writer: inout JSONWriter) {
        let formatting = options.outputFormatting
        let isPretty = formatting.contains(.prettyPrinted)
        let isSorted = formatting.contains(.sortedKeys)
        writer.escapesSlashes = !formatting.contains(.withoutEscapingSlashes)
        var open: [Int] = []
        var node = root
        var isFirst = true
        while true {
            if node != root {
                writer.reserve(open.count * 2 + 4)
                if !isFirst { writer.put(UInt8(ascii: ",")) }
                if isPretty { writer.newLine(open.count) }
                writeKey(node, &writer, isPretty)
            }
            isFirst = false
            switch self[node].kind {
            case .unset:
                writer.emptyContainer("{", "}", isPretty, open.count)
            case .direct where isPretty || isSorted:
                rewrite(node, &writer, depth: open.count, isPretty: isPretty, isSorted: isSorted)
            case .bytes, .direct:
                writer.append(bytes(self[node].start, self[node].extent))
            case .array, .object:
                let isObject = self[node].kind == .object
                if isObject, self[node].needsKeyCheck, repeatsKeys(node) { dropRepeatedKeys(node) }
                if isObject, isSorted { sort(node) }
                if self[node].start == 0 {
                    writer.emptyContainer(isObject ? "{" : "[", isObject ? "}" : "]", isPretty, open.count)
                    break
                }
                writer.reserve(1)
                writer.put(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
                open.append(node)
                node = self[node].start
                isFirst = true
                continue
            }
            // To the next sibling, or up to the next sibling of a parent.
            while node != root, self[node].next == 0 {
                guard let parent = open.popLast() else { return }
                node = parent
                writer.reserve(open.count * 2 + 4)
                if isPretty { writer.newLine(open.count) }
                writer.put(self[node].kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]"))
            }
            if node == root { return }
            node = Int(self[node].next)
        }
    }

    @inline(__always)
    private func writeKey(_ node: Int, _ writer: inout JSONWriter, _ isPretty: Bool) {
        let length = Int(self[node].keyLength)
        guard length > 0 else { return }
        if isPretty {
            writer.append(bytes(self[node].keyStart, length))
            writer.reserve(3)
            writer.put(UInt8(ascii: " "))
            writer.put(UInt8(ascii: ":"))
            writer.put(UInt8(ascii: " "))
        } else {
            writer.append(bytes(self[node].keyStart, length + 1))
        }
    }

    private func children(_ node: Int) -> [Int] {
        var children: [Int] = []
        var child = self[node].start
        while child != 0 {
            children.append(child)
            child = Int(self[child].next)
        }
        return children
    }

    private func relink(_ node: Int, _ children: [Int]) {
        self[node].start = children.first ?? 0
        for (index, child) in children.enumerated() {
            self[child].next = index + 1 < children.count ? Int32(truncatingIfNeeded: children[index + 1]) : 0
        }
    }

    /// Returns a Boolean value that indicates whether two keys of an object are the same.
    /// - Complexity: O(*n*) in the number of members.
    func repeatsKeys(_ node: Int) -> Bool {
        if haveDistinctHashes(node) { return false }
        var seen: Set<String> = []
        return !children(node).allSatisfy { seen.insert(keyText($0)).inserted }
    }

    /// Returns a Boolean value that indicates whether the keys of an object are few, and no two have the same hash.
    private func haveDistinctHashes(_ node: Int) -> Bool {
        var count = 0
        var child = self[node].start
        while child != 0, count <= KeyHashes.maximumCount {
            count += 1
            child = Int(self[child].next)
        }
        guard child == 0 else { return false }
        return KeyHashes.with(count) { hashes in
            var child = self[node].start
            while child != 0 {
                if !hashes.insert(bytes(self[child].keyStart, Int(self[child].keyLength))) { return false }
                child = Int(self[child].next)
            }
            return true
        }
    }

    /// Drops all but the last of the members with the same key, which takes the place of the first.
    private func dropRepeatedKeys(_ node: Int) {
        var places: [String: Int] = [:]
        var kept: [Int] = []
        for child in children(node) {
            let key = keyText(child)
            if let place = places[key] {
                kept[place] = child
            } else {
                places[key] = kept.count
                kept.append(child)
            }
        }
        relink(node, kept)
    }

    private func sort(_ node: Int) {
        let sorted = children(node).map { (key: keyText($0), node: $0) }.sorted { $0.key < $1.key }
        relink(node, sorted.map(\.node))
    }

    /// Writes the output of a direct conformance, sorted or pretty-printed.
    private func rewrite(_ node: Int, _ writer: inout JSONWriter, depth: Int, isPretty: Bool, isSorted: Bool) {
        let text = bytes(self[node].start, self[node].extent)
        guard let json = try? JSON(parsing: text, limits: .init(maximumByteCount: .max)) else {
            // It is not JSON, or too deep to be parsed: write it unchanged.
            return writer.append(text)
        }
        writer.needsComma = false
        _ = writer.json(json, .foundation(isPretty: isPretty, isSorted: isSorted, depth: depth))
    }
}

extension JSONWriter {
    fileprivate mutating func emptyContainer(
        _ open: Unicode.Scalar,
        _ close: Unicode.Scalar,
        _ isPretty: Bool,
        _ depth: Int
    ) {
        reserve(2)
        put(UInt8(ascii: open))
        if isPretty {
            put(UInt8(ascii: "\n"))
            newLine(depth)
        }
        reserve(1)
        put(UInt8(ascii: close))
    }
}
