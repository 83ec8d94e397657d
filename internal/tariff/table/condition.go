package table

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// The words of a condition, such as "condition:B,certificate:C990,action:27,duty:0.00%". The publisher's tables have no
// thresholds; those that raw tables have are written as "threshold:52.60 EUR DTN", with - for no currency.
const (
	wordGroup     = "condition"
	wordDocument  = "certificate"
	wordAction    = "action"
	wordDuty      = "duty"
	wordThreshold = "threshold"
)

var words = []string{wordGroup, wordDocument, wordAction, wordDuty, wordThreshold}

// maxConditions is more than the conditions of any measure, in bytes.
const maxConditions = 20_000

var (
	errCondition  = errors.New("has not the form condition:B,certificate:C990,action:27,duty:0.00%")
	errConditions = fmt.Errorf("the conditions are longer than %d characters", maxConditions)
)

// ParseConditions reads the conditions of a measure, joined with |.
func ParseConditions(text string) (all []measure.Condition, err error) {
	if len(text) > maxConditions {
		return nil, errConditions
	}
	if text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, "|") {
		c, err := parseCondition(part)
		if err != nil {
			return nil, fmt.Errorf("condition %q: %w", part, err)
		}
		all = append(all, c)
	}
	markThresholds(all)
	return all, nil
}

func parseCondition(text string) (c measure.Condition, err error) {
	said, err := splitWords(text)
	if err != nil {
		return c, err
	}
	c.Code, c.Document, c.Action = said[wordGroup], said[wordDocument], said[wordAction]
	document := c.Document == "" || isCapital(c.Document, 4, 4)
	action := c.Action == "" || len(c.Action) == 2 && isDigits(c.Action)
	if !isCapital(c.Code, 1, 2) || !document || !action {
		return c, errCondition
	}
	if c.Components, err = parseDuty(said[wordDuty]); err != nil {
		return c, err
	}
	if said[wordThreshold] != "" {
		if c.Threshold, err = parseThreshold(said[wordThreshold]); err != nil {
			return c, err
		}
	}
	if c.Action == "" {
		c.Action = measure.UnstatedAction(&c)
	}
	return c, nil
}

// splitWords returns what stands behind each word. A duty can hold commas.
func splitWords(text string) (map[string]string, error) {
	said, last := map[string]string{}, ""
	for part := range strings.SplitSeq(text, ",") {
		word, value, ok := strings.Cut(part, ":")
		word = strings.TrimSpace(word)
		if _, twice := said[word]; ok && isWord(word) && !twice {
			last = word
			said[word] = strings.TrimSpace(value)
			continue
		}
		if last != wordDuty {
			return nil, errCondition
		}
		said[last] += "," + part
	}
	return said, nil
}

func isWord(text string) bool {
	for _, w := range words {
		if w == text {
			return true
		}
	}
	return false
}

func parseThreshold(text string) (*measure.Threshold, error) {
	parts := strings.Fields(text)
	if len(parts) == 0 || len(parts) > 3 {
		return nil, errCondition
	}
	t := &measure.Threshold{}
	var ok bool
	if t.Amount, ok = measure.ParseAmount(parts[0]); !ok {
		return nil, errCondition
	}
	if len(parts) > 1 && parts[1] != "-" {
		t.Currency = parts[1]
	}
	if len(parts) > 2 {
		t.Unit, t.Qualifier, _ = strings.Cut(parts[2], "/")
	}
	return t, nil
}

// markThresholds gives a threshold without an amount to each condition that must have one that the table does not hold: only
// the last of a group can have neither document nor threshold, which is "otherwise".
func markThresholds(all []measure.Condition) {
	for i := range all {
		c := &all[i]
		if c.Document != "" || c.Threshold != nil {
			continue
		}
		for _, later := range all[i+1:] {
			if later.Code == c.Code {
				c.Threshold = &measure.Threshold{}
				break
			}
		}
	}
}

// WriteConditions writes conditions as ParseConditions reads them.
func WriteConditions(all []measure.Condition) string {
	parts := make([]string, len(all))
	for i := range all {
		parts[i] = writeCondition(&all[i])
	}
	return strings.Join(parts, "|")
}

func writeCondition(c *measure.Condition) string {
	text := wordGroup + ":" + c.Code
	if c.Document != "" {
		text += "," + wordDocument + ":" + c.Document
	}
	if c.Threshold != nil && c.Threshold.Amount != nil {
		text += "," + wordThreshold + ":" + writeThreshold(c.Threshold)
	}
	if c.Action != "" {
		text += "," + wordAction + ":" + c.Action
	}
	if len(c.Components) > 0 {
		text += "," + wordDuty + ":" + measure.Text(c.Components)
	}
	return text
}

func writeThreshold(t *measure.Threshold) string {
	text := measure.Decimal(t.Amount)
	if t.Currency == "" && t.Unit == "" {
		return text
	}
	if t.Currency == "" {
		text += " -"
	} else {
		text += " " + t.Currency
	}
	if t.Unit != "" {
		text += " " + measure.Unit{Code: t.Unit, Qualifier: t.Qualifier}.String()
	}
	return text
}
