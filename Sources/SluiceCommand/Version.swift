#if Command
/// The version of Sluice, which `sluice --version` prints. The newest version in CHANGELOG.md is the same.
enum Version {
    static let current = "0.1.0"
}
#endif
