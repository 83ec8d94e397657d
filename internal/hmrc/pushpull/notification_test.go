package pushpull_test

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/pushpull"
)

// The signature is that of HMRC's published example.
func TestSignature(t *testing.T) {
	const body, signature = `{"sample": "payload"}`, "c6cdd3e30021fe66d88d37088fed2566453eb7fb"
	if got := pushpull.Sign("sample key", []byte(body)); got != signature {
		t.Errorf("signature %s", got)
	}
	for _, c := range []struct {
		secret, body, signature string
		want                    bool
	}{
		{"sample key", body, signature, true}, {"sample key", body + " ", signature, false}, {"another", body, signature, false},
		{"sample key", body, "", false}, {"", body, pushpull.Sign("", []byte(body)), false},
	} {
		if got := pushpull.Verify(c.secret, []byte(c.body), c.signature); got != c.want {
			t.Errorf("%q with %q: %t", c.body, c.secret, got)
		}
	}
}

// A notification has its message as a text; what is no notification, or is too long, is refused.
func TestReadNotification(t *testing.T) {
	n, err := pushpull.ReadNotification([]byte(`{"notificationId":"n","boxId":"b","messageContentType":"application/json","message":"{\"ern\":1}","status":"PENDING","createdDateTime":"2020-06-01T10:20:23.160+0000"}`))
	if err != nil || n.ID != "n" || n.Message != `{"ern":1}` || n.Status != pushpull.Pending {
		t.Errorf("%+v, %v", n, err)
	}
	for _, body := range []string{"", "{", strings.Repeat(" ", pushpull.MaxNotification+1)} {
		if _, err := pushpull.ReadNotification([]byte(body)); err == nil {
			t.Errorf("%.10q was read", body)
		}
	}
}

// A challenge is repeated as JSON; what has not its form is not.
func TestChallenge(t *testing.T) {
	body, ok := pushpull.AnswerTo("ec3ff9ba-4ac1-4ea3-80e2-b3ac1e4f0f2b")
	if !ok || string(body) != `{"challenge":"ec3ff9ba-4ac1-4ea3-80e2-b3ac1e4f0f2b"}` {
		t.Errorf("%s %t", body, ok)
	}
	for _, bad := range []string{"", "<b>", "a b", strings.Repeat("a", 129)} {
		if body, ok := pushpull.AnswerTo(bad); ok {
			t.Errorf("%q is answered with %s", bad, body)
		}
	}
}
