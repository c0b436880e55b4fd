import SluiceJSON
import SluiceStreams
import Testing

struct AuditBySourceTests {
    @Test func theStreamOfTheFirstValueEndsTheSpan() throws {
        try expect("1-2-----3-4|", #"[{"audit": {"source": {"timer": {"seconds": 3}}}}]"#, gives: "---2-------(4|)")
        try expect("12--3|", #"[{"audit": {"source": {"empty": {}}}}]"#, gives: "-----|")
        try expect("12--3|", #"[{"audit": {"source": {"values": [0]}}}]"#, gives: "12--3|")
        try expect("12--#", #"[{"audit": {"source": {"never": {}}}}]"#, gives: "----#")
    }
}
