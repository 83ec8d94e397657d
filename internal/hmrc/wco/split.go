package wco

// SplitGoodsLocation splits a location code of DE 5/23: GBAUFXTFXTFXT is country GB, type A, qualifier U and name
// FXTFXTFXT.
func SplitGoodsLocation(code string) (GoodsLocation, bool) {
	const prefix, longest = 4, 4 + 35
	if len(code) <= prefix || len(code) > longest || !all(code, isCode) || !all(code[:prefix], capitals.holds) {
		return GoodsLocation{}, false
	}
	return GoodsLocation{
		Name:     code[prefix:],
		TypeCode: code[2:3],
		Address:  LocationAddress{TypeCode: code[3:4], CountryCode: code[:2]},
	}, true
}

// SplitDocumentCode splits a document code of DE 2/3: N935 is category N and type 935.
func SplitDocumentCode(code string) (category, kind string, ok bool) {
	if len(code) != 4 || !all(code, isCode) {
		return "", "", false
	}
	return code[:1], code[1:], true
}

// SplitProcedure splits a procedure code of DE 1/10: 4000 is 40 after 00.
func SplitProcedure(code string) (GovernmentProcedure, bool) {
	if len(code) != 4 || !all(code, isCode) {
		return GovernmentProcedure{}, false
	}
	return GovernmentProcedure{CurrentCode: code[:2], PreviousCode: code[2:]}, true
}

// ClassifyImport returns the ten digits of a commodity code for an import: eight of the Combined Nomenclature and two
// of TARIC.
func ClassifyImport(code string) ([]Classification, bool) {
	if len(code) != 10 || !all(code, digits.holds) {
		return nil, false
	}
	return []Classification{
		{ID: code[:8], IdentificationTypeCode: CombinedNomenclature},
		{ID: code[8:], IdentificationTypeCode: TARIC},
	}, true
}

// ClassifyExport returns the eight digits for an export, from a commodity code of eight or ten.
func ClassifyExport(code string) ([]Classification, bool) {
	if (len(code) != 8 && len(code) != 10) || !all(code, digits.holds) {
		return nil, false
	}
	return []Classification{{ID: code[:8], IdentificationTypeCode: CombinedNomenclature}}, true
}

func isCode(c byte) bool { return capitals.holds(c) || digits.holds(c) }
