package repeat

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/template"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

const (
	dayFormat = time.DateOnly
	// maxShipments is the number of the client's shipments that the form offers.
	maxShipments = 100
)

// entered is what a person enters.
type entered struct {
	Frequency, Interval, DayOfMonth, StartsOn, EndsOn, Count, Time, Shipment string
	Weekdays                                                                 []string
	Paused                                                                   bool
}

// enteredOf returns what a person would enter for a recurrence.
func enteredOf(r *template.Recurrence) entered {
	return entered{
		Frequency: r.Frequency, Interval: strconv.Itoa(max(1, r.Interval)), DayOfMonth: text(r.DayOfMonth), StartsOn: r.StartsOn, EndsOn: r.EndsOn,
		Count: text(r.Count), Time: r.Time, Shipment: r.ShipmentID, Weekdays: r.Weekdays, Paused: r.Paused,
	}
}

func text(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func readEntered(c *page.Context) entered {
	return entered{
		Frequency: c.Value("recurrence.frequency"), Interval: c.Value("recurrence.interval"), DayOfMonth: c.Value("recurrence.dayOfMonth"),
		StartsOn: c.Value("recurrence.startsOn"), EndsOn: c.Value("recurrence.endsOn"), Count: c.Value("recurrence.count"), Time: c.Value("recurrence.time"),
		Shipment: c.Value("recurrence.shipmentId"), Weekdays: c.R.PostForm["recurrence.weekdays"], Paused: c.Value("recurrence.paused") != "",
	}
}

// recurrence returns the recurrence that was entered. What belongs to the other frequency is left out.
func (e entered) recurrence() (r template.Recurrence, err error) {
	var details []apierr.Detail
	number := func(field, given string, most int) int {
		n, err := strconv.Atoi(given)
		if given != "" && (err != nil || n < 1 || n > most) {
			details = append(details, apierr.Detail{Field: "recurrence." + field, Message: "must be a whole number from 1 to " + strconv.Itoa(most)})
		}
		return n
	}
	r = template.Recurrence{
		Frequency: e.Frequency, Interval: number("interval", e.Interval, 12), StartsOn: e.StartsOn, EndsOn: e.EndsOn, Count: number("count", e.Count, 366),
		Time: e.Time, Paused: e.Paused, ShipmentID: e.Shipment,
	}
	if r.Frequency == template.Monthly {
		r.DayOfMonth = number("dayOfMonth", e.DayOfMonth, 31)
	} else {
		r.Weekdays = slices.DeleteFunc(slices.Clone(e.Weekdays), func(day string) bool { return !slices.Contains(weekdays, day) })
	}
	if _, wrong := time.Parse("15:04", r.Time); r.Time != "" && wrong != nil {
		details = append(details, apierr.Detail{Field: "recurrence.time", Message: "must be a time such as 06:00"})
	}
	if details != nil {
		return r, apierr.Invalid(details...)
	}
	return r, nil
}

var weekdays = []string{"MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"}

// option is an answer of the form.
type option struct {
	Value, Label string
	Chosen       bool
}

// view is the data of the page.
type view struct {
	entered
	ID, Name, Version string
	Archived          bool
	Repeats           bool // there is a recurrence
	OwnShipment       bool // the template's body names the shipment of all drafts
	Shipments         []option
	Dates             []string // next dates; nil if they were not asked for
	Last              *template.Repeated
	Draft             string // the last draft's page; empty for none
}

// Days returns the days of the week.
func (v *view) Days() (all []option) {
	for _, day := range weekdays {
		all = append(all, option{day, day[:1] + strings.ToLower(day[1:]), slices.Contains(v.Weekdays, day)})
	}
	return all
}

// ShowsNone reports whether the next dates were asked for and there are none.
func (v *view) ShowsNone() bool { return v.Dates != nil && len(v.Dates) == 0 }

// Monthly reports whether the frequency is months.
func (v *view) Monthly() bool { return v.Frequency == template.Monthly }

// Day returns a date for people, with the day of the week.
func (v *view) Day(date string) string {
	d, err := time.Parse(dayFormat, date)
	if err != nil {
		return date
	}
	return d.Format("Monday 2 January 2006")
}

// show shows the form.
func (a *Repeat) show(c *page.Context, f filing.Filing, t template.Template, e entered, dates []string) error {
	v := &view{
		entered: e, ID: f.ID, Name: t.Name, Version: strconv.FormatInt(f.Version, 10), Archived: f.Status == lifecycle.Archived,
		Repeats: t.Recurrence != nil, OwnShipment: t.Body["shipmentId"] != nil, Dates: dates,
	}
	var added template.Adds
	if err := json.Unmarshal(f.Added, &added); err == nil {
		v.Last = added.Repeated
	}
	if v.Last != nil && v.Last.DeclarationID != nil {
		v.Draft = c.RecordPath(customs.DeclarationKind, *v.Last.DeclarationID)
	}
	err := c.View(func(tx page.Tx) (err error) { v.Shipments, err = shipments(tx, t.ClientID, e.Shipment); return err })
	if err != nil {
		return err
	}
	return c.Show("template-repeat", "Repeat this template", v)
}

// shipments returns the client's latest shipments.
func shipments(tx page.Tx, client, chosen string) (all []option, err error) {
	found, err := tx.Select(filing.Selection{Kind: customs.Shipments.Kind, Statuses: []lifecycle.State{lifecycle.Active}, ClientID: strings.ToLower(client), Limit: maxShipments})
	if err != nil {
		return nil, err
	}
	for i := range found {
		var s customs.Shipment
		if err := json.Unmarshal(found[i].AppendBrief(nil), &s); err != nil {
			return nil, err
		}
		label := found[i].Name() + " · " + worksheet.WithName("ports", s.PortOfEntry)
		if s.CounterpartyName != "" {
			label += " · " + s.CounterpartyName
		}
		all = append(all, option{found[i].ID, label, found[i].ID == strings.ToLower(chosen)})
	}
	return all, nil
}
