package bulk

import (
	"context"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Semaphore limits how many large operations run at the same time, in total and per organisation. The
// others wait.
type Semaphore struct {
	each int
	all  chan struct{}
	mu   sync.Mutex
	orgs map[tenant.ID]*orgSemaphore
}

// orgSemaphore is the semaphore of one organisation. It exists while it has users.
type orgSemaphore struct {
	slots chan struct{}
	users int
}

// Limits per organisation and in total.
const (
	exportsEach, exportsAll = 2, 32
	importsEach, importsAll = 1, 4
)

// NewExportSemaphore returns the limit of exports. A process has one for API and console together.
func NewExportSemaphore() *Semaphore { return NewSemaphore(exportsEach, exportsAll) }

// NewImportSemaphore returns the limit of imports.
func NewImportSemaphore() *Semaphore { return NewSemaphore(importsEach, importsAll) }

// NewSemaphore returns a limit of each operations per organisation and all in total.
func NewSemaphore(each, all int) *Semaphore {
	return &Semaphore{each: each, all: make(chan struct{}, all), orgs: map[tenant.ID]*orgSemaphore{}}
}

// Acquire waits until an operation may start. The caller must call end when it has finished.
func (t *Semaphore) Acquire(ctx context.Context, org tenant.ID) (end func(), err error) {
	own := t.ref(org)
	if err := acquire(ctx, own.slots); err != nil {
		t.unref(org, own)
		return nil, err
	}
	if err := acquire(ctx, t.all); err != nil {
		<-own.slots
		t.unref(org, own)
		return nil, err
	}
	return func() {
		<-t.all
		<-own.slots
		t.unref(org, own)
	}, nil
}

func acquire(ctx context.Context, turns chan struct{}) error {
	select {
	case turns <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *Semaphore) ref(org tenant.ID) *orgSemaphore {
	t.mu.Lock()
	defer t.mu.Unlock()
	own, ok := t.orgs[org]
	if !ok {
		own = &orgSemaphore{slots: make(chan struct{}, t.each)}
		t.orgs[org] = own
	}
	own.users++
	return own
}

func (t *Semaphore) unref(org tenant.ID, own *orgSemaphore) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if own.users--; own.users == 0 {
		delete(t.orgs, org)
	}
}
