import Sluice

extension Observer {
    /// Waits for the end, and for the listeners that were registered before on no actor, without being a branch that
    /// asks for the value.
    func ended() async {
        await withCheckedContinuation { continuation in
            self.defer(isolation: nil) { continuation.resume() }
        }
    }
}

struct Failure: Error, Equatable {
    var code = 1
}
