/// The endpoints that may be called: those that are alive, and those that are dead until a time. Time is an input, in
/// nanoseconds.
///
/// Choosing is O(1); a change of one endpoint is O(*n*), since it is rare.
struct EndpointPool<Member: AnyObject & Sendable>: Sendable {
    private(set) var all: [Member]
    private(set) var alive: [Member] {
        didSet { candidates = (isPanicking ? all : alive).map(Unmanaged.passUnretained) }
    }
    /// The candidates, all of which `all` holds. They are unmanaged, so that comparing two counts no references, which
    /// would cost as much as everything else.
    private var candidates: [Unmanaged<Member>]
    /// The dead endpoints, ordered by time.
    private var dead: [(until: Int64, member: Member)] = []
    private let limits: EjectionLimits

    init(_ members: [Member] = [], limits: EjectionLimits = EjectionLimits()) {
        self.limits = limits
        all = members
        alive = members
        candidates = members.map(Unmanaged.passUnretained)
    }

    /// A Boolean value that indicates whether so few are alive that all are called.
    private var isPanicking: Bool {
        alive.isEmpty || Double(alive.count) < limits.panicThreshold * Double(all.count)
    }

    /// A Boolean value that indicates whether a probe may be due, so that it makes sense to look at the clock.
    var hasDead: Bool { !dead.isEmpty }

    /// The number of endpoints to choose from: the live ones, or all of them if too few are live.
    var candidateCount: Int { candidates.count }

    /// Returns a candidate.
    func candidate(_ index: Int) -> Member { candidates[index].takeUnretainedValue() }

    /// Compares two candidates.
    func compare<Result>(_ first: Int, _ second: Int, _ body: (Member, Member) -> Result) -> Result {
        let (first, second) = (candidates[first], candidates[second])
        return first._withUnsafeGuaranteedRef { first in second._withUnsafeGuaranteedRef { body(first, $0) } }
    }

    /// Returns the indices of the candidates that are not among `members`; `nil` if that excludes none or all.
    ///
    /// - Complexity: O(*n*), or O(1) without members.
    func candidates(except members: [Member]) -> [Int]? {
        guard !members.isEmpty else { return nil }
        let others = candidates.indices.filter { index in
            !members.contains { candidates[index].toOpaque() == Unmanaged.passUnretained($0).toOpaque() }
        }
        return others.isEmpty || others.count == candidates.count ? nil : others
    }

    /// Returns the endpoint whose time has come, unless it is among `members`; it is out until its state is set.
    mutating func popDue(at now: Int64, except members: [Member] = []) -> Member? {
        guard let first = dead.first, first.until <= now, !members.contains(where: { $0 === first.member }) else {
            return nil
        }
        return dead.removeFirst().member
    }

    /// Takes an endpoint out, or sets another time for one that is out. One that may not be taken out, since too many are,
    /// stays among the living, and is looked at again at that time.
    mutating func setDead(_ member: Member, until: Int64) {
        guard all.contains(where: { $0 === member }) else { return }
        let others = alive.count(where: { $0 !== member })
        if Double(all.count - others) <= max(limits.maximumShare * Double(all.count), 1) {
            alive.removeAll { $0 === member }
        }
        dead.removeAll { $0.member === member }
        dead.insert((until, member), at: dead.firstIndex { $0.until > until } ?? dead.endIndex)
    }

    /// Puts an endpoint back.
    mutating func setAlive(_ member: Member) {
        guard all.contains(where: { $0 === member }) else { return }
        dead.removeAll { $0.member === member }
        if !alive.contains(where: { $0 === member }) { alive.append(member) }
    }

    /// Changes the set; those that stay keep their state, those that come are alive.
    mutating func replace(_ members: [Member]) {
        let kept = Set(members.map(ObjectIdentifier.init))
        dead.removeAll { !kept.contains(ObjectIdentifier($0.member)) }
        let living = Set(alive.map(ObjectIdentifier.init))
        let out = Set(dead.map { ObjectIdentifier($0.member) }).subtracting(living)
        all = members
        alive = members.filter { !out.contains(ObjectIdentifier($0)) }
    }
}
