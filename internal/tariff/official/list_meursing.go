package official

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/book"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

var (
	errMeursing = errors.New("must have a measure type 672 to 674, an area, a code of three digits, a reduction indicator and an amount")
	errCodeOf   = errors.New("a Meursing code must have three digits")
	errUnitCode = errors.New("a unit must have a code of three capitals and an abbreviation")
)

const meursingDigits = 3

// meursingAmount reads an amount in euro for 100 kg.
func meursingAmount(e entry) ([]string, error) {
	var a struct {
		Area      string      `json:"geographical_area_id"`
		Type      string      `json:"measure_type_id"`
		Code      string      `json:"additional_code_id"`
		Amount    json.Number `json:"duty_amount"`
		Reduction int         `json:"reduction_indicator"`
	}
	if err := e.of(&a); err != nil {
		return nil, err
	}
	amount, ok := measure.ParseAmount(a.Amount.String())
	fits := measure.IsMeursing(a.Type) && isAreaID(a.Area) && len(a.Code) == meursingDigits && isDigits(a.Code) && a.Reduction >= 0
	if !ok || amount.Sign() < 0 || !fits {
		return nil, errMeursing
	}
	return []string{a.Type, a.Code, a.Area, strconv.Itoa(a.Reduction), a.Amount.String()}, nil
}

// meursingAmounts are the amounts of the rows of their list. Equal ones, which are many, share the number.
func meursingAmounts(rows [][]string) (all []book.Amount, err error) {
	known := map[string]*big.Rat{}
	for _, row := range rows {
		reduction, err := strconv.Atoi(row[3])
		euro, ok := known[row[4]]
		if !ok {
			euro, ok = measure.ParseAmount(row[4])
			known[row[4]] = euro
		}
		if err != nil || !ok {
			return nil, fmt.Errorf("official: Meursing amount %q: %w", row, errMeursing)
		}
		all = append(all, book.Amount{Type: row[0], Code: row[1], Area: row[2], Reduction: reduction, Euro: euro})
	}
	return all, nil
}

// meursingKey begins the names of Meursing codes.
const meursingKey = "key_"

// meursingCode reads the composition that a code stands for, in per cent.
func meursingCode(e entry) ([]string, error) {
	var c struct {
		Fat     string `json:"milk_fat"`
		Protein string `json:"milk_protein"`
		Starch  string `json:"starch"`
		Sucrose string `json:"sucrose"`
	}
	if err := e.of(&c); err != nil {
		return nil, err
	}
	code := strings.TrimPrefix(e.name, meursingKey)
	if len(code) != meursingDigits || !isDigits(code) {
		return nil, fmt.Errorf("%q: %w", e.name, errCodeOf)
	}
	return []string{code, c.Fat, c.Protein, c.Starch, c.Sucrose}, nil
}

// measurementUnit reads a unit with its qualifier and its abbreviation.
func measurementUnit(e entry) ([]string, error) {
	var u struct {
		Code         string  `json:"measurement_unit_code"`
		Qualifier    *string `json:"measurement_unit_qualifier_code"`
		Abbreviation *string `json:"abbreviation"`
	}
	if err := e.of(&u); err != nil {
		return nil, err
	}
	if len(u.Code) != 3 || strings.ToUpper(u.Code) != u.Code {
		return nil, fmt.Errorf("%q: %w", e.name, errUnitCode)
	}
	return []string{u.Code, orEmpty(u.Qualifier), orEmpty(u.Abbreviation)}, nil
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
