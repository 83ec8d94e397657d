package cds_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
)

// untrusted fails the test unless err is the one error of an Inbound.
func untrusted(t *testing.T, err error, reason string) {
	t.Helper()
	var u cds.Untrusted
	if !errors.As(err, &u) || !strings.Contains(u.Error(), reason) {
		t.Errorf("error is %v, want untrusted: %s", err, reason)
	}
}

// The fixed token has to be there once, whole and to the letter.
func TestStaticToken(t *testing.T) {
	inbound, err := cds.NewStaticToken("Basic dXNlcjpwYXNz")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		values []string
		good   bool
	}{
		{[]string{"Basic dXNlcjpwYXNz"}, true},
		{nil, false},
		{[]string{""}, false},
		{[]string{"Basic dXNlcjpwYXN"}, false},
		{[]string{"Basic dXNlcjpwYXNzz"}, false},
		{[]string{"basic dXNlcjpwYXNz"}, false},
		{[]string{"dXNlcjpwYXNz"}, false},
		{[]string{"Basic dXNlcjpwYXNz", "Basic dXNlcjpwYXNz"}, false},
		{[]string{strings.Repeat("x", 1<<20)}, false},
	} {
		err := inbound.Verify(t.Context(), http.Header{"Authorization": test.values}, document)
		if test.good && err != nil {
			t.Errorf("%.40q: %v", test.values, err)
		}
		if !test.good {
			untrusted(t, err, "")
		}
	}
}

// What is not configured opens no door.
func TestInboundNeedsConfiguration(t *testing.T) {
	if _, err := cds.NewStaticToken(""); err == nil {
		t.Error("an empty token is taken")
	}
	if _, err := cds.NewSigned(nil, "", "us", newClock().Now); err == nil {
		t.Error("an empty issuer is taken")
	}
	if _, err := cds.NewSigned(nil, "customs", "", newClock().Now); err == nil {
		t.Error("an empty audience is taken")
	}
}

// A conversation id is one UUID in lower case, wherever it is read.
func TestConversationID(t *testing.T) {
	for _, test := range []struct {
		values []string
		good   bool
	}{
		{[]string{conversation}, true},
		{nil, false},
		{[]string{""}, false},
		{[]string{conversation, conversation}, false},
		{[]string{strings.ToUpper(conversation)}, false},
		{[]string{strings.ReplaceAll(conversation, "-", "")}, false},
		{[]string{" " + conversation}, false},
		{[]string{conversation[:35]}, false},
		{[]string{conversation[:35] + "g"}, false},
	} {
		header := http.Header{}
		for _, value := range test.values {
			header.Add("x-conversation-id", value)
		}
		id, ok := cds.ConversationID(header)
		if ok != test.good || ok && id != conversation {
			t.Errorf("%q gives %q, %v", test.values, id, ok)
		}
	}
}
