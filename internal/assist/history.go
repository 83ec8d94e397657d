package assist

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// Limits of the cache of histories. A history of 2,000 descriptions takes about 2 MB.
const (
	maxHistories  = 16 // organisations
	maxHistoryAge = time.Minute
)

// Histories caches organisations' own goods with their codes: products and the goods of accepted declarations. It holds those
// of the organisations that asked last, and one organisation's goods never reach another.
type Histories struct {
	Goods func(ctx context.Context, org tenant.ID, most int) ([]nomenclature.Text, error)
	Now   func() time.Time

	mu  sync.Mutex
	all []cachedHistory // the one used last is at the end
}

type cachedHistory struct {
	org     tenant.ID
	index   *classify.Index // that made the history
	at      time.Time
	history *classify.History
}

// of returns an organisation's history: from the cache unless it is too old or belongs to
// another index.
func (h *Histories) of(ctx context.Context, org tenant.ID, x *classify.Index) (*classify.History, error) {
	if h == nil || org == "" {
		return nil, nil
	}
	if cached, ok := h.cached(org, x); ok {
		return cached, nil
	}
	at := h.Now()
	texts, err := h.Goods(ctx, org, classify.MaxHistory)
	if err != nil {
		return nil, err
	}
	fresh := cachedHistory{org: org, index: x, at: at}
	if len(texts) > 0 {
		fresh.history = x.History(texts)
	}
	h.add(fresh)
	return fresh.history, nil
}

func (h *Histories) cached(org tenant.ID, x *classify.Index) (*classify.History, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.IndexFunc(h.all, func(c cachedHistory) bool { return c.org == org })
	if i < 0 || h.all[i].index != x || h.Now().Sub(h.all[i].at) >= maxHistoryAge {
		return nil, false
	}
	c := h.all[i]
	h.all = append(slices.Delete(h.all, i, i+1), c)
	return c.history, true
}

func (h *Histories) add(c cachedHistory) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(slices.DeleteFunc(h.all, func(k cachedHistory) bool { return k.org == c.org }), c)
	if len(h.all) > maxHistories {
		h.all = slices.Delete(h.all, 0, 1)
	}
}
