import SluiceJSON
import SluiceStreams
import Testing

/// The operators that do with their input and other streams what the source of the same name does with all of them.
@Suite struct JoiningTests {
    @Test(arguments: [
        ("merge", "", "-1-3|", "--2--4|", "-123-4|"),
        ("zip", #", "expression": "a + b""#, "-1-3|", "--2--4|", "--3--(7|)"),
        ("combineLatest", #", "expression": "a + b""#, "-1-3|", "--2--4|", "--35-7|"),
        ("withLatestFrom", #", "expression": "a + b""#, "-1-3|", "--2--4|", "---5|"),
        ("race", "", "-1-3|", "--2--4|", "-1-3|"), ("onErrorResumeNext", "", "-1#", "--2|", "-1--2|"),
        ("sequenceEqual", "", "-1-3|", "--2--4|", "--('false'|)"),
    ])
    func withOneOther(_ name: String, _ more: String, _ input: String, _ other: String, _ output: String) throws {
        let json = #"[{"\#(name)": {"source": {"ref": "other"}\#(more)}}]"#
        try expect(input, json, gives: output, others: ["other": other])
        try expect(input, json, gives: "-", leaving: 1, others: ["other": other])
        try expect("-", json, gives: "-", leaving: 0.5, others: ["other": other])
    }

    @Test func withSeveral() throws {
        let others = #""source": {"ref": "one"}, "sources": [{"ref": "two"}]"#
        let json = #"[{"zip": {\#(others), "expression": "a * 100 + b * 10 + c"}}]"#
        try expect("1|", json, gives: "--('123'|)", others: ["one": "-2|", "two": "--3|"])
    }

    @Test(arguments: ["merge", "zip", "combineLatest", "withLatestFrom", "race", "onErrorResumeNext"])
    func withNone(_ name: String) {
        let error = #expect(throws: JSONErrors.self) {
            try StreamDocument(parsing: #"{"source": {"empty": {}}, "operators": [{"\#(name)": {}}]}"#)
        }
        #expect(error?.errors.first?.message == "another stream is missing")
        #expect(error?.errors.first?.hint == #"give "source" or "sources""#)
    }

    @Test func factories() throws {
        let two = StreamSource.merge(.append(), .zip(.race()), concurrency: 1)
        let written: [(Operator, String)] = [
            (.append([1, 2]), #"{"append":{"values":[1,2]}}"#),
            (.prepend(.append()), #"{"prepend":{"source":{"append":[]}}}"#),
            (.merge(with: .race(), .append()), #"{"merge":{"sources":[{"race":[]},{"append":[]}]}}"#),
            (.zip(with: .race(), expression: "a"), #"{"zip":{"source":{"race":[]},"expression":"a"}}"#),
            (
                .withLatestFrom(.combineLatest(.race(), expression: "a"), onError: .drop),
                #"{"withLatestFrom":{"source":{"combineLatest":{"sources":[{"race":[]}],"expression":"a"}},"onError":"drop"}}"#
            ),
            (
                .catch(two),
                #"{"catch":{"source":{"merge":{"sources":[{"append":[]},{"zip":[{"race":[]}]}],"concurrency":1}}}}"#
            ),
            (.repeat(3, seconds: 0.5), #"{"repeat":{"count":3,"seconds":0.5}}"#), (.repeat(), #"{"repeat":{}}"#),
            (.shareReplay(bufferSize: 2, refCount: true), #"{"shareReplay":{"bufferSize":2,"refCount":true}}"#),
            (.switchMap(to: .forkJoin(), "a"), #"{"switchMap":{"to":{"forkJoin":[]},"expression":"a"}}"#),
            (.replaceError(with: ["a": 1]), #"{"replaceError":{"value":{"a":1}}}"#),
            (
                .race(with: .sequenceEqual(.race(), .race())),
                #"{"race":{"source":{"sequenceEqual":[{"race":[]},{"race":[]}]}}}"#
            ),
            (
                .onErrorResumeNext(with: .withLatestFrom(.onErrorResumeNext())),
                #"{"onErrorResumeNext":{"source":{"withLatestFrom":[{"onErrorResumeNext":[]}]}}}"#
            ),
            (.sequenceEqual(.race()), #"{"sequenceEqual":{"source":{"race":[]}}}"#),
            (.combineLatest(with: .race()), #"{"combineLatest":{"source":{"race":[]}}}"#),
            (.mapError("error"), #"{"mapError":{"expression":"error"}}"#),
            (.concatMap(to: .race()), #"{"concatMap":{"to":{"race":[]}}}"#),
            (.exhaustMap(to: .race()), #"{"exhaustMap":{"to":{"race":[]}}}"#),
        ]
        for (item, text) in written {
            var writer = JSONWriter()
            item.write(to: &writer)
            #expect(writer.text == text)
        }
    }
}
