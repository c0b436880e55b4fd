#if !SQLite
#warning("SluiceStore is empty without the trait SQLite: .package(url: …, traits: [\"SQLite\"])")
#endif
