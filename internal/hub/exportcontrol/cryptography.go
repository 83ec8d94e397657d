package exportcontrol

// weighCryptography reads the answer to whether the goods encrypt, which may be
// missing. Category 5 Part 2 controls cryptography for secrecy; it leaves out what
// is sold to everybody (Note 3) and what encrypts for a fixed purpose of another kind.
func (m *matter) weighCryptography(entries map[string]Entry) {
	const denied, exempt = 0.5, 0.25
	entry := "5A002"
	if m.speaks(software) && !m.speaks(massMarket) {
		entry = "5D002"
	}
	e := entries[entry]
	switch {
	case m.exempt():
		for _, name := range []string{"5A002", "5D002"} {
			if known, ok := entries[name]; ok {
				known.Confidence *= exempt
				entries[name] = known
			}
		}
		return
	case m.Cryptography == nil:
		return
	case !*m.Cryptography:
		if e.Entry != "" {
			e.Confidence *= denied
			entries[entry] = e
		}
		return
	}
	weight := possible
	if m.speaks(cryptoProduct) {
		weight = strong
	}
	if e.Confidence < weight {
		entries[entry] = Entry{Entry: entry, Confidence: weight, Why: "the goods are said to have cryptography"}
	}
}

// exempt tells of cryptography in goods for everybody, or for a fixed purpose, unless
// secrecy is what the goods are for.
func (m *matter) exempt() bool {
	return (m.speaks(massMarket) || m.speaks(fixedCrypto)) && !m.speaks(cryptoProduct)
}
