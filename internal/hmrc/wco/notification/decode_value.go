package notification

import (
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/document/xmltree"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// steps reads the Pointer elements of a parent as one path.
func steps(parent *xmltree.Element) pointer.Pointer {
	var p pointer.Pointer
	for s := range parent.All("Pointer") {
		sequence, _ := strconv.Atoi(s.Text("SequenceNumeric"))
		p = append(p, pointer.Step{
			Section:  s.Text("DocumentSectionCode"),
			Sequence: max(sequence, 0),
			Tag:      s.Text("TagID"),
		})
	}
	return p
}

// pointers splits the path at every new root.
func pointers(parent *xmltree.Element) (all []pointer.Pointer) {
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

func instant(parent *xmltree.Element, name string) Instant {
	text := parent.Text(name, "DateTimeString")
	if text == "" {
		text = parent.Text(name)
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return Instant{Time: t.UTC(), Text: text}
		}
	}
	return Instant{Text: text}
}

func amount(parent *xmltree.Element, path ...string) Amount {
	e := parent.At(path...)
	a := Amount{Text: e.Text(), Currency: e.Attribute("currencyID")}
	if a.Currency != "" && !strings.EqualFold(a.Currency, "GBP") {
		return a
	}
	if money, err := quantity.ParseMoney(a.Text); err == nil {
		a.Value = &money
	}
	return a
}
