package assist

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/platform/lowmem"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

// Times of preparing the file of the index in the background.
const (
	startDelay    = 10 * time.Second // after the start, which has priority
	checkInterval = 10 * time.Second // for another tariff
	restTime      = time.Millisecond // after each millisecond of work at most
)

// readyIndex is an index and the imported tariff that it was made from; nil for the own one.
type readyIndex struct {
	imported *tariff.Snapshot
	index    *classify.Index
}

// tariff is the tariff of the index.
func (r *readyIndex) tariff() *tariff.Snapshot { return snapshot(r.imported) }

func snapshot(imported *tariff.Snapshot) *tariff.Snapshot {
	if imported == nil {
		return tariff.EmbeddedSnapshot()
	}
	return imported
}

// build is an index that is being built.
type build struct {
	done   chan struct{} // closed at the end
	wanted chan struct{} // closed when a question waits for it
	urgent func()        // closes wanted, once
}

func newBuild() *build {
	b := &build{done: make(chan struct{}), wanted: make(chan struct{})}
	b.urgent = sync.OnceFunc(func() { close(b.wanted) })
	return b
}

// isWanted reports whether a question waits for the index.
func (b *build) isWanted() bool {
	select {
	case <-b.wanted:
		return true
	default:
		return false
	}
}

// rest pauses a build in the background. It returns at once if a question waits, and the error
// of ctx if that has ended.
func (b *build) rest(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-b.wanted:
	case <-time.After(restTime):
	}
	return nil
}

// wait returns the index of the tariff in force or, while that is built, the former one. Only
// before the first index is ready does it wait.
func (c *Classifier) wait(ctx context.Context) (*readyIndex, error) {
	for {
		ready, done := c.readyOrBuilding()
		if ready != nil {
			return ready, nil
		}
		select {
		case <-done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// readyOrBuilding returns the current index, and starts building one if there is none or it belongs to
// another tariff. The channel is closed when the build ends.
func (c *Classifier) readyOrBuilding() (*readyIndex, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	imported := c.Imported()
	if (c.ready == nil || c.ready.imported != imported) && c.building == nil {
		b := newBuild()
		c.building = b
		go func() { c.finish(b, &readyIndex{imported, c.read(imported)}) }()
	}
	if c.building == nil {
		return c.ready, nil
	}
	if c.ready == nil {
		c.building.urgent()
	}
	return c.ready, c.building.done
}

// finish ends a build; made is nil if it has no result.
func (c *Classifier) finish(b *build, made *readyIndex) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if made != nil {
		c.ready = made
	}
	c.building = nil
	close(b.done)
}

// Run keeps the file of the index up to date until ctx ends, so that the first question
// after a start need not wait for learning. It works slowly: other requests come first.
func (c *Classifier) Run(ctx context.Context) {
	for delay := startDelay; ; delay = checkInterval {
		select {
		case <-ctx.Done():
			return
		case <-time.After(delay):
		}
		c.Prepare(ctx)
	}
}

// Prepare makes the file of the index of the tariff in force unless there is one. It
// keeps the index in memory only if a question has come meanwhile or it cannot be saved.
func (c *Classifier) Prepare(ctx context.Context) {
	imported := c.Imported()
	b := c.begin(imported)
	if b == nil {
		return
	}
	made, stored := c.prepare(ctx, b, imported)
	if stored {
		c.mu.Lock()
		c.stored = &readyIndex{imported: imported}
		c.mu.Unlock()
	}
	c.finish(b, made)
	debug.FreeOSMemory()
}

// begin returns a build that the caller has to finish; nil if there is nothing to do.
func (c *Classifier) begin(imported *tariff.Snapshot) *build {
	c.mu.Lock()
	defer c.mu.Unlock()
	upToDate := func(r *readyIndex) bool { return r != nil && r.imported == imported }
	if c.building != nil || upToDate(c.ready) || c.ready == nil && upToDate(c.stored) {
		return nil
	}
	c.building = newBuild()
	return c.building
}

// prepare returns an index if it is to be kept in memory, and whether the file has it.
func (c *Classifier) prepare(ctx context.Context, b *build, imported *tariff.Snapshot) (made *readyIndex, stored bool) {
	digest := c.digest(imported)
	inUse := func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.ready != nil || b.isWanted()
	}
	if c.File != "" && c.usable(classify.Verify(c.File, digest)) {
		if inUse() {
			made = &readyIndex{imported, c.read(imported)}
		}
		return made, true
	}
	err := lowmem.Run(func() error { // returns without the index unless it is used: it would count as memory in use
		x, err := classify.Build(c.unsharedSources(imported), func() error { return b.rest(ctx) })
		if err != nil {
			return err // ctx has ended
		}
		if stored = c.save(x, digest); !stored || inUse() {
			made = &readyIndex{imported, x}
		}
		return nil
	})
	if err != nil {
		return nil, false
	}
	return made, stored
}

// embeddedIndex is the index of the embedded tariff. It never changes: a process with several
// services makes it once.
var embeddedIndex struct {
	mu    sync.Mutex
	index *classify.Index
}

// read returns the index of a tariff as fast as possible: from the file or, if that is
// not usable, by building it.
func (c *Classifier) read(imported *tariff.Snapshot) *classify.Index {
	if imported != nil {
		return c.readOrBuild(imported)
	}
	embeddedIndex.mu.Lock()
	defer embeddedIndex.mu.Unlock()
	if embeddedIndex.index == nil {
		embeddedIndex.index = c.readOrBuild(nil)
	}
	return embeddedIndex.index
}

func (c *Classifier) readOrBuild(imported *tariff.Snapshot) *classify.Index {
	sources := c.sources(imported)
	digest := c.digest(imported)
	if c.File != "" {
		x, err := classify.Load(c.File, digest, sources)
		if c.usable(err) {
			return x
		}
	}
	x := classify.New(sources)
	c.save(x, digest)
	go debug.FreeOSMemory() // building takes several times the memory of its result
	return x
}

// usable reports whether a file could be used, and logs the reason if it exists but could not.
func (c *Classifier) usable(err error) bool {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.Log.Info("the classifier's index is made again", "reason", err)
	}
	return err == nil
}

// save saves an index, and reports whether it is in the file.
func (c *Classifier) save(x *classify.Index, digest classify.Digest) bool {
	if c.File == "" {
		return false
	}
	if err := x.Save(c.File, digest); err != nil {
		c.Log.Warn("cannot save the classifier's index: it is made again after each start", "error", err)
		return false
	}
	return true
}

// sources are those of a tariff's index.
func (c *Classifier) sources(imported *tariff.Snapshot) classify.Sources {
	t := snapshot(imported)
	s := classify.Sources{Tree: t.Tree, References: t.References, Labelled: t.Labelled, Edition: fmt.Sprintf("the tariff of %s as at %s", t.Source, t.AsOf)}
	if imported != nil && c.Everyday != nil {
		s.Words = classify.Words(c.Everyday())
	}
	return s
}

// unsharedSources are the same, but the embedded tariff is read only for the caller and need not stay
// in memory.
func (c *Classifier) unsharedSources(imported *tariff.Snapshot) classify.Sources {
	if imported == nil {
		return classify.Sources{Tree: tariff.ReadEmbeddedTree(), Edition: "the built-in tariff"}
	}
	return c.sources(imported)
}

// digest is that of a tariff's sources. It does not read the embedded tariff.
func (c *Classifier) digest(imported *tariff.Snapshot) classify.Digest {
	if imported == nil {
		return tariff.EmbeddedDigest()
	}
	return c.sources(imported).Digest()
}
