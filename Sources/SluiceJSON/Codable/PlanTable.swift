import Synchronization

/// A hash table of the plans of types, which is read without a lock.
///
/// Each plan has a slot of its own. With one slot for several types, those that share it would have their plans made again
/// for each value, and the addresses of types, which differ in each process, would decide which types these are.
struct PlanTable: ~Copyable, Sendable {
    /// The plans of this process.
    static let shared = PlanTable()

    /// The address of the slots, or 0: first the shift that makes a hash the number of a slot, then the slots.
    ///
    /// A slot is empty or has the address of a plan, which is never freed. At most half of the slots are in use, so that
    /// each search ends. A table that is replaced is not freed either, because others may read it.
    private let slots = Atomic<UInt>(0)
    /// The number of plans.
    private let count = Locked(0)

    /// Returns the plan of a type, or nil if none was made.
    /// - Complexity: O(1).
    @inline(__always)
    func find(_ type: ObjectIdentifier) -> TypePlan? {
        guard let slots = Slots(bitPattern: slots.load(ordering: .acquiring)) else { return nil }
        var slot = Self.firstSlot(of: type, slots)
        while let pointer = UnsafeRawPointer(bitPattern: slots[slot].load(ordering: .acquiring)) {
            // Plans are kept forever.
            let plan = Unmanaged<TypePlan>.fromOpaque(pointer).takeUnretainedValue()
            if plan.type == type { return plan }
            slot = Self.slot(after: slot, slots)
        }
        return nil
    }

    /// Returns the plan of a type, and makes it if another thread did not.
    @inline(never)
    func make(_ type: Any.Type) -> TypePlan {
        let fresh = TypePlan(type)
        return count.withLock { count in
            if let plan = find(fresh.type) { return plan }
            var table = Slots(bitPattern: slots.load(ordering: .relaxed))
            if table.map({ count * 2 >= Self.size($0) }) ?? true {
                let larger = Self.enlarged(table)
                slots.store(UInt(bitPattern: larger), ordering: .releasing)
                table = larger
            }
            if let table { Self.insert(UInt(bitPattern: Unmanaged.passRetained(fresh).toOpaque()), fresh.type, table) }
            count += 1
            return fresh
        }
    }

    // MARK: Slots

    private typealias Slots = UnsafeMutablePointer<Atomic<UInt>>

    @inline(__always)
    private static func size(_ slots: Slots) -> Int { 1 << (UInt64.bitWidth - Int(slots[0].load(ordering: .relaxed))) }

    /// Returns the slot with which the search of a type begins: by multiplicative hashing (Knuth, The Art of Computer
    /// Programming, volume 3, 6.4), because the low bits of addresses are alike.
    @inline(__always)
    private static func firstSlot(of type: ObjectIdentifier, _ slots: Slots) -> Int {
        let hash = UInt64(UInt(bitPattern: type)) &* 0x9E37_79B9_7F4A_7C15
        return 1 + Int(truncatingIfNeeded: hash >> UInt64(slots[0].load(ordering: .relaxed)))
    }

    @inline(__always)
    private static func slot(after slot: Int, _ slots: Slots) -> Int { slot < size(slots) ? slot + 1 : 1 }

    private static func insert(_ plan: UInt, _ type: ObjectIdentifier, _ slots: Slots) {
        var slot = firstSlot(of: type, slots)
        while slots[slot].load(ordering: .relaxed) != 0 { slot = self.slot(after: slot, slots) }
        slots[slot].store(plan, ordering: .releasing)
    }

    /// Returns a table of twice the size with the same plans.
    private static func enlarged(_ old: Slots?) -> Slots {
        let size = old.map { 2 * Self.size($0) } ?? 256
        let slots = Slots.allocate(capacity: 1 + size)
        (slots + 0).initialize(to: Atomic(UInt(UInt64.bitWidth - size.trailingZeroBitCount)))
        for slot in 1...size { (slots + slot).initialize(to: Atomic(0)) }
        guard let old else { return slots }
        for slot in 1...Self.size(old) {
            let plan = old[slot].load(ordering: .relaxed)
            guard let pointer = UnsafeRawPointer(bitPattern: plan) else { continue }
            insert(plan, Unmanaged<TypePlan>.fromOpaque(pointer).takeUnretainedValue().type, slots)
        }
        return slots
    }
}
