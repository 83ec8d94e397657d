package corporate

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// The form is free-form, so each member is read in all common formats. A member that cannot be read is a finding, not an
// error.

// hasValue reports whether a member has a value: null, blank text and empty lists are none.
func (f *Filing) hasValue(name string) bool {
	raw := f.member(name)
	if isText(raw) {
		return textOf(raw) != ""
	}
	return len(raw) > len("null") || strings.Trim(string(raw), "[{}] nul") != ""
}

func isText(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '"' }

// Limits of what is read and shown in messages.
const (
	longestText = 2000 // bytes
	maxItems    = 200
)

// text returns a text, or a number as written.
func (f *Filing) text(name string) string { return textOf(f.member(name)) }

func textOf(raw json.RawMessage) string {
	if isText(raw) {
		text := string(raw[1 : len(raw)-1])
		if strings.IndexByte(text, '\\') >= 0 {
			_ = json.Unmarshal(raw, &text)
		}
		return strings.TrimSpace(truncate(text))
	}
	if _, ok := number(string(raw)); ok {
		return string(raw)
	}
	return ""
}

// format formats a member for a message.
func (f *Filing) format(name string) string {
	const most = 80
	text := []rune(string(f.member(name)))
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}

// Accepted layouts of dates. With slashes the day comes first, as in the United Kingdom.
var layouts = []string{time.DateOnly, "2/1/2006", "2 January 2006", "2 Jan 2006"}

// day returns a date as midnight UTC.
func (f *Filing) day(name string) (day time.Time, ok bool) {
	raw := f.member(name)
	if len(raw) > 0 && raw[0] == '{' {
		return dayOfParts(raw)
	}
	text := f.text(name)
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return dateMeant(at), true
	}
	for _, layout := range layouts {
		if day, err := time.Parse(layout, text); err == nil {
			return day, true
		}
	}
	return time.Time{}, false
}

// dayOfParts reads a date in the format of Companies House: {"day":1,"month":2,"year":1980}.
func dayOfParts(raw json.RawMessage) (time.Time, bool) {
	var p map[string]json.RawMessage
	if json.Unmarshal(raw, &p) != nil {
		return time.Time{}, false
	}
	day, err := time.Parse("2006-1-2", textOf(p["year"])+"-"+textOf(p["month"])+"-"+textOf(p["day"]))
	return day, err == nil
}

// dateOf returns the date in London of an instant, as midnight UTC.
func dateOf(at time.Time) time.Time {
	year, month, day := at.In(calendar.London()).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// dateMeant returns the date of an instant that stands for a date: the date in London if it is midnight there, otherwise the
// UTC date. So the last second of a day belongs to that day in both time zones.
func dateMeant(at time.Time) time.Time {
	if at.Equal(calendar.StartOfDay(at)) {
		return dateOf(at)
	}
	return at.UTC().Truncate(24 * time.Hour)
}

// formatDate formats a date for a message.
func formatDate(day time.Time) string { return day.Format("2 January 2006") }

// amount returns an amount, with or without a pound sign and commas.
func (f *Filing) amount(name string) (*big.Rat, bool) {
	return number(ornaments.Replace(f.text(name)))
}

var ornaments = strings.NewReplacer(",", "", "£", "", " ", "")

// longestNumber is the maximum number of characters of an amount.
const longestNumber = 24

func number(text string) (*big.Rat, bool) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || len(text) > longestNumber || strings.Trim(digits, "0123456789.") != "" || strings.Count(digits, ".") > 1 || strings.Trim(digits, ".") == "" {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// pounds formats an amount for a message, such as £1,250.50.
func pounds(amount *big.Rat) string {
	whole, pence, _ := strings.Cut(amount.FloatString(2), ".")
	whole, minus := strings.CutPrefix(whole, "-")
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if pence != "00" {
		whole += "." + pence
	}
	if minus {
		return "-£" + whole
	}
	return "£" + whole
}

// confirmation returns a confirmation. A text other than "no" is taken as the statement itself, so it confirms.
func (f *Filing) confirmation(name string) (confirmed, ok bool) {
	raw := strings.ToLower(strings.Trim(string(f.member(name)), `" `))
	switch raw {
	case "true", "yes", "y", "1":
		return true, true
	case "false", "no", "n", "0":
		return false, true
	}
	return isText(f.member(name)), isText(f.member(name))
}

// list returns the members of a list, or a single value as a list.
func (f *Filing) list(name string) []json.RawMessage {
	var all []json.RawMessage
	switch raw := f.member(name); {
	case !f.hasValue(name):
		return nil
	case json.Unmarshal(raw, &all) == nil:
		return all[:min(len(all), maxItems)]
	default:
		return []json.RawMessage{raw}
	}
}

// texts returns a list of texts. One text may contain several, separated by commas.
func (f *Filing) texts(name string) (all []string) {
	for _, raw := range f.list(name) {
		all = append(all, parts(textOf(raw))...)
	}
	return all[:min(len(all), maxItems)]
}

// parts splits a text at commas.
func parts(text string) (all []string) {
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' }) {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}

// address returns an address, from one text or from an object or list of lines.
func (f *Filing) address(name string) string {
	return truncate(strings.Join(collectTexts(f.member(name)), ", "))
}

// truncate limits a text to the maximum length.
func truncate(text string) string { return strings.ToValidUTF8(text[:min(len(text), longestText)], "") }

// collectTexts returns the texts in a value, for an object in the order of its names.
func collectTexts(raw json.RawMessage) (all []string) {
	var items []json.RawMessage
	var members map[string]json.RawMessage
	if text := textOf(raw); text != "" {
		return []string{text}
	}
	switch {
	case isText(raw):
	case json.Unmarshal(raw, &items) == nil:
	case json.Unmarshal(raw, &members) == nil:
		for _, name := range slices.Sorted(maps.Keys(members)) {
			items = append(items, members[name])
		}
	}
	for _, item := range items {
		all = append(all, collectTexts(item)...)
	}
	return all
}

// wholeNumber returns a whole number.
func (f *Filing) wholeNumber(name string) (int64, bool) {
	n, err := strconv.ParseInt(strings.ReplaceAll(f.text(name), ",", ""), 10, 64)
	return n, err == nil
}
