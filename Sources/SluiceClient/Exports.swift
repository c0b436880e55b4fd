#if HTTP
/// The restart policy of a follower and the storage contract (`RestartPolicy`, `StreamStore`).
@_exported public import SluiceRuns
#endif
