package exchange

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// MaxRoutes is the number of routes that are returned or offered at once.
const MaxRoutes = 1000

// Routes are the routes of one system of an authority, by its reference data.
type Routes struct {
	Mode   Mode
	ReadAt time.Time // when the service read them; zero if it has none
	All    []Route   // in the order of their names
}

// Route is a crossing that a carrier offers from one port to another. The days are such as 2026-12-01; an empty one is no limit.
type Route struct {
	ID, Direction         string
	From, FromCountry     string
	To, ToCountry         string
	Carrier               string
	EffectiveFrom, EndsOn string
}

// Name returns the ports and the carrier of a route, such as Calais – Dover, DFDS.
func (r *Route) Name() string {
	name := cmp.Or(r.From, "unknown port") + " – " + cmp.Or(r.To, "unknown port")
	if r.Carrier != "" {
		name += ", " + r.Carrier
	}
	return name
}

// Source says in words where the routes come from, and when the service read them.
func (r *Routes) Source(a *Authority) string {
	return a.nameOf(r.Mode) + ", read on " + r.ReadAt.In(calendar.London()).Format("2 January 2006")
}

// On returns the routes that are in effect on a day, such as 2026-12-01.
func (r Routes) On(day string) Routes {
	return r.only(func(o *Route) bool { return o.EffectiveFrom <= day && (o.EndsOn == "" || day <= o.EndsOn) })
}

// With returns the routes whose id, ports, countries, carrier or direction have all words of a text, in any case.
func (r Routes) With(text string) Routes {
	words := strings.Fields(strings.ToLower(text))
	return r.only(func(o *Route) bool {
		has := strings.ToLower(strings.Join([]string{o.ID, o.From, o.FromCountry, o.To, o.ToCountry, o.Carrier, o.Direction}, "\n"))
		for _, word := range words {
			if !strings.Contains(has, word) {
				return false
			}
		}
		return true
	})
}

// only returns the routes of which something holds, at most MaxRoutes.
func (r Routes) only(holds func(*Route) bool) Routes {
	some := Routes{Mode: r.Mode, ReadAt: r.ReadAt}
	for i := range r.All {
		if len(some.All) < MaxRoutes && holds(&r.All[i]) {
			some.All = append(some.All, r.All[i])
		}
	}
	return some
}

// RoutesOf returns the routes of the system that an organisation is connected to. They are empty, without a time, in mode off, and while the service cannot
// read them because the organisation has not given consent.
func (s *Service) RoutesOf(ctx context.Context, org tenant.ID, a *Authority) (Routes, error) {
	none := Routes{Mode: Off}
	if a.Routes == nil {
		return none, apierr.Missing()
	}
	var ch *Channel
	err := s.Store.ViewAuthority(ctx, org, func(tx Tx) error { ch = a.channel(tx.Mode()); return nil })
	if err != nil || ch == nil {
		return none, err
	}
	if err := s.prepare(ctx, a, ch, org); err != nil {
		return none, err
	}
	all, _ := a.Routes(ch.Mode)
	all.Mode = ch.Mode
	return all, nil
}

// ListedRoutes returns the routes of the system that organisations of a mode are connected to, for the rules; the zero Listing if the service has none.
func (s *Service) ListedRoutes(kind string, m tenant.Mode) (l rules.Listing) {
	a := s.Of(kind)
	if a == nil || a.Routes == nil {
		return l
	}
	ch := a.channel(m)
	if ch == nil {
		return l
	}
	all, found := a.Routes(ch.Mode)
	if !found {
		return l
	}
	names := map[string]string{}
	for i := range all.All {
		names[all.All[i].ID] = all.All[i].Name()
	}
	return rules.Listing{Edition: "routes of " + all.Source(a), Find: func(id string) (string, bool) {
		name, listed := names[id]
		return name, listed
	}}
}
