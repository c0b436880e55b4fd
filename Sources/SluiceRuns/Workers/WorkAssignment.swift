/// The division of units of work among workers that agree on it without talking to each other.
///
/// Each worker computes the same from the same two lists: every unit goes to the worker that has the highest weight for it
/// and that has room (rendezvous hashing with bounded loads; Thaler and Ravishankar 1998, Mirrokni, Thorup, and Zadimoghaddam
/// 2018). No worker has more than one unit more than another, and few units move when a worker comes or goes.
package enum WorkAssignment {
    /// Returns the units of one worker.
    ///
    /// - Parameters:
    ///   - worker: The worker.
    ///   - workers: All workers, in any order; the result is empty if the worker is not among them.
    ///   - units: All units, in any order.
    ///   - refusals: The workers that can't take a unit, by the unit. It goes to one of the others, also where that has more units
    ///     then; where no other is left, it goes to any.
    /// - Complexity: O(*u* × *w*) in the numbers of units and workers.
    package static func units(
        of worker: String,
        among workers: some Collection<String>,
        _ units: some Collection<String>,
        refusals: [String: Set<String>] = [:]
    ) -> Set<String> {
        let workers = Set(workers).sorted()
        guard let own = workers.firstIndex(of: worker) else { return [] }
        let all = Set(units).sorted { (hash($0), $0) < (hash($1), $1) }
        let (least, more) = all.count.quotientAndRemainder(dividingBy: workers.count)
        var loads = [Int](repeating: 0, count: workers.count)
        // So many workers may still have one unit more than the others.
        var extra = more
        var taken: Set<String> = []
        let seeds = workers.map { hash($0) }
        for unit in all {
            let hash = hash(unit)
            func best(where isCandidate: (Int) -> Bool) -> Int? {
                var best: (weight: UInt64, worker: Int)?
                for index in workers.indices where isCandidate(index) {
                    let weight = mix(hash ^ seeds[index])
                    if best.map({ weight > $0.weight }) ?? true { best = (weight, index) }
                }
                return best?.worker
            }
            func hasRoom(_ index: Int) -> Bool { loads[index] < least || (loads[index] == least && extra > 0) }
            let refusing = refusals[unit] ?? []
            func canTake(_ index: Int) -> Bool { !refusing.contains(workers[index]) }
            // Refusals fill workers beyond the rule: the unit goes to the one with the fewest that can take it.
            let fewest = refusing.isEmpty ? nil : workers.indices.filter(canTake).map { loads[$0] }.min()
            guard
                let index = best(where: { canTake($0) && hasRoom($0) })
                    ?? best(where: { canTake($0) && loads[$0] == fewest })
                    ?? best(where: hasRoom) ?? best(where: { _ in true })
            else { break }
            if loads[index] == least { extra -= 1 }
            loads[index] += 1
            if index == own { taken.insert(unit) }
        }
        return taken
    }

    /// FNV-1a of 64 bits, with its bits mixed.
    private static func hash(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return mix(hash)
    }

    /// The finalizer of MurmurHash3.
    private static func mix(_ value: UInt64) -> UInt64 {
        var hash = (value ^ (value >> 33)) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        return hash ^ (hash >> 33)
    }
}
