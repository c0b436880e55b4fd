#if !Hub
#warning("SluiceHub is empty without the trait Hub: .package(url: …, traits: [\"Hub\"])")
#endif
