package corporate

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

var termRules = ruleSet{
	{Code: "COR-068", Severity: rules.Blocker, Field: "formData.resignedOn", Check: onlyFor(endsFirst, DirectorAppointment, DirectorResignation, PSCNotification), Source: "Companies House: officer filing and PSC filing, order of dates",
		Title: "An appointment or a control ends before it begins"},
}

// terms are members with the first and the last day of an appointment or a control.
var terms = []struct{ from, to string }{{"appointedOn", "resignedOn"}, {"dateBecamePsc", "ceasedOn"}, {"dateBecamePsc", "ceased_on"}}

func endsFirst(f *Filing, _ rules.Facts) remarks {
	for _, t := range terms {
		from, known := f.day(t.from)
		to, ended := f.day(t.to)
		if known && ended && to.Before(from) {
			return remarkOn(t.to, fmt.Sprintf("%s is %s, which is before %s, %s.", t.to, formatDate(to), t.from, formatDate(from)), "Correct one of the two dates.")
		}
	}
	return nil
}
