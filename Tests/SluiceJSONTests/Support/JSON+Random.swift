import SluiceJSON

extension JSON {
    /// A value made up from a generator.
    static func random(_ random: inout SeededGenerator, depth: Int) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 7), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .int(.sample(&random))
        case 3: return JSON(UInt64.sample(&random))
        case 4: return .double(.sample(&random))
        case 5: return Number("1e4\(Int.random(in: 10...99, using: &random))").map(JSON.number) ?? .null
        case 6: return .string(.sample(&random))
        case 7:
            return .array((0..<Int.random(in: 0..<4, using: &random)).map { _ in .random(&random, depth: depth - 1) })
        default:
            var object = Object()
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                object[String.sample(&random)] = .random(&random, depth: depth - 1)
            }
            return .object(object)
        }
    }
}
