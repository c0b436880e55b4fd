#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type that the decoder treats specially: the standard library's scalars and containers, and Foundation's types.
protocol PlannedDecodable {
    init(planned decoder: NodeDecoder) throws
}

/// Decodes a type that is ``PlannedDecodable`` or ``JSONReadable``.
///
/// `@unchecked Sendable`: neither this class nor its subclasses have stored properties.
class DecodingPlan: @unchecked Sendable {
    /// Initializes the memory at `target`, which has the plan's type, or throws and leaves the memory uninitialized.
    func decode(_ decoder: NodeDecoder, _ target: UnsafeMutableRawPointer) throws {}

    /// Returns the plan of a type, or nil if the type is decoded by its `init(from:)`.
    static func find(_ type: Any.Type) -> DecodingPlan? {
        func planned<T: PlannedDecodable>(_ type: T.Type) -> DecodingPlan { Planned<T>() }
        func readable<T: JSONReadable>(_ type: T.Type) -> DecodingPlan { Readable<T>() }
        switch type {
        case is [String].Type: return Strings()
        case is [Int].Type: return Integers()
        case is [Double].Type: return Doubles()
        // A dynamic cast finds a conformance only if its object file is linked. From a static archive, a linker takes
        // the files to which something refers: here to each file with conformances.
        case is Date.Type: return planned(Date.self)
        case is [Bool].Type: return planned([Bool].self)
        case is Bool.Type: return planned(Bool.self)
        case is JSON.Type: return readable(JSON.self)
        default: break
        }
        // An array of directly readable values has a plan too: read element by element, its errors have the decoder's
        // paths.
        if let type = type as? any PlannedDecodable.Type { return planned(type) }
        if let type = type as? any JSONReadable.Type { return readable(type) }
        return nil
    }

    private final class Planned<T: PlannedDecodable>: DecodingPlan, @unchecked Sendable {
        override func decode(_ decoder: NodeDecoder, _ target: UnsafeMutableRawPointer) throws {
            target.initializeMemory(as: T.self, to: try T(planned: decoder))
        }
    }

    private final class Readable<T: JSONReadable>: DecodingPlan, @unchecked Sendable {
        override func decode(_ decoder: NodeDecoder, _ target: UnsafeMutableRawPointer) throws {
            target.initializeMemory(as: T.self, to: try decoder.direct(T.self))
        }
    }

    // The most frequent arrays, in code that is not generic and needs no metadata.

    private final class Strings: DecodingPlan, @unchecked Sendable {
        override func decode(_ decoder: NodeDecoder, _ target: UnsafeMutableRawPointer) throws {
            let strings = try decoder.scalars({ $0.string($1) }, { try $0.string() })
            target.initializeMemory(as: [String].self, to: strings)
        }
    }

    private final class Integers: DecodingPlan, @unchecked Sendable {
        override func decode(_ decoder: NodeDecoder, _ target: UnsafeMutableRawPointer) throws {
            let integers: [Int] = try decoder.scalars({ $0.integer($1) }, { try $0.integer() })
            target.initializeMemory(as: [Int].self, to: integers)
        }
    }

    private final class Doubles: DecodingPlan, @unchecked Sendable {
        override func decode(_ decoder: NodeDecoder, _ target: UnsafeMutableRawPointer) throws {
            let doubles = try decoder.scalars({ $0.double($1) }, { try $0.double() })
            target.initializeMemory(as: [Double].self, to: doubles)
        }
    }
}

extension NodeDecoder {
    /// Returns an array of scalars.
    @inline(__always)
    fileprivate func scalars<T>(
        _ fast: (DecodingState, Int) -> T?,
        _ slow: (NodeDecoder) throws -> T
    ) throws -> [T] {
        guard Tape.isArray(word) else { throw mismatch([Any].self) }
        let state = state
        let count = Tape.count(state.tape[index + 1])
        return try [T](filling: count) { buffer, initialized in
            guard let base = buffer.baseAddress else { return }
            var at = index + 2
            // If an element throws, the array destroys the `initialized` elements before it.
            while initialized < count {
                let value = try fast(state, at) ?? slow(child(at, AnyKey(intValue: initialized)))
                (base + initialized).initialize(to: value)
                initialized += 1
                at = state.skip(at)
            }
        }
    }
}
