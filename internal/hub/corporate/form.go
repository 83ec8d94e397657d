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

// The form is free, so each of its members is read in every way that people write
// it in, and what cannot be read is the finding of a rule, not an error.

// given tells whether a member says anything: null, blank text and empty lists do not.
func (f *Filing) given(name string) bool {
	raw := f.member(name)
	if isText(raw) {
		return textOf(raw) != ""
	}
	return len(raw) > len("null") || strings.Trim(string(raw), "[{}] nul") != ""
}

func isText(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '"' }

// Limits of what is read, and with it of what a message shows.
const (
	longestText = 2000 // bytes
	mostItems   = 200
)

// text is a text, or a number as it is written.
func (f *Filing) text(name string) string { return textOf(f.member(name)) }

func textOf(raw json.RawMessage) string {
	if isText(raw) {
		text := string(raw[1 : len(raw)-1])
		if strings.IndexByte(text, '\\') >= 0 {
			_ = json.Unmarshal(raw, &text)
		}
		return strings.TrimSpace(cut(text))
	}
	if _, ok := number(string(raw)); ok {
		return string(raw)
	}
	return ""
}

// shown is a member as a message shows it.
func (f *Filing) shown(name string) string {
	const most = 80
	text := []rune(string(f.member(name)))
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}

// Layouts of the days that are read; with strokes the day comes first, as in the
// United Kingdom.
var layouts = []string{time.DateOnly, "2/1/2006", "2 January 2006", "2 Jan 2006"}

// day is a date, as midnight in UTC.
func (f *Filing) day(name string) (day time.Time, ok bool) {
	raw := f.member(name)
	if len(raw) > 0 && raw[0] == '{' {
		return dayOfParts(raw)
	}
	text := f.text(name)
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return meant(at), true
	}
	for _, layout := range layouts {
		if day, err := time.Parse(layout, text); err == nil {
			return day, true
		}
	}
	return time.Time{}, false
}

// dayOfParts reads a date as Companies House writes it: {"day":1,"month":2,"year":1980}.
func dayOfParts(raw json.RawMessage) (time.Time, bool) {
	var p map[string]json.RawMessage
	if json.Unmarshal(raw, &p) != nil {
		return time.Time{}, false
	}
	day, err := time.Parse("2006-1-2", textOf(p["year"])+"-"+textOf(p["month"])+"-"+textOf(p["day"]))
	return day, err == nil
}

// dateOf is the date in London of an instant, as midnight in UTC.
func dateOf(at time.Time) time.Time {
	year, month, day := at.In(calendar.London()).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// meant is the date that is written as an instant: that of London where it is midnight
// there, and else that of UTC. So the last second of a day is in that day, whichever
// of the two clocks it was taken from.
func meant(at time.Time) time.Time {
	if at.Equal(calendar.StartOfDay(at)) {
		return dateOf(at)
	}
	return at.UTC().Truncate(24 * time.Hour)
}

// written is a date in a message.
func written(day time.Time) string { return day.Format("2 January 2006") }

// sum is an amount, with or without a pound sign and commas.
func (f *Filing) sum(name string) (*big.Rat, bool) {
	return number(ornaments.Replace(f.text(name)))
}

var ornaments = strings.NewReplacer(",", "", "£", "", " ", "")

// longestNumber bounds what is reckoned with.
const longestNumber = 24

func number(text string) (*big.Rat, bool) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || len(text) > longestNumber || strings.Trim(digits, "0123456789.") != "" || strings.Count(digits, ".") > 1 || strings.Trim(digits, ".") == "" {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// pounds is an amount in a message, such as £1,250.50.
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

// truth is a confirmation. A text that does not say no is the statement itself.
func (f *Filing) truth(name string) (confirmed, ok bool) {
	raw := strings.ToLower(strings.Trim(string(f.member(name)), `" `))
	switch raw {
	case "true", "yes", "y", "1":
		return true, true
	case "false", "no", "n", "0":
		return false, true
	}
	return isText(f.member(name)), isText(f.member(name))
}

// list is the members of a list, or the one value in place of a list.
func (f *Filing) list(name string) []json.RawMessage {
	var all []json.RawMessage
	switch raw := f.member(name); {
	case !f.given(name):
		return nil
	case json.Unmarshal(raw, &all) == nil:
		return all[:min(len(all), mostItems)]
	default:
		return []json.RawMessage{raw}
	}
}

// texts is a list of texts; one text may hold several with commas between.
func (f *Filing) texts(name string) (all []string) {
	for _, raw := range f.list(name) {
		all = append(all, parts(textOf(raw))...)
	}
	return all[:min(len(all), mostItems)]
}

// parts are what stands between the commas of a text.
func parts(text string) (all []string) {
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' }) {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}

// lines is an address, written as one text or as an object or list of its lines.
func (f *Filing) lines(name string) string { return cut(strings.Join(leaves(f.member(name)), ", ")) }

// cut is a text no longer than any is read.
func cut(text string) string { return strings.ToValidUTF8(text[:min(len(text), longestText)], "") }

// leaves are the texts in a value, those of an object by the order of their names.
func leaves(raw json.RawMessage) (all []string) {
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
		all = append(all, leaves(item)...)
	}
	return all
}

// whole is a count.
func (f *Filing) whole(name string) (int64, bool) {
	n, err := strconv.ParseInt(strings.ReplaceAll(f.text(name), ",", ""), 10, 64)
	return n, err == nil
}
