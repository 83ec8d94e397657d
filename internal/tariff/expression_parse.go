package tariff

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/quantity"
)

// maxExpression is far longer than any duty of the tariff, in bytes.
const maxExpression = 250

var (
	errTooLong = fmt.Errorf("must have at most %d characters", maxExpression)
	errAmount  = errors.New("must be a number, such as 12.00")
	errUnit    = errors.New("must be % or pounds (GBP) for a known unit, such as GBP/100kg")
)

// ParseExpression reads a duty such as "12.00% + 253.00 GBP/100kg", with bounds
// ("10.00% MIN 22.00 GBP/100kg MAX 56.00 GBP/100kg") or seasons ("8.00% (01 NOV -
// 14 MAY), 14.00% (15 MAY - 31 OCT)"). Spaces and capitals do not matter. It also
// takes units that no declaration carries, such as dry matter: they are missing
// when the duty is applied.
func ParseExpression(text string) (Expression, error) {
	text = strings.TrimSpace(text)
	if len(text) > maxExpression {
		return Expression{}, fmt.Errorf("tariff: duty expression: %w", errTooLong)
	}
	seasons, err := parseSeasons(strings.ToUpper(text))
	if err != nil {
		return Expression{}, fmt.Errorf("tariff: duty expression %q: %w", text, err)
	}
	return Expression{text: text, seasons: seasons}, nil
}

func parseSeasons(text string) ([]season, error) {
	if !strings.HasSuffix(text, ")") {
		c, err := parseClause(text)
		return []season{{firstDay, lastDay, c}}, err
	}
	var seasons []season
	for part := range strings.SplitSeq(strings.TrimSuffix(text, ")"), "),") {
		s, err := parseSeasonal(part)
		if err != nil {
			return nil, err
		}
		seasons = append(seasons, s)
	}
	return seasons, coverYear(seasons)
}

// parseSeasonal reads "8.00% (01 NOV - 14 MAY" without the closing bracket.
func parseSeasonal(text string) (season, error) {
	duty, span, _ := strings.Cut(text, "(")
	s, err := parseSeason(span)
	if err != nil {
		return season{}, err
	}
	s.clause, err = parseClause(duty)
	return s, err
}

func parseClause(text string) (c clause, err error) {
	text, most, hasMost := strings.Cut(text, "MAX")
	text, least, hasLeast := strings.Cut(text, "MIN")
	if c.sum, err = parseTerms(text); err != nil {
		return c, err
	}
	if hasLeast {
		if c.least, err = parseTerms(least); err != nil {
			return c, err
		}
	}
	if hasMost {
		c.most, err = parseTerms(most)
	}
	return c, err
}

func parseTerms(text string) ([]term, error) {
	var terms []term
	for part := range strings.SplitSeq(text, "+") {
		t, err := parseTerm(strings.ReplaceAll(part, " ", ""))
		if err != nil {
			return nil, err
		}
		terms = append(terms, t)
	}
	return terms, nil
}

// parseTerm reads "12.00%" or "253.00GBP/100KG".
func parseTerm(text string) (term, error) {
	if percent, ok := strings.CutSuffix(text, "%"); ok {
		rate, err := parseRate(percent, 100)
		return term{rate, customsValue}, err
	}
	pounds, unit, _ := strings.Cut(text, "GBP/")
	per, ok := rateUnits[unit]
	if !ok {
		return term{}, errUnit
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
