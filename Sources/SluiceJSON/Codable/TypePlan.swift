import Synchronization

/// The plans for decoding and encoding values of a type that don't use `init(from:)` and `encode(to:)`; found once for
/// each type and kept.
///
/// Looking up a type's conformances costs as much as decoding a small struct, and a plan is needed for each value.
final class TypePlan: Sendable {
    let type: ObjectIdentifier
    let decoding: DecodingPlan?
    let encoding: EncodingPlan?

    private init(_ type: Any.Type) {
        self.type = ObjectIdentifier(type)
        decoding = DecodingPlan.find(type)
        encoding = EncodingPlan.find(type)
    }

    /// Returns the plan of a type.
    /// - Complexity: O(1).
    @inline(__always)
    static func plan(of type: Any.Type) -> TypePlan {
        let identifier = ObjectIdentifier(type)
        let bits = UInt(bitPattern: identifier)
        let slot = Int(truncatingIfNeeded: (bits >> 4 ^ bits >> 12) & (slotCount - 1))
        let found = slots[slot].load(ordering: .acquiring)
        if let pointer = UnsafeRawPointer(bitPattern: found) {
            // Plans are kept forever in `known`, and a slot holds only their addresses.
            let plan = Unmanaged<TypePlan>.fromOpaque(pointer).takeUnretainedValue()
            if plan.type == identifier { return plan }
        }
        return make(type, slot)
    }

    private static let slotCount: UInt = 256

    /// The addresses of plans, by the low bits of the address of their type. `nonisolated(unsafe)`: the pointer never
    /// changes, its memory is initialized once before it is published and never freed, and the words are atomic.
    nonisolated(unsafe) private static let slots: UnsafeMutablePointer<Atomic<UInt>> = {
        let slots = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: Int(slotCount))
        for index in 0..<Int(slotCount) { (slots + index).initialize(to: Atomic(0)) }
        return slots
    }()

    private static let known = Locked<[ObjectIdentifier: TypePlan]>([:])

    @inline(never)
    private static func make(_ type: Any.Type, _ slot: Int) -> TypePlan {
        let fresh = TypePlan(type)
        let plan = known.withLock { known in
            if let plan = known[fresh.type] { return plan }
            known[fresh.type] = fresh
            return fresh
        }
        slots[slot].store(UInt(bitPattern: Unmanaged.passUnretained(plan).toOpaque()), ordering: .releasing)
        return plan
    }
}
