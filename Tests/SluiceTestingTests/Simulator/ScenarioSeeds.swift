/// The seeds of the scenarios that the simulator runs.
enum ScenarioSeeds {
    #if DEBUG
    /// Two of the ten seeds: a debug build takes twenty times as long. `bin/test scenarios` runs all ten.
    static let all = 1...2
    static let isComplete = false
    #else
    /// The ten seeds.
    static let all = 1...10
    static let isComplete = true
    #endif

    /// The seeds as the simulator takes them.
    static var numbers: [UInt64] { all.map(UInt64.init) }
}
