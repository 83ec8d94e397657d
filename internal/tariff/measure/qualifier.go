package measure

import "strings"

// qualifiers are the qualifiers as the publisher's tables write them behind a unit, in capitals and without spaces: "100 kg / net
// drained wt". Publisher's former converter, 2021 to 2025.
var qualifiers = map[string]string{
	"TOTALC": "A", "FLASK": "B", "1000": "C", "NETDRAINEDWT": "E", "OFCOMMONWHEAT": "F", "COMMONWHEAT": "F", "GROSS": "G",
	"OFBIODIESELCONTENT": "I", "BIODIESEL": "I", "OFFUELCONTENT": "J", "FUELCONTENT": "J", "OFBIOETHANOLCONTENT": "K", "BIOETHANOL": "K",
	"OFLIVEWT": "L", "LIVEWEIGHT": "L", "NETDRY": "M", "LACTICMATTER": "P", "STDQUAL": "R", "RAWSUGAR": "S", "DRYLACTICMATTER": "T", "HL": "X",
	"%SACCHAR": "Z", "NETEDA": "E", "NETMAS": "M", "NET%SACCHAR": "Z",
}

// qualified reads a unit with a qualifier behind it.
func qualified(text string) (Unit, bool) {
	at := strings.LastIndexByte(text, '/')
	if at < 0 {
		return Unit{}, false
	}
	unit, known := spelled[text[:at]]
	qualifier, also := qualifiers[strings.TrimSuffix(text[at+1:], ".")]
	if !known || !also || unit.Qualifier != "" {
		return Unit{}, false
	}
	return Unit{unit.Code, qualifier}, true
}
