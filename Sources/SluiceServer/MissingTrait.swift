#if !Server
#warning("SluiceServer is empty without the trait Server: .package(url: …, traits: [\"Server\"])")
#endif
