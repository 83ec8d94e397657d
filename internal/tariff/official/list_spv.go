package official

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var errSPV = errors.New("must have the form 2.120.1")

// maxSPV is more than the length of any code, which can be a list of several.
const maxSPV = 60

// checkSPV checks the code of goods with simplified procedure values.
func checkSPV(code string) error {
	if code == "" || len(code) > maxSPV || strings.Trim(code, "0123456789., ") != "" {
		return fmt.Errorf("code %q: %w", code, errSPV)
	}
	return nil
}

// spvCode reads which commodity codes a code stands for.
func spvCode(e entry) ([]string, error) {
	var c struct {
		Label       string   `json:"label"`
		Commodities []string `json:"commodities"`
	}
	if err := errors.Join(e.of(&c), checkSPV(e.name)); err != nil {
		return nil, err
	}
	for _, code := range c.Commodities {
		if err := checkCode(code); err != nil {
			return nil, err
		}
	}
	return []string{e.name, c.Label, strings.Join(c.Commodities, " ")}, nil
}

// spvValue reads a value, in pounds for 100 kg, with its days; an entry without days has none.
func spvValue(e entry) ([]string, error) {
	var v struct {
		ID         string `json:"id"`
		Attributes struct {
			From   *string      `json:"validity_start_date"`
			To     *string      `json:"validity_end_date"`
			Amount *json.Number `json:"duty_amount"`
			Codes  string       `json:"goods_nomenclature_item_ids"`
		} `json:"attributes"`
	}
	if err := errors.Join(e.of(&v), checkSPV(v.ID)); err != nil {
		return nil, err
	}
	a := &v.Attributes
	if a.Amount == nil || a.From == nil {
		return nil, nil
	}
	if _, err := quantity.ParseNumber(a.Amount.String()); err != nil {
		return nil, fmt.Errorf("code %s: %w", v.ID, err)
	}
	from, to, err := period(*a.From, orEmpty(a.To))
	if err != nil {
		return nil, fmt.Errorf("code %s: %w", v.ID, err)
	}
	return []string{v.ID, from, to, a.Amount.String(), strings.Join(strings.FieldsFunc(a.Codes, isComma), " ")}, nil
}

func isComma(r rune) bool { return r == ',' || r == ' ' }
