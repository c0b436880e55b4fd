/// The operators and sources that a property of `LiveEditPropertyTests` can't try, by property.
///
/// A kind, or a parameter, that is neither tried nor listed fails its property, and so does one that is both.
enum LiveEditExceptions {
    /// Sources that emit or end at the instant of the subscription, and so can't be edited then.
    private static let immediate: Set<String> = ["source fail", "source generate", "source range", "source values"]

    /// Sources of the outside world, which fail in virtual time; a reference is whatever it refers to.
    private static let outside: Set<String> = [
        "source events", "source lines", "source outside", "source poll", "source ref", "source request",
        "source subject", "source subscribe", "source webhook",
    ]

    /// Kinds, and single parameters: `prepend` emits its values at once; a hot source begins with the run, not with its reader.
    static let atTheSubscription = (kinds: immediate.union(outside), parameters: Set(["operator prepend.values"]))
    static let atALaterSubscription = (kinds: immediate.union(outside), parameters: Set(["source marbles.hot"]))
    static let thereAndBack = (kinds: Set<String>(), parameters: Set(["source schedule.missed"]))
    static let toTheSame: Set<String> = ["source ref"]

    static let beforeTheFirstItem =
        several
        .union(["operator repeat", "operator retry"])  // They read their input again, which is late again.
        .union(["operator collectByTime", "operator sampleTime", "operator timeout", "operator windowTime"])  // a timer
        .union(["operator window"])

    /// Operators that read other streams too, or subscribe to one that emits at once.
    private static let several: Set<String> = [
        "operator catch", "operator collectBySource", "operator collectToggle", "operator collectWhen",
        "operator combineLatest", "operator delayWhen", "operator dropUntil", "operator merge",
        "operator onErrorResumeNext", "operator prefixUntil", "operator prepend", "operator race", "operator sample",
        "operator sequenceEqual", "operator shareReplay", "operator windowToggle", "operator windowWhen",
        "operator withLatestFrom", "operator zip",
    ]

    /// Operators that have a state or an armed timer after each of the values of their examples.
    static let betweenItems = beforeTheFirstItem.union([
        "operator audit", "operator average", "operator concatMap", "operator debounce", "operator delay",
        "operator distinct", "operator dropFirst", "operator dropLast", "operator exhaustMap", "operator expand",
        "operator first", "operator firstIndexWhere", "operator flatMap", "operator groupBy", "operator last",
        "operator lastWhere", "operator max", "operator mergeScan", "operator min", "operator outputAt",
        "operator outputIn", "operator prefix", "operator reduce", "operator removeDuplicates", "operator replaceEmpty",
        "operator scan", "operator suffix", "operator sum", "operator switchMap", "operator switchScan",
        "operator throttle", "operator throwIfEmpty", "operator windowCount", "operator windowSession",
    ])
}
