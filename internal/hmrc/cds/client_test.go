package cds_test

import (
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
)

const conversation = "6f1d2c3b-4a59-4e68-8f70-1a2b3c4d5e6f"

var document = []byte("<MetaData/>")

func newClock() *hmrctest.Clock {
	return hmrctest.NewClock(time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC))
}

func newClient(t *testing.T, s client.Settings) *cds.Client {
	t.Helper()
	c, err := cds.NewClient(s, hmrctest.NoLimit{}, newClock().Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func accept(w http.ResponseWriter) {
	w.Header().Set("X-Conversation-ID", conversation)
	w.WriteHeader(http.StatusAccepted)
}

// outcomeName names an outcome.
func outcomeName(o client.Outcome) string {
	switch o.(type) {
	case cds.Accepted:
		return "accepted"
	case client.Refused:
		return "refused"
	case client.Unreachable:
		return "unreachable"
	case client.Unknown:
		return "unknown"
	}
	return "none"
}

func expect(t *testing.T, got client.Outcome, want string) {
	t.Helper()
	if outcomeName(got) != want {
		t.Fatalf("outcome is %s (%v), want %s", outcomeName(got), got, want)
	}
}

// CDS receives exactly the document, and the headers that its API asks for.
func TestRequest(t *testing.T) {
	type call struct {
		path, body string
		header     http.Header
	}
	calls := make(chan call, 2)
	url := hmrctest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		calls <- call{r.Method + " " + r.URL.Path, string(body), r.Header}
		accept(w)
	})
	for _, test := range []struct {
		accept, path string
		send         func(*cds.Client) client.Outcome
	}{
		{"", "POST /customs/declarations/", func(c *cds.Client) client.Outcome { return c.Submit(t.Context(), hmrctest.Bearer("t"), document) }},
		{cds.Version2, "POST /customs/declarations/cancellation-requests", func(c *cds.Client) client.Outcome { return c.Cancel(t.Context(), hmrctest.Bearer("t"), document) }},
	} {
		outcome := test.send(newClient(t, client.Settings{BaseURL: url + "/", Accept: test.accept}))
		if outcome != (cds.Accepted{ConversationID: conversation}) {
			t.Fatalf("outcome is %v", outcome)
		}
		got := <-calls
		if got.path != test.path || got.body != string(document) {
			t.Errorf("%s with %q, want %s", got.path, got.body, test.path)
		}
		version := test.accept
		if version == "" {
			version = "application/vnd.hmrc.1.0+xml"
		}
		for name, want := range map[string]string{
			"Authorization": "Bearer t", "Accept": version, "Content-Type": "application/xml; charset=utf-8",
			"X-Client-ID": "", "X-Badge-Identifier": "", "Content-Length": "11",
		} {
			if got.header.Get(name) != want {
				t.Errorf("%s is %q, want %q", name, got.header.Get(name), want)
			}
		}
	}
}
