extension Library {
    /// Adds arithmetic and equality over an int and a double, for the dialect in which the int becomes a double. The
    /// language itself already compares their order.
    mutating func addPromotions() {
        for types in [[CELType.int, .double], [.double, .int]] {
            for name in ["_+_", "_-_", "_*_", "_/_"] {
                let symbol = Checker.readable(name)
                function(name, types, .double) { values, _ throws(Fault) in
                    let (left, right) = (try values.promoted(0), try values.promoted(1))
                    return .double(Library.real(symbol, left, right))
                }
            }
            for name in ["_==_", "_!=_"] {
                let wanted = name == "_==_"
                function(name, types, .bool) { values, frame throws(Fault) in
                    .bool(try frame.equal(values[0], values[1]) == wanted)
                }
            }
            function("_in_", [types[0], .list(types[1])], .bool) { values, frame throws(Fault) in
                .bool(try Library.contains(try values.list(1), values[0], &frame))
            }
        }
    }
}

extension [CELValue] {
    fileprivate func promoted(_ index: Int) throws(Fault) -> Double {
        if index < count, case .int(let value) = self[index] { return Double(value) }
        return try double(index)
    }
}
