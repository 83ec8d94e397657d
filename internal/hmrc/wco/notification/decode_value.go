package notification

import (
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// steps reads the Pointer elements of a parent as one path.
func steps(parent *element) pointer.Pointer {
	var p pointer.Pointer
	for s := range parent.all("Pointer") {
		sequence, _ := strconv.Atoi(s.text("SequenceNumeric"))
		p = append(p, pointer.Step{
			Section:  s.text("DocumentSectionCode"),
			Sequence: max(sequence, 0),
			Tag:      s.text("TagID"),
		})
	}
	return p
}

// pointers splits the path at every new root.
func pointers(parent *element) (all []pointer.Pointer) {
	p := steps(parent)
	for start, i := 0, 1; i <= len(p); i++ {
		if i == len(p) || p[i].Section == p[0].Section {
			all = append(all, p[start:i])
			start = i
		}
	}
	return all
}

// layouts of instants: WCO formats 304 and 102, and variants in real messages.
var layouts = []string{"20060102150405Z07", "20060102", "20060102150405", "20060102150405Z0700", "20060102150405Z07:00"}

func instant(parent *element, name string) Instant {
	text := parent.text(name, "DateTimeString")
	if text == "" {
		text = parent.text(name)
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return Instant{Time: t.UTC(), Text: text}
		}
	}
	return Instant{Text: text}
}

func amount(parent *element, path ...string) Amount {
	e := parent.at(path...)
	a := Amount{Text: e.text(), Currency: e.attribute("currencyID")}
	if a.Currency != "" && !strings.EqualFold(a.Currency, "GBP") {
		return a
	}
	if money, err := quantity.ParseMoney(a.Text); err == nil {
		a.Value = &money
	}
	return a
}
