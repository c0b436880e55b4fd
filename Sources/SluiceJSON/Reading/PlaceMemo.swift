/// The results of the last searches for a line and for a path, so that reading the places of many errors one after the
/// other takes linear time in total.
struct PlaceMemo {
    private var position = JSONPosition(line: 1, column: 1, offset: 0)
    /// The child found last in each container: its index on the tape and its place among its siblings.
    private var children: [Int: (at: Int, place: Int)] = [:]

    /// Returns the position of the byte at `offset`.
    /// - Complexity: O(*n*) in the distance from the last offset, or from the start if the last offset lies beyond this
    ///   one.
    mutating func position(of offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> JSONPosition {
        let offset = min(max(offset, 0), bytes.count)
        if offset < position.offset { position = JSONPosition(line: 1, column: 1, offset: 0) }
        var index = position.offset
        if index == 0, offset >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            // A byte order mark has no column.
            index = 3
        }
        while index < offset {
            let byte = bytes[index]
            index += 1
            if byte == 10 || byte == 13 && !(index < bytes.count && bytes[index] == 10) {
                position.line += 1
                position.column = 1
            } else if byte & 0xC0 != 0x80 {
                position.column += 1
            }
        }
        position.offset = offset
        return position
    }

    /// Returns the path from the root to the value at `index`; for a key, the path of its member.
    mutating func path(to index: Int, in text: ParsedText) -> JSONPath {
        var path = JSONPath()
        var container = 0
        while container < index, Tape.isContainer(text.tape[container]) {
            let isObject = Tape.isObject(text.tape[container])
            var (at, place) = children[container] ?? (container + 2, 0)
            if index < at { (at, place) = (container + 2, 0) }
            while true {
                let value = isObject ? at + 1 : at
                let end = text.skip(value)
                // Every index in a container lies in one of its children: no search goes beyond the last.
                if index < end || end >= Tape.end(text.tape[container + 1]) {
                    children[container] = (at, place)
                    path.components.append(isObject ? .key(text.string(at)) : .index(place))
                    container = value
                    break
                }
                at = end
                place += 1
            }
        }
        return path
    }
}
