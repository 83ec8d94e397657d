package cdssim

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// DefaultDelay is the program's default delay between two messages of a conversation.
const DefaultDelay = 300 * time.Millisecond

// Options configure the simulator. The last group are faults that the real CDS has too.
type Options struct {
	Folder      string      // of the journal; empty for memory only
	CallbackURL string      // address of notifications; can be set later with SetCallback
	Signer      *cds.Signer // signs the notifications; or
	StaticToken string      // their Authorization header, without signatures

	ClientID, ClientSecret string // required for a token; empty: not checked

	Seed   uint64                           // the same seed, clock and calls give the same transcript
	Delay  time.Duration                    // before every message of a conversation; 0 for none
	Assess func(tariff.Goods) tariff.Charge // third-country duty and VAT

	Measures func() duty.Editions             // tariffs with every measure; nil for none
	Money    func(on measure.Day) *duty.Money // exchange rates of the measures; nil for none

	Goods check.Goods      // what the tariff knows about commodity codes; nil: not checked
	All   bool             // requirements that are not published are obligations too
	Clock simulator.Clock  // of each organisation: issue times, the life of LRNs, the day of the tariff
	Now   func() time.Time // of the tokens
	Log   *slog.Logger

	Repeat  int           // percentage of messages that are sent twice
	Drop    int           // percentage of messages that are never sent
	Reorder bool          // within a conversation
	LateBy  time.Duration // at most, beyond Delay
}

// Simulator simulates CDS. It is safe for concurrent use. Nothing is delivered before Run.
type Simulator struct {
	options  Options
	callback atomic.Pointer[string]
	client   *http.Client
	journal  *simulator.Journal[record]
	jwks     []byte
	tokens   tokens
	faults   simulator.Faults

	mu       sync.Mutex // protects the following fields
	registry *registry
	refused  uint64 // calls that were answered with an error
	after    func(time.Duration, func()) *time.Timer

	work   chan *conversation // with a message to send
	closed chan struct{}
	once   sync.Once
}

// New makes a Simulator that continues from the state of the folder, also after a crash. A folder belongs to one Simulator at a
// time.
func New(o Options) (*Simulator, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	s := &Simulator{
		options: o, client: newClient(), tokens: newTokens(o), registry: newRegistry(), journal: simulator.NewJournal[record](),
		closed: make(chan struct{}), after: time.AfterFunc,
	}
	s.SetCallback(o.CallbackURL)
	if err := s.openKeys(); err != nil {
		return nil, err
	}
	if err := s.openJournal(); err != nil {
		return nil, err
	}
	s.work = make(chan *conversation, max(maxConversations, len(s.registry.all)))
	for _, c := range s.registry.all {
		s.wake(c)
	}
	return s, nil
}

func (o *Options) check() error {
	if o.Signer == nil && o.StaticToken == "" {
		return errors.New("simulator: neither a signer nor a static token is given")
	}
	if o.Assess == nil || o.Clock == nil || o.Now == nil || o.Log == nil {
		return errors.New("simulator: the tariff, the clock or the log is missing")
	}
	if o.Delay < 0 || o.LateBy < 0 || min(o.Repeat, o.Drop) < 0 || max(o.Repeat, o.Drop) > 100 {
		return errors.New("simulator: a delay or percentage is out of range")
	}
	return nil
}

func (s *Simulator) openKeys() (err error) {
	if s.options.Signer == nil {
		s.jwks = []byte(`{"keys":[]}`)
		return nil
	}
	s.jwks, err = s.options.Signer.JWKS()
	return err
}

func (s *Simulator) openJournal() (err error) {
	if s.options.Folder == "" {
		return nil
	}
	s.journal, err = simulator.OpenJournal(s.options.Folder, journalName, unexpired{s.registry, s.options.Clock}, s.options.Log)
	return err
}

const journalName = "simulator.jsonl"

// unexpired is a registry that is stored without what has expired.
type unexpired struct {
	*registry
	clock simulator.Clock
}

// Records removes what has expired and returns the rest.
func (u unexpired) Records() iter.Seq[record] {
	u.expire(u.clock)
	u.expireUploads(u.clock)
	return u.registry.Records()
}

// InjectFault makes the next calls fail. It replaces the earlier fault; the zero Fault ends it.
func (s *Simulator) InjectFault(f simulator.Fault) { s.faults.Inject(f) }

// SetCallback sets the address of notifications. They wait until there is one.
func (s *Simulator) SetCallback(url string) { s.callback.Store(&url) }

// Run delivers notifications until ctx ends, and returns when running deliveries have ended.
func (s *Simulator) Run(ctx context.Context) {
	var senders sync.WaitGroup
	for range maxSenders {
		senders.Go(func() { s.send(ctx) })
	}
	senders.Wait()
}

// Close closes the journal and releases hanging callers. Call it after Run has returned and the server has stopped.
func (s *Simulator) Close() (err error) {
	s.once.Do(func() {
		close(s.closed)
		s.client.CloseIdleConnections()
		err = s.journal.Close()
	})
	return err
}

// Entry is a notification of a transcript.
type Entry struct {
	ConversationID, LRN, MRN, MessageID, FunctionCode string
	Steered                                           string // the reference or header that selected the outcome; empty for none
}

// Transcript returns all messages that have been or will be sent and are still stored, in the order of the documents. Dropped
// messages are not included.
func (s *Simulator) Transcript() []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Entry
	for _, c := range s.registry.all {
		for _, l := range c.Messages {
			all = append(all, Entry{ConversationID: c.ID, LRN: c.LRN, MRN: c.MRN, MessageID: l.ID, FunctionCode: l.Code, Steered: c.Steered})
		}
	}
	return slices.Clip(all)
}
