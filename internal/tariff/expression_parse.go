package tariff

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// unitLetters are the characters of units, in capitals and without spaces.
const unitLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%/.,²³"

// maxExpression is much longer than any duty of the tariff, in bytes.
const maxExpression = 250

var (
	errTooLong = fmt.Errorf("must have at most %d characters", maxExpression)
	errAmount  = errors.New("must be a number, such as 12.00")
	errUnit    = errors.New("must be % or pounds (GBP) for a known unit, such as GBP/100kg")
)

// ParseExpression parses a duty such as "12.00% + 253.00 GBP/100kg", with limits ("10.00% MIN
// 22.00 GBP/100kg MAX 56.00 GBP/100kg") or seasons ("8.00% (01 NOV - 14 MAY), 14.00% (15 MAY -
// 31 OCT)"). Spaces and case do not matter. It accepts units that no declaration has, such as
// dry matter; Apply reports them as missing.
func ParseExpression(text string) (Expression, error) { return parser{}.parse(text) }

// ParsePublished is ParseExpression for published duties: it also accepts unknown units, which
// Apply reports as missing.
func ParsePublished(text string) (Expression, error) { return parser{anyUnit: true}.parse(text) }

type parser struct{ anyUnit bool }

func (p parser) parse(text string) (Expression, error) {
	text = strings.TrimSpace(text)
	if len(text) > maxExpression {
		return Expression{}, fmt.Errorf("tariff: duty expression: %w", errTooLong)
	}
	seasons, err := p.seasons(strings.ToUpper(text))
	if err != nil {
		return Expression{}, fmt.Errorf("tariff: duty expression %q: %w", text, err)
	}
	return Expression{text: text, seasons: seasons}, nil
}

func (p parser) seasons(text string) ([]season, error) {
	if !strings.HasSuffix(text, ")") {
		c, err := p.clause(text)
		return []season{{firstDay, lastDay, c}}, err
	}
	var seasons []season
	for part := range strings.SplitSeq(strings.TrimSuffix(text, ")"), "),") {
		s, err := p.seasonal(part)
		if err != nil {
			return nil, err
		}
		seasons = append(seasons, s)
	}
	return seasons, coverYear(seasons)
}

// seasonal parses "8.00% (01 NOV - 14 MAY" without the closing bracket.
func (p parser) seasonal(text string) (season, error) {
	duty, span, _ := strings.Cut(text, "(")
	s, err := parseSeason(span)
	if err != nil {
		return season{}, err
	}
	s.clause, err = p.clause(duty)
	return s, err
}

func (p parser) clause(text string) (c clause, err error) {
	text, most, hasMost := strings.Cut(text, "MAX")
	text, least, hasLeast := strings.Cut(text, "MIN")
	if c.sum, err = p.terms(text); err != nil {
		return c, err
	}
	if hasLeast {
		if c.least, err = p.terms(least); err != nil {
			return c, err
		}
	}
	if hasMost {
		c.most, err = p.terms(most)
	}
	return c, err
}

func (p parser) terms(text string) ([]term, error) {
	var terms []term
	for part := range strings.SplitSeq(text, "+") {
		t, err := p.term(strings.ReplaceAll(part, " ", ""))
		if err != nil {
			return nil, err
		}
		terms = append(terms, t)
	}
	return terms, nil
}

// term parses "12.00%" or "253.00GBP/100KG".
func (p parser) term(text string) (term, error) {
	if percent, ok := strings.CutSuffix(text, "%"); ok {
		rate, err := parseRate(percent, 100)
		return term{rate, customsValue}, err
	}
	pounds, unit, _ := strings.Cut(text, "GBP/")
	per, ok := rateUnits[unit]
	if !ok {
		if !p.anyUnit || unit == "" || strings.Trim(unit, unitLetters) != "" {
			return term{}, errUnit
		}
		per = measured{basis("quantity in " + unit), 1}
	}
	rate, err := parseRate(pounds, per.size)
	return term{rate, per.basis}, err
}

func parseRate(text string, size int64) (*big.Rat, error) {
	if strings.Trim(text, "0123456789.") != "" {
		return nil, errAmount
	}
	n, err := quantity.ParseNumber(text)
	if err != nil {
		return nil, errAmount
	}
	return new(big.Rat).Quo(n.Rat(), big.NewRat(size, 1)), nil
}
