package emcssim

import (
	"crypto/sha256"
	"fmt"
	"iter"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/life"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Call is a message that a trader sends.
type Call struct {
	Movement string    `json:"movement,omitempty"` // identifier; empty for a draft
	ERNs     []string  `json:"erns,omitempty"`     // of the caller; none if the caller acts for everyone, as an organisation may in the simulator
	Document []byte    `json:"document"`
	Simulate string    `json:"simulate,omitempty"` // outcome that the caller asked for; empty for the default
	At       time.Time `json:"at"`
}

// Answer is what the call gets at once.
type Answer struct {
	Status    int            // 202, 400, 403, 404 or 422
	Message   string         // of a refusal, in HMRC's short form
	Detail    string         // of a refusal
	Findings  []emcs.Finding // of a 422
	Movement  string         // identifier, of a 202
	LRN       string         // of a 202
	Consignor string         // of a 202
	Consignee string         // of a 202; often empty
}

// Delivery is a message to one party.
type Delivery struct {
	Movement  string
	Recipient string // excise number
	At        time.Time
	Message   emcs.Message
}

// movement is one that the simulator has.
type movement struct {
	id         string
	at         time.Time // of the draft
	draft      emcs.Message
	lrn        string
	arc        string // empty before acceptance
	consignor  string
	consignee  string // at present; empty if there is none
	sequence   int    // of the destination
	container  *emcs.Element
	deliveries []Delivery
	sent       int // messages, for their identifiers
}

// Simulator has all movements. The zero value has none. It is not safe for concurrent use.
type Simulator struct {
	movements []*movement
	calls     []Call // that were accepted
}

// Apply makes a call of a journal again.
func (s *Simulator) Apply(c Call) { s.Submit(c) }

// Records returns the calls that make the present state.
func (s *Simulator) Records() iter.Seq[Call] { return slices.Values(s.calls) }

// Movement returns the identifier of the movement with an ARC; empty if there is none.
func (s *Simulator) Movement(arc string) string {
	if m := s.find(func(m *movement) bool { return arc != "" && m.arc == arc }); m != nil {
		return m.id
	}
	return ""
}

// Deliveries returns the messages to any of several excise numbers, about one movement or (with an empty identifier) all, that were sent at or after a time: those
// of each movement in their order.
func (s *Simulator) Deliveries(movement string, since time.Time, erns ...string) (all []Delivery) {
	for _, m := range s.movements {
		if movement != "" && m.id != movement {
			continue
		}
		for _, d := range m.deliveries {
			if !d.At.Before(since) && slices.Contains(erns, d.Recipient) {
				all = append(all, d)
			}
		}
	}
	return all
}

func (s *Simulator) find(is func(*movement) bool) *movement {
	if i := slices.IndexFunc(s.movements, is); i >= 0 {
		return s.movements[i]
	}
	return nil
}

// life returns what became of the movement by its messages, each of which counts once.
func (m *movement) life(at time.Time) life.Life {
	known := life.Known{Now: at, DraftID: m.draft.Header.Identifier}
	for _, d := range m.deliveries {
		known.Messages = append(known.Messages, d.Message)
	}
	return life.Of(known)
}

// refuse returns an answer with a status.
func refuse(status int, message, detail string) Answer {
	return Answer{Status: status, Message: message, Detail: detail}
}

func (m *movement) accepted() Answer {
	return Answer{Status: http.StatusAccepted, Movement: m.id, LRN: m.lrn, Consignor: m.consignor, Consignee: m.consignee}
}

// randomFor returns identifiers that depend on the words alone.
func randomFor(at time.Time, words ...any) *ident.Source {
	stream := rand.NewChaCha8(sha256.Sum256([]byte(fmt.Sprint(words...))))
	return ident.NewSource(stream, func() time.Time { return at })
}

const hexadecimal = "0123456789abcdef"

// uuid returns a version 4 UUID that depends on the words alone.
func uuid(at time.Time, words ...any) string {
	source := randomFor(at, words...)
	h := source.Text(hexadecimal, 30)
	return h[:8] + "-" + h[8:12] + "-4" + h[12:15] + "-" + source.Text("89ab", 1) + h[15:18] + "-" + h[18:]
}
