package official

import (
	"encoding/json"
	"fmt"
)

// unitCodes are the codes of DE 6/2 by the numbers of units in the published list. CDS has no
// known code for other units.
var unitCodes = map[string]string{
	"2001": "KPO", "2003": "KNI", "2004": "KSH", "2021": "GRM", "2026": "CTM", "2029": "KNS", "2030": "NAR",
	"2031": "NPR", "2037": "MIL", "2045": "MTK", "2057": "MTR", "2064": "CCT", "2066": "LPA", "2067": "KSD",
	"2076": "LTR", "2087": "MTQ", "2097": "MWH", "2120": "TJO",
}

// noUnit is the number of no unit.
const noUnit = "0000"

// addUnit adds the second of a code's three units: the first is the net mass, the third is for
// statistics.
func (t *read) addUnit(code string, value json.RawMessage) error {
	if err := checkCode(code); err != nil {
		return err
	}
	var u struct {
		Second *string `json:"unit2"`
	}
	if err := json.Unmarshal(value, &u); err != nil || u.Second == nil || len(*u.Second) != len(noUnit) || !isDigits(*u.Second) {
		return fmt.Errorf("code %s: %w", code, errShape)
	}
	unit, ok := unitCodes[*u.Second]
	if !ok {
		unit = ""
	}
	t.rows = append(t.rows, []string{code, unit})
	return nil
}
