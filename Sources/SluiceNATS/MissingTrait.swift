#if !NATS
#warning("SluiceNATS is empty without the trait NATS: .package(url: …, traits: [\"NATS\"])")
#endif
