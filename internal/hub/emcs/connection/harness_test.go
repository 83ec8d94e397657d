package connection_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/movementapi"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/emcssim"
	hub "github.com/tidewaiter/tidewaiter/internal/hub/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hub/emcs/connection"
)

var now = time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)

const recordID = "01939c50-7b00-7c3e-8f00-1f2e3d4c5b6a"

// movement is one record with its messages, the simulator of HMRC behind a real socket, and the channel to it.
type movement struct {
	*testing.T
	*exchange.Authority
	channel  *exchange.Channel
	server   *emcssim.Server
	clock    *hmrctest.Clock
	asked    string
	record   exchange.Record
	messages []exchange.Message
	position exchange.Position
}

func start(t *testing.T, body string) *movement {
	m := &movement{T: t, Authority: connection.Authority(hub.Movements.Type()), clock: hmrctest.NewClock(now)}
	var err error
	if m.server, err = emcssim.NewServer(simulator.Options{Clock: simulator.OneClock(m.clock.Now), Log: slog.New(slog.DiscardHandler)}); err != nil {
		t.Fatal(err)
	}
	c, err := movementapi.New(movementapi.Settings{BaseURL: hmrctest.Serve(t, m.server.ServeHTTP), Deadline: time.Minute}, hmrctest.NoLimit{}, m.clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	m.channel = connection.Channel(m.Authority, exchange.Simulator, c)
	m.record = exchange.Record{Filing: filing.Filing{ID: recordID, Status: lifecycle.Draft, Body: json.RawMessage(body)}, Mode: exchange.Simulator}
	if m.record.Identifier, err = m.Identifier(access.Organisation{}, m.record.Body); err != nil {
		t.Fatal(err)
	}
	return m
}

// wholeBody is a movement with its whole data set, after edits.
func wholeBody(t *testing.T, edits ...string) string {
	t.Helper()
	draft := emcstest.Draft(emcs.V323, now)
	emcstest.Edit(draft.Body, append([]string{"-EadEsadDraft/LocalReferenceNumber"}, edits...)...)
	text, err := draft.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"category":"ALCOHOL","movementType":"DOMESTIC","message":%s}`, text)
}

func (m *movement) caller() exchange.Caller {
	return exchange.Caller{Org: "org", Identifier: m.record.Identifier, Mode: exchange.Simulator, Credentials: hmrctest.Bearer("t"), Now: m.clock.Now(),
		Asked: simulator.Request{Organisation: "org", Simulate: m.asked}}
}

// compose writes the message of an action.
func (m *movement) compose(by lifecycle.Action, input string) exchange.Message {
	m.Helper()
	step, err := m.Plan(&m.record.Filing, by, m.messages)
	if err != nil {
		m.Fatal(err)
	}
	draft := exchange.Draft{Purpose: step.Purpose, Identifier: m.record.Identifier, Mode: exchange.Simulator, Record: &m.record.Filing, Input: json.RawMessage(input), Earlier: m.messages, Now: m.clock.Now()}
	out, details, err := m.Compose(draft)
	if err != nil || len(details) > 0 {
		m.Fatalf("%s: %v %+v", by, err, details)
	}
	return exchange.Message{
		Item:      outbox.Item{ID: fmt.Sprint("m", len(m.messages)), CreatedAt: m.clock.Now()},
		Direction: exchange.Out, Identifier: m.record.Identifier, Kind: out.Kind, Purpose: step.Purpose, Correlation: out.Correlation, Raw: out.Raw,
	}
}

// attempt sends a message and keeps it if HMRC took it.
func (m *movement) attempt(out exchange.Message, repeated bool) outbox.Result[exchange.Receipt] {
	r := m.channel.Send(m.Context(), m.caller(), &out, repeated)
	if out.State = r.State; r.State == outbox.Sent {
		out.Receipt = r.Answer
		if r.Answer.Correlation != "" {
			out.Correlation = r.Answer.Correlation
		}
		m.messages = append(m.messages, out)
	}
	return r
}

// do sends the message of an action, which HMRC takes, and applies what comes.
func (m *movement) do(by lifecycle.Action, input string) exchange.Course {
	m.Helper()
	if r := m.attempt(m.compose(by, input), false); r.State != outbox.Sent {
		m.Fatalf("%s: %+v", by, r)
	}
	if by == lifecycle.Submit {
		m.record.Status = lifecycle.Submitted
	}
	m.fetch()
	return m.apply()
}

// fetch polls until there is no more, and keeps each message once.
func (m *movement) fetch() {
	m.Helper()
	has := map[string]bool{}
	for _, old := range m.messages {
		has[old.ExternalID] = true
	}
	for more := true; more; {
		f, err := m.channel.Poll(m.Context(), m.caller(), m.position)
		if err != nil {
			m.Fatal(err)
		}
		for _, in := range f.Messages {
			if !has[in.ID] {
				has[in.ID] = true
				m.receive(in)
			}
		}
		m.position, more = f.Position, f.More
	}
}

func (m *movement) receive(in exchange.Received) {
	m.messages = append(m.messages, exchange.Message{
		Item: outbox.Item{CreatedAt: m.clock.Now()}, Direction: exchange.In, Identifier: m.record.Identifier, Kind: in.Kind, ExternalID: in.ID, Correlation: in.Correlation, Raw: in.Raw, At: in.At,
	})
}

func (m *movement) apply() exchange.Course {
	m.Helper()
	c, err := m.Apply(&m.record, m.messages, m.clock.Now())
	if err != nil {
		m.Fatal(err)
	}
	if c.State != "" {
		m.record.Status = c.State
	}
	return c
}

// stage is a member of a course as text.
func member(c exchange.Course, name string) string {
	text, _ := json.Marshal(c.Added[name])
	return string(text)
}
