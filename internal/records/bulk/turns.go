package bulk

import (
	"context"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Turns let only so many large pieces of work happen at a time, and only so many of
// them for one organisation; the others wait for theirs.
type Turns struct {
	each  int
	all   chan struct{}
	mu    sync.Mutex
	queue map[tenant.ID]*lane
}

// lane is the turns of one organisation, while it has or wants any.
type lane struct {
	turns chan struct{}
	users int
}

// Limits of what goes on at a time: for each organisation, and for all.
const (
	exportsEach, exportsAll = 2, 32
	importsEach, importsAll = 1, 4
)

// ExportTurns are those of exports. A program has one of each, for whoever asks.
func ExportTurns() *Turns { return NewTurns(exportsEach, exportsAll) }

// ImportTurns are those of imports.
func ImportTurns() *Turns { return NewTurns(importsEach, importsAll) }

// NewTurns makes turns: so many at a time for each organisation, and for all.
func NewTurns(each, all int) *Turns {
	return &Turns{each: each, all: make(chan struct{}, all), queue: map[tenant.ID]*lane{}}
}

// Begin waits for a turn, which lasts until end is called.
func (t *Turns) Begin(ctx context.Context, org tenant.ID) (end func(), err error) {
	own := t.enter(org)
	if err := take(ctx, own.turns); err != nil {
		t.leave(org, own)
		return nil, err
	}
	if err := take(ctx, t.all); err != nil {
		<-own.turns
		t.leave(org, own)
		return nil, err
	}
	return func() {
		<-t.all
		<-own.turns
		t.leave(org, own)
	}, nil
}

func take(ctx context.Context, turns chan struct{}) error {
	select {
	case turns <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *Turns) enter(org tenant.ID) *lane {
	t.mu.Lock()
	defer t.mu.Unlock()
	own, ok := t.queue[org]
	if !ok {
		own = &lane{turns: make(chan struct{}, t.each)}
		t.queue[org] = own
	}
	own.users++
	return own
}

func (t *Turns) leave(org tenant.ID, own *lane) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if own.users--; own.users == 0 {
		delete(t.queue, org)
	}
}
