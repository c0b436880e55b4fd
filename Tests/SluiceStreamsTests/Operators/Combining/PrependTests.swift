import SluiceStreams
import Testing

@Suite struct PrependTests {
    let values = #"[{"prepend": {"values": [8, 9]}}]"#
    let other = #"[{"prepend": {"source": {"ref": "other"}}}]"#

    @Test func givenValues() throws {
        try expect("----1|", values, gives: "(89)1|")
        try expect("----|", values, gives: "(89)|")
        try expect("----#", values, gives: "(89)#")
        try expect("-", values, gives: "(89)", leaving: 9)
        try expect("--1|", values, gives: "(89)", leaving: 2)
    }

    @Test func anotherStream() throws {
        try expect("-1|", other, gives: "-2-1|", others: ["other": "-2|"])
        try expect("-1|", other, gives: "#", others: ["other": "#"])
        try expect("-1|", other, gives: "-2-", leaving: 3, others: ["other": "-2|"])
    }

    @Test func both() throws {
        let both = #"[{"prepend": {"values": [9], "source": {"ref": "other"}}}]"#
        try expect("-1|", both, gives: "92-1|", others: ["other": "-2|"])
    }
}
