import Testing

@testable import SluiceExpressions

/// `bin/test costs` evaluates the cases; here it is only seen to that there are some for every function.
struct CostCaseTests {
    /// A function that is new has to have arguments in Tests/Costs.
    @Test func everyFunctionHasCases() {
        for overload in Library.promoting.all {
            #expect(!CostCase.cases(of: overload).isEmpty, "\(overload.name)")
            for position in overload.parameters.indices {
                let accepted = CostArguments.candidates(overload, position).filter(
                    overload.parameters[position].accepts
                )
                #expect(!accepted.isEmpty, "\(overload.name): no argument \(position)")
            }
        }
    }
}
