package simulator

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

// DefaultDelay is what the program has between two messages of a conversation.
const DefaultDelay = 300 * time.Millisecond

// Options say what customs this is. The last group are its bad manners, which real
// customs has too.
type Options struct {
	Folder      string      // of the journal; empty keeps everything in memory
	CallbackURL string      // where notifications go; may come later, through SetCallback
	Signer      *cds.Signer // proves the notifications; or else
	StaticToken string      // is their Authorization header, and nothing is signed

	ClientID, ClientSecret string // get a token; empty for whoever asks

	Seed   uint64        // the same seed, clock and calls give the same transcript
	Delay  time.Duration // before every message of a conversation; nought for none
	Assess func(tariff.Goods) tariff.Charge
	Now    func() time.Time
	Log    *slog.Logger

	Repeat  int           // percent of the messages that are sent twice
	Drop    int           // percent that are never sent
	Reorder bool          // within a conversation
	LateBy  time.Duration // at most, beyond Delay
}

// Simulator is a customs service. It is safe for concurrent use; nothing is
// delivered before Run.
type Simulator struct {
	options  Options
	callback atomic.Pointer[string]
	client   *http.Client
	journal  *journal
	jwks     []byte
	tokens   tokens
	sabotage faultQueue

	mu      sync.Mutex // over what follows
	book    *book
	refused uint64 // calls that got no further than an error

	ready  chan *conversation // whose next letter may go
	closed chan struct{}
	once   sync.Once
}

// New makes a Simulator that goes on where the one before it on the same folder
// stopped, however that happened. A folder belongs to one Simulator at a time.
func New(o Options) (*Simulator, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	s := &Simulator{
		options: o, client: newClient(), tokens: newTokens(o), book: newBook(), journal: &journal{batch: new(batch)},
		closed: make(chan struct{}),
	}
	s.SetCallback(o.CallbackURL)
	if err := s.openKeys(); err != nil {
		return nil, err
	}
	if err := s.openJournal(); err != nil {
		return nil, err
	}
	s.ready = make(chan *conversation, max(maxConversations, len(s.book.all)))
	for _, c := range s.book.all {
		s.wake(c)
	}
	return s, nil
}

func (o *Options) check() error {
	if o.Signer == nil && o.StaticToken == "" {
		return errors.New("simulator: neither a signer nor a static token is given")
	}
	if o.Assess == nil || o.Now == nil || o.Log == nil {
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
	folder := s.options.Folder
	if folder == "" {
		return nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("simulator: making the folder: %w", err)
	}
	var size int64
	if s.book, size, err = readJournal(folder); err != nil {
		return err
	}
	s.book.expire(s.options.Now())
	s.journal, err = startJournal(folder, s.book, size, s.options.Log)
	return err
}

// SetCallback says where notifications go from now on. Until there is an address
// they wait.
func (s *Simulator) SetCallback(url string) { s.callback.Store(&url) }

// Run delivers until ctx ends, and returns when what is under way has ended.
func (s *Simulator) Run(ctx context.Context) {
	var senders sync.WaitGroup
	for range maxSenders {
		senders.Go(func() { s.send(ctx) })
	}
	senders.Wait()
}

// Close lets go of the journal and of callers that hang. Call it after Run has
// returned and the server has stopped.
func (s *Simulator) Close() (err error) {
	s.once.Do(func() {
		close(s.closed)
		s.client.CloseIdleConnections()
		err = s.journal.close()
	})
	return err
}

// Entry is one notification of a transcript.
type Entry struct {
	ConversationID, LRN, MRN, MessageID, FunctionCode string
}

// Transcript is everything that has been or will be sent, in the order in which
// the documents came, as far as it is remembered. What is dropped is not in it.
func (s *Simulator) Transcript() []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Entry
	for _, c := range s.book.all {
		for _, l := range c.Letters {
			all = append(all, Entry{ConversationID: c.ID, LRN: c.LRN, MRN: c.MRN, MessageID: l.ID, FunctionCode: l.Code})
		}
	}
	return slices.Clip(all)
}
