/// Fast paths for scalars of the requested type. On nil, the caller uses the slower code that handles every case and
/// error. These paths count no references.
extension DecodingState {
    @inline(__always)
    func raw(_ word: UInt64) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + Tape.offset(word), count: Tape.length(word))
    }

    @inline(__always)
    func bool(_ index: Int) -> Bool? {
        switch Tape.kind(tape[index]) {
        case .true: true
        case .false: false
        default: nil
        }
    }

    @inline(__always)
    func string(_ index: Int) -> String? {
        let word = tape[index]
        switch Tape.kind(word) {
        case .string: return String(decoding: raw(word), as: UTF8.self)
        case .escapedString: return text.unescapedString(word)
        default: return nil
        }
    }

    @inline(__always)
    func integer<T: FixedWidthInteger>(_ index: Int) -> T? {
        let word = tape[index]
        guard Tape.kind(word) == .integer, Tape.length(word) < 19, let value = IntegerText.int64(raw(word)) else {
            return nil
        }
        return T(exactly: value)
    }

    @inline(__always)
    func double(_ index: Int) -> Double? {
        let word = tape[index]
        guard Tape.kind(word) == .real || Tape.kind(word) == .integer else { return nil }
        let value = DoubleText.double(raw(word))
        return value.isFinite && value != 0 ? value : nil
    }
}
