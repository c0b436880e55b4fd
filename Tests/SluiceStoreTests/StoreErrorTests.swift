#if SQLite
import SluiceStore
import Testing

@Suite struct StoreErrorTests {
    static let current = StoredStream(id: "a", revision: 5, name: nil, text: "{}")

    static let texts: [(StoreError.Kind, String)] = [
        (
            .conflict(id: "a", expected: 4, current: current),
            "stream 'a' is at revision 5, not 4: read it again and repeat the edit"
        ),
        (
            .conflict(id: "a", expected: 4, current: nil),
            "stream 'a' was removed after revision 4: create it again to keep the edit"
        ),
        (.taken(id: "a"), "stream 'a' already exists: replace it, or choose another id"),
        (.missing(id: "a"), "there is no stream 'a'"),
        (.missingGroup(name: "g"), "there is no group 'g': create it first"),
        (.staleRun(stream: "a", run: 2, current: 3), "stream 'a' is at run 3: run 2 can't replace it"),
        (.staleRun(stream: "a", run: 2, current: nil), "stream 'a' has no run: store run 2 as a new one"),
        (
            .outputGap(stream: "a", run: 2, expected: 7, given: 9),
            "run 2 of stream 'a': store output 7 before output 9"
        ),
        (
            .notJSON(id: "a", reason: "1:1: expected an object"),
            "the text of stream 'a' is not a JSON object (1:1: expected an object): replace or remove it first"
        ),
        (
            .unshared(ids: ["a", "b", "c", "d", "e", "f"]),
            "has streams that the hubs do not share, or not at these revisions: 'a', 'b', 'c', 'd', 'e' and 1 more: give "
                + "them to the others (sluice migrate), or choose another file"
        ),
        (.full, "the disk is full: make room, and write again"),
        (.readOnly, "is read-only: allow writing to the file and its folder"),
        (.busy, "is locked by another process: end that process, or try again"),
        (
            .foreign(reason: "file is not a database"),
            "is not a Sluice store (file is not a database): choose another file"
        ),
        (.newer(schema: 9, known: 2), "was written by a newer Sluice (schema 9, this one knows 2): update this one"),
        (
            .damaged(reason: "database disk image is malformed"),
            "is damaged (database disk image is malformed): take a copy, and recover it with sqlite3's .recover"
        ),
        (.unavailable(reason: "disk I/O error"), "disk I/O error"),
    ]

    @Test(arguments: texts)
    func saysWhatIsWrongAndWhatToDo(_ kind: StoreError.Kind, _ text: String) {
        #expect(StoreError(kind).description == text)
        #expect(StoreError(kind, path: "/a/hub.sqlite").description == "/a/hub.sqlite: \(text)")
        #expect(StoreError(kind, path: "/a/hub.sqlite").reason == text)
    }

    @Test func aLongIDIsCut() {
        let text = StoreError(.missing(id: String(repeating: "x", count: 100_000))).description
        #expect(text == "there is no stream '\(String(repeating: "x", count: 100))…'")
    }
}
#endif
