import SluiceTestSupport

/// Waits until a condition holds, for ten minutes at most: the test's expectation then fails.
func until(isolation: isolated (any Actor)? = #isolation, _ holds: () async -> Bool) async {
    let end = ContinuousClock.now + .seconds(600)
    var looks = Looks()
    while !(await holds()), ContinuousClock.now < end { await looks.pause() }
}
