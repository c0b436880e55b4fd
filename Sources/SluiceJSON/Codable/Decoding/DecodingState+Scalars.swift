/// Fast paths for scalars of the requested type. On nil, the caller uses the slower code that handles every case and
/// error. These paths count no references.
extension DecodingState {
    @inline(__always)
    func raw(_ word: UInt64) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + Tape.offset(word), count: Tape.length(word))
    }

    @inline(__always)
    func bool(_ index: Int) -> Bool? {
        let word = tape[index]
        if Tape.isTrue(word) { return true }
        return Tape.isFalse(word) ? false : nil
    }

    @inline(__always)
    func string(_ index: Int) -> String? {
        let word = tape[index]
        if Tape.isPlainString(word) { return String(decoding: raw(word), as: UTF8.self) }
        return Tape.isString(word) ? text.unescapedString(word) : nil
    }

    @inline(__always)
    func integer<T: FixedWidthInteger>(_ index: Int) -> T? {
        let word = tape[index]
        guard Tape.isInteger(word), Tape.length(word) < 19, let value = IntegerText.int64(raw(word)) else {
            return nil
        }
        return T(exactly: value)
    }

    @inline(__always)
    func double(_ index: Int) -> Double? {
        let word = tape[index]
        guard Tape.isReal(word) || Tape.isInteger(word) else { return nil }
        let value = DoubleText.double(raw(word))
        return value.isFinite && value != 0 ? value : nil
    }
}
