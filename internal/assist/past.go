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

// Limits of what is kept of organisations' own descriptions. One of 2,000 descriptions
// takes about 2 MB.
const (
	maxRemembered = 16          // organisations
	freshness     = time.Minute // after which they are read again
)

// Past keeps the goods that organisations have declared and customs has taken, each
// for itself. It holds those of the organisations that asked last.
type Past struct {
	Taken func(ctx context.Context, org tenant.ID, most int) ([]nomenclature.Text, error)
	Now   func() time.Time

	mu   sync.Mutex
	kept []memory // the one that was asked for last comes last
}

type memory struct {
	org     tenant.ID
	index   *classify.Index // that it was read for
	at      time.Time
	history *classify.History
}

// of gives an organisation's history, read anew when it is old or the index is another.
func (p *Past) of(ctx context.Context, org tenant.ID, x *classify.Index) (*classify.History, error) {
	if p == nil || org == "" {
		return nil, nil
	}
	if h, fresh := p.recall(org, x); fresh {
		return h, nil
	}
	at := p.Now()
	texts, err := p.Taken(ctx, org, classify.MaxHistory)
	if err != nil {
		return nil, err
	}
	m := memory{org: org, index: x, at: at}
	if len(texts) > 0 {
		m.history = x.History(texts)
	}
	p.keep(m)
	return m.history, nil
}

func (p *Past) recall(org tenant.ID, x *classify.Index) (*classify.History, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.kept, func(m memory) bool { return m.org == org })
	if i < 0 || p.kept[i].index != x || p.Now().Sub(p.kept[i].at) >= freshness {
		return nil, false
	}
	m := p.kept[i]
	p.kept = append(slices.Delete(p.kept, i, i+1), m)
	return m.history, true
}

func (p *Past) keep(m memory) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept = append(slices.DeleteFunc(p.kept, func(k memory) bool { return k.org == m.org }), m)
	if len(p.kept) > maxRemembered {
		p.kept = slices.Delete(p.kept, 0, 1)
	}
}
