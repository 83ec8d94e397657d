package ics2

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// place is a place of loading or unloading, as understood from its text.
type place struct {
	field, text string
	code        ident.UNLOCODE // "" if the text is not a code
	country     ident.Country  // "" if unknown; XI for Northern Ireland
}

func (f *Filing) loading() place   { return placeOf("portOfLoading", f.PortOfLoading) }
func (f *Filing) unloading() place { return placeOf("portOfUnloading", f.PortOfUnloading) }

// placeOf reads a UN/LOCODE, or the country at the start of a text, as in “GB Felixstowe” and “GBFXT Felixstowe”.
func placeOf(field, text string) place {
	p := place{field: field, text: text}
	first, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if slices.Contains(fiveLetterNames, strings.ToUpper(first)) {
		return p
	}
	code, err := ident.ParseUNLOCODE(text)
	switch {
	case err == nil:
		p.code, p.country = code, code.Country()
	case len(first) == 5 && strings.HasPrefix(strings.ToUpper(first), string(ident.NorthernIreland)):
		p.country = ident.NorthernIreland
	case rest != "" && len(first) == 2:
		p.country, _ = ident.ParseCountry(strings.ToUpper(first))
	case rest != "" && first == strings.ToUpper(first):
		if code, err := ident.ParseUNLOCODE(first); err == nil {
			p.country = code.Country()
		}
	}
	if slices.Contains(northernIrish, string(p.code)) {
		p.country = ident.NorthernIreland
	}
	return p
}

// northernIrish lists the UN/LOCODEs of ports, airports and larger towns in Northern Ireland, which begin with GB (list of
// 2024).
var northernIrish = strings.Fields(`GBAGL GBANG GBANT GBARM GBBAN GBBBG GBBEL GBBFS GBBHB GBBHD GBBLR GBBYC GBBYM GBCAH GBCFG GBCGP GBCLR
	GBCOO GBCRG GBCUB GBCUE GBCUS GBDGN GBDHD GBDUY GBENK GBGLA GBGRO GBIMG GBKIO GBKLK GBKLR GBLAR GBLDY GBLIM GBLIS GBMFT GBMGP GBMLK
	GBMYN GBNCS GBNRY GBNTA GBNTS GBOMA GBPBA GBPFY GBPSW GBPTR GBPTW GBPVG GBROR GBRRY GBSJL GBSTB GBURL GBWHE GBWPT GBYLW`)

// fiveLetterNames lists names of places that look like UN/LOCODEs: as a code, DOVER would be in the Dominican Republic.
var fiveLetterNames = strings.Fields(`ADANA AMMAN BASEL BASRA BEIRA BELEM BLYTH CADIZ CAIRO CHINA DELFT DERBY DOVER ESSEN GAVLE GENOA GHENT
	GIJON GRAYS KYOTO LAGOS LARNE LIEGE LILLE LULEA LUTON MACAU MALMO MAINZ PALMA PARIS PERTH SEOUL SOFIA TOKYO VARNA`)
