package raw

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Quota is a period of a quota. Its balance is in none of the raw tables.
type Quota struct {
	Order, Initial, Unit string
	From, To             measure.Day // To is 0 if no end is known
	Critical             bool
	Suspended, Blocked   []measure.Period
}

// definition is a version of a period of a quota.
type definition struct {
	version, order, unit number
	sid                  int64
	from, to             measure.Day
	initial              string
	critical             bool
	line                 int32
}

// stop is a version of a time in which a period of a quota is blocked or suspended.
type stop struct {
	version, of number
	sid         int64
	from, to    measure.Day
	line        int32
}

func (s *stop) owned() *number      { return &s.of }
func (s *stop) at() (number, int32) { return s.version, s.line }

// takeDefinition reads a row of the definitions of quotas.
func (s *Set) takeDefinition(r *row) error {
	if r.cells[5] == "" {
		return errors.New("has no validity_start")
	}
	d := definition{
		version: r.version, sid: r.sid(0), order: r.number(1), initial: s.text(r.cells[2]), unit: r.number(3),
		critical: isTrue(r.cells[4]), from: r.day(5), to: r.day(6), line: r.line,
	}
	if _, ok := measure.ParseAmount(d.initial); !ok && d.initial != "" {
		return fmt.Errorf("initial_volume %q: %w", d.initial, errNumber)
	}
	s.definitions = append(s.definitions, d)
	return nil
}

// isTrue reads a flag as databases write it.
func isTrue(text string) bool {
	switch strings.ToLower(text) {
	case "1", "t", "true", "y":
		return true
	}
	return false
}

// takeStop reads a row of the blockings or suspensions of quotas.
func takeStop(to *[]stop, r *row) error {
	if r.cells[2] == "" {
		return errors.New("has no validity_start")
	}
	*to = append(*to, stop{version: r.version, sid: r.sid(0), of: r.number(1), from: r.day(2), to: r.day(3), line: r.line})
	return nil
}

// Quotas returns the periods of quotas, by the number of their definition. Of the versions of a thing the newest counts.
func (s *Set) Quotas() (all []Quota, faults []Fault) {
	var newest owners
	s.definitions, newest = newestOf(s.definitions, func(d *definition) (int64, number) { return d.sid, d.version })
	for name, stops := range map[string]*[]stop{blockings: &s.blocked, suspensions: &s.suspended} {
		*stops, _ = newestOf(*stops, func(b *stop) (int64, number) { return b.sid, b.version })
		if faults = settle(*stops, newest, s.files[name], definitions); faults != nil {
			return nil, faults
		}
	}
	for i := range s.definitions {
		d := &s.definitions[i]
		q := Quota{Initial: d.initial, From: d.from, To: d.to, Critical: d.critical}
		var err error
		if q.Order, err = s.cell(orders, d.order, 0); err == nil {
			q.Unit, err = s.maybe(units, d.unit, 0)
		}
		if err != nil {
			return nil, []Fault{{s.files[definitions], int(d.line), fmt.Errorf("definition %d: %w", d.sid, err)}}
		}
		place := uint32(i) // #nosec G115 -- rows of a file that is limited
		q.Suspended, q.Blocked = periods(of(s.suspended, place), d.to), periods(of(s.blocked, place), d.to)
		all = append(all, q)
	}
	return all, nil
}

// noEnd is 31 December 9999.
const noEnd measure.Day = 2_932_896

// periods are the times of stops. One without an end lasts as long as the definition, which ends on a day or not at all.
func periods(stops []stop, end measure.Day) (all []measure.Period) {
	for _, b := range stops {
		p := measure.Period{From: b.from, To: b.to}
		if p.To == 0 {
			p.To = end
		}
		if p.To == 0 {
			p.To = noEnd
		}
		all = append(all, p)
	}
	return all
}
