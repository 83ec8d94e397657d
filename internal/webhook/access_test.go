package webhook_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// tokenServer is the transport of an authorisation server and of a receiver. Each token is good for an hour.
type tokenServer struct {
	receiver http.RoundTripper

	mu      sync.Mutex
	granted int
	shown   []string // the tokens that the receiver saw
}

func (s *tokenServer) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.URL.Host != "login.example" {
		s.shown = append(s.shown, r.Header.Get("Authorization"))
		return s.receiver.RoundTrip(r)
	}
	s.granted++
	answer := fmt.Sprintf(`{"access_token":"%d","token_type":"Bearer","expires_in":3600}`, s.granted)
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(answer))}, nil
}

// An access token serves all events until it ends, however far apart they are, and until the credentials change.
func TestTokenIsKeptBetweenEvents(t *testing.T) {
	inBubble(t, func(f *fixture) {
		server := &tokenServer{receiver: f.receiver}
		id := f.endpoint("https://bank.example")
		f.grant(id, "first")
		defer f.runOver(f.ids.UUID(), adapter{f.store}, server)()
		for range 3 {
			f.records(1)
			time.Sleep(20 * time.Minute)
		}
		f.records(1) // a minute after the end of the token
		time.Sleep(time.Minute)
		f.grant(id, "second")
		f.records(1)
		time.Sleep(time.Minute)
		server.mu.Lock()
		defer server.mu.Unlock()
		if want := []string{"Bearer 1", "Bearer 1", "Bearer 1", "Bearer 2", "Bearer 3"}; !slices.Equal(server.shown, want) {
			t.Errorf("tokens %q, want %q", server.shown, want)
		}
	})
}

// grant gives an endpoint client credentials.
func (f *fixture) grant(id, client string) {
	f.Helper()
	text, err := json.Marshal(webhook.ClientGrant{TokenURL: "https://login.example/", ClientID: client, ClientSecret: "s"})
	if err != nil {
		f.Fatal(err)
	}
	sealed, err := webhook.Seal(plain{}, org, id, string(text))
	if err != nil {
		f.Fatal(err)
	}
	f.update(func(tx *store.Tx) error {
		e, err := tx.Endpoint(id)
		if err != nil {
			return err
		}
		e.OAuth, e.Version = sealed, e.Version+1
		return tx.SaveEndpoint(e)
	})
}
