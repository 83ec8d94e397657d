package exportcontrol

// addCryptography considers the statement whether the goods have cryptography, which may be missing. Category 5 Part 2
// controls cryptography for confidentiality; it excludes mass market goods (Note 3) and cryptography for other fixed
// purposes.
func (m *subject) addCryptography(entries map[string]Entry) {
	const denied, exempt = 0.5, 0.25
	entry := "5A002"
	if m.mentions(software) && !m.mentions(massMarket) {
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
	if m.mentions(cryptoProduct) {
		weight = strong
	}
	if e.Confidence < weight {
		entries[entry] = Entry{Entry: entry, Confidence: weight, Why: "the exporter states that the goods have cryptography"}
	}
}

// exempt reports whether the goods are mass market goods, or use cryptography for a fixed purpose, unless confidentiality is
// their main purpose.
func (m *subject) exempt() bool {
	return (m.mentions(massMarket) || m.mentions(fixedCrypto)) && !m.mentions(cryptoProduct)
}
