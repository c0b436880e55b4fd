#if SQLite
/// The storage contract (`StreamStore` and its value types), which this module implements in SQLite.
@_exported public import SluiceRuns
#endif
