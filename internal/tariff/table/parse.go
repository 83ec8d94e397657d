package table

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

var (
	errCode       = errors.New("must be ten digits")
	errSID        = errors.New("must be a number")
	errType       = errors.New("must be three capitals or digits")
	errArea       = errors.New("must be two or four capitals or digits")
	errAdditional = errors.New("must be four capitals or digits")
	errOrder      = errors.New("must be six digits")
	errReduction  = errors.New("must be a number from 0 to 9")
	errFootnote   = errors.New("must be five to eight capitals or digits")
	errAct        = errors.New("must have at most 100 characters")
	errPeriod     = errors.New("ends before it begins")
	errDay        = errors.New("is no day such as 2021-01-01")
)

const (
	codeDigits  = 10
	orderDigits = 6
	maxAct      = 100
)

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// isCapital reports whether a text is of capitals and digits, and of a length.
func isCapital(text string, least, most int) bool {
	return len(text) >= least && len(text) <= most && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

// column is a cell with the rule for it.
type column struct {
	cell  int
	title string
	fits  func(text string) bool
	err   error
}

// columns are the cells that are codes; none of them but the first three must be there.
var columns = []column{
	{cellCode, "code", func(s string) bool { return len(s) == codeDigits && isDigits(s) }, errCode},
	{cellType, "measure type", func(s string) bool { return isCapital(s, 3, 3) }, errType},
	{cellArea, "area", isArea, errArea},
	{cellAdditional, "additional code", func(s string) bool { return s == "" || isCapital(s, 4, 4) }, errAdditional},
	{cellOrder, "order number", func(s string) bool { return s == "" || len(s) == orderDigits && isDigits(s) }, errOrder},
	{cellReduction, "reduction indicator", func(s string) bool { return s == "" || len(s) == 1 && isDigits(s) }, errReduction},
	{cellAct, "regulation", func(s string) bool { return len(s) <= maxAct }, errAct},
}

func isArea(text string) bool { return isCapital(text, 2, 2) || isCapital(text, 4, 4) }

// isFootnote reports whether a text is the code of a footnote, such as TN701.
func isFootnote(text string) bool { return isCapital(text, 5, 8) }

// check checks the cells that are codes.
func check(cells []string) error {
	for _, c := range columns {
		if !c.fits(cells[c.cell]) {
			return fmt.Errorf("%s %q: %w", c.title, cells[c.cell], c.err)
		}
	}
	for _, id := range list(cells[cellExcluded]) {
		if !isArea(id) {
			return fmt.Errorf("excluded area %q: %w", id, errArea)
		}
	}
	for _, code := range list(cells[cellFootnotes]) {
		if !isFootnote(code) {
			return fmt.Errorf("footnote %q: %w", code, errFootnote)
		}
	}
	return nil
}

// list splits a list that is joined with |.
func list(text string) (parts []string) {
	for part := range strings.SplitSeq(text, "|") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// number reads the number of a measure; 0 for none.
func number(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("number of the measure %q: %w", text, errSID)
	}
	return n, nil
}

// period reads the first and the last day of a measure; 0 for no last day.
func period(first, last string) (from, to measure.Day, err error) {
	if from, err = day(first); err != nil || last == "" {
		return from, 0, err
	}
	if to, err = day(last); err == nil && to < from {
		err = errPeriod
	}
	return from, to, err
}

// day reads a day such as 2021-01-01, also with the time of midnight.
func day(text string) (measure.Day, error) {
	date, hour := text, ""
	if len(text) > len("2021-01-01") {
		date, hour = text[:len("2021-01-01")], text[len("2021-01-01"):]
	}
	d, err := measure.ParseDay(date)
	if err != nil || strings.Trim(hour, "T :0Z.+") != "" {
		return 0, fmt.Errorf("%q %w", text, errDay)
	}
	return d, nil
}

// parseDuty reads a duty. One in a unit that is not known is taken: its amount cannot be computed.
func parseDuty(text string) ([]measure.Component, error) {
	all, err := measure.ParseDuty(text)
	var unknown *measure.UnknownUnit
	if errors.As(err, &unknown) && isUnit(unknown.Spelling) {
		err = nil
	}
	return all, err
}

// unitLetters are the characters of units, in capitals and without spaces.
const unitLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%/.²³"

func isUnit(text string) bool { return text != "" && strings.Trim(text, unitLetters) == "" }
