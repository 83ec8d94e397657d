package wco

// SplitGoodsLocation takes a location code of DE 5/23 apart: in GBAUFXTFXTFXT the
// country GB, the type A, the qualifier U and the name FXTFXTFXT.
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

// SplitDocumentCode takes a document code of DE 2/3 apart: N935 is category N and type 935.
func SplitDocumentCode(code string) (category, kind string, ok bool) {
	if len(code) != 4 || !all(code, isCode) {
		return "", "", false
	}
	return code[:1], code[1:], true
}

// SplitProcedure takes a procedure code of DE 1/10 apart: 4000 is 40 after 00.
func SplitProcedure(code string) (GovernmentProcedure, bool) {
	if len(code) != 4 || !all(code, isCode) {
		return GovernmentProcedure{}, false
	}
	return GovernmentProcedure{CurrentCode: code[:2], PreviousCode: code[2:]}, true
}

// ClassifyImport is the ten digits of a commodity code as imports declare them, eight
// of the Combined Nomenclature and two of TARIC.
func ClassifyImport(code string) ([]Classification, bool) {
	if len(code) != 10 || !all(code, digits.holds) {
		return nil, false
	}
	return []Classification{
		{ID: code[:8], IdentificationTypeCode: CombinedNomenclature},
		{ID: code[8:], IdentificationTypeCode: TARIC},
	}, true
}

// ClassifyExport is the eight digits that exports declare, of a commodity code of eight or ten.
func ClassifyExport(code string) ([]Classification, bool) {
	if (len(code) != 8 && len(code) != 10) || !all(code, digits.holds) {
		return nil, false
	}
	return []Classification{{ID: code[:8], IdentificationTypeCode: CombinedNomenclature}}, true
}

func isCode(c byte) bool { return capitals.holds(c) || digits.holds(c) }
