package haulier

import (
	"cmp"
	"context"
	"strings"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	api "github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// freshFor is how long reference data are used before they are read again. Routes begin and end on days.
const freshFor = 24 * time.Hour

// references holds the reference data of each system.
type references struct {
	now    func() time.Time
	mu     sync.Mutex
	loaded map[exchange.Mode]loaded
}

// loaded is reference data and when they were read.
type loaded struct {
	data *api.Reference
	at   time.Time
}

// of returns the reference data of a system; nil if they are not loaded.
func (h *references) of(mode exchange.Mode) *api.Reference {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.loaded[mode].data
}

// load reads the reference data unless they are fresh. Old ones are better than none.
func (h *references) load(ctx context.Context, c *api.Client, by exchange.Caller) error {
	h.mu.Lock()
	held := h.loaded[by.Mode]
	h.mu.Unlock()
	if held.data != nil && h.now().Sub(held.at) < freshFor {
		return nil
	}
	data, failure := c.Reference(ctx, by.Credentials)
	if failure != nil {
		if held.data != nil {
			return nil
		}
		return failure
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.loaded == nil {
		h.loaded = map[exchange.Mode]loaded{}
	}
	h.loaded[by.Mode] = loaded{&data, h.now()}
	return nil
}

// routes returns the routes of a system in the order of their ports and carriers; false if its reference data are not loaded.
func (h *Haulier) routes(mode exchange.Mode) (exchange.Routes, bool) {
	h.held.mu.Lock()
	held := h.held.loaded[mode]
	h.held.mu.Unlock()
	if held.data == nil {
		return exchange.Routes{}, false
	}
	all := exchange.Routes{Mode: mode, ReadAt: held.at}
	for _, o := range held.data.Routes {
		from, to := held.data.PortOf(o.Departure), held.data.PortOf(o.Arrival)
		all.All = append(all.All, exchange.Route{
			ID: o.ID, Direction: string(o.Direction), From: from.Name, FromCountry: from.Country, To: to.Name, ToCountry: to.Country,
			Carrier: held.data.CarrierOf(o.Carrier), EffectiveFrom: o.From, EndsOn: o.To,
		})
	}
	sorting.Stable(all.All, func(a, b exchange.Route) int {
		return cmp.Or(strings.Compare(a.Name(), b.Name()), strings.Compare(a.ID, b.ID))
	})
	return all, true
}
