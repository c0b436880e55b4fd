#if NATS
import SluiceRuns

extension WorkUnit {
    /// Returns the subject of the unit's log.
    func subject(in group: String) throws(StoreError) -> String {
        "sluice.runs.\(try BucketKey.token(group)).\(try BucketKey.token(stream)).\(generation).\(partition)"
    }
}
#endif
