#if !(canImport(Combine) || OpenCombine)
#warning("SluiceCombine is empty without the trait OpenCombine: .package(url: …, traits: [\"OpenCombine\"])")
#endif
