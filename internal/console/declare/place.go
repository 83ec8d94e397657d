package declare

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs/fields"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// place is where in the form a field is.
type place struct {
	Step    worksheet.Step
	Item    int            // index of the item or document
	Section fields.Section // on the steps of other members
	Anchor  string         // id of its control
}

// placeOf returns the place of a field. One that is not in the form belongs to the last step.
func placeOf(field string) place {
	step, item := worksheet.StepOf(field)
	at := place{Step: step, Item: item, Anchor: field}
	_, member, _ := strings.Cut(field, ".")
	switch {
	case step == worksheet.StepGoods && member != "" && !isPlain(worksheet.ItemFields, member):
		at.Step, at.Section, at.Anchor = worksheet.StepItem, fields.SectionOf(field), member
	case step == worksheet.StepCheck && isMember(field):
		at.Step, at.Section = worksheet.StepDetails, fields.SectionOf(field)
	}
	return at
}

// isPlain reports whether a member is one of the fields of a step.
func isPlain(all []worksheet.Field, member string) bool {
	name, _, _ := strings.Cut(member, "[")
	return slices.ContainsFunc(all, func(f worksheet.Field) bool { return f.Name == name })
}

// isMember reports whether a field is within one of the members of the step of details.
func isMember(field string) bool {
	name, _, _ := strings.Cut(field, ".")
	name, _, _ = strings.Cut(name, "[")
	f, ok := fields.At(fields.Declaration, name)
	return ok && f.Section != fields.Own
}

// url returns the URL of the place in a worksheet, with its errors shown.
func (p place) url(id string) string {
	q := url.Values{"faults": {"shown"}}
	if p.Step == worksheet.StepGoods || p.Step == worksheet.StepItem {
		q.Set("item", strconv.Itoa(p.Item+1))
	}
	anchor := p.Anchor
	if p.Section != "" {
		q.Set("section", string(p.Section))
		if list, n := longListAt(anchor); list != "" {
			q.Set(fromPrefix+list, strconv.Itoa(n))
			anchor = shifted(anchor, list, n)
		}
	}
	return path(id, p.Step) + "?" + q.Encode() + "#" + url.PathEscape(anchor)
}

// isOn reports whether the place is on a page of the form.
func (p place) isOn(f *stepView) bool {
	switch {
	case p.Step != f.Step, p.Section != f.Section:
		return false
	case p.Step == worksheet.StepGoods, p.Step == worksheet.StepItem:
		return p.Item == f.Item
	}
	return true
}

// errorsOn returns the errors of the fields on a page.
func errorsOn(all []apierr.Detail, f *stepView) (own []apierr.Detail) {
	for _, d := range all {
		if placeOf(d.Field).isOn(f) || f.Step == worksheet.StepGoods && rateOf(f.Worksheet, d.Field) != "" {
			own = append(own, d)
		}
	}
	return own
}
