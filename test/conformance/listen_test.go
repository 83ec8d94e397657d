package conformance

import (
	"strings"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// listen forwards new events with the secret that it prints, prints a line for each with the status of the answer, and
// stops cleanly. It needs a key in the environment.
func TestListen(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c, h := p.organisation("A"), receive(t)
		c.client()
		if code, out := p.Code("listen", "--url", p.base, "--print"); code != 2 || !strings.Contains(out, "TIDEWAITER_API_KEY") {
			t.Errorf("without a key: %d, %s", code, out)
		}
		tool := p.Program
		tool.Settings = map[string]string{"TIDEWAITER_API_KEY": c.key}
		listener := tool.Serve(t, "listen", "--url", p.base, "--forward", h.URL)
		secret := listener.WaitForOutput(t, `Signing secret (whsec_\S+)`)
		listener.WaitForOutput(t, `(Listening to .*\n)`)
		h.answers(202)
		c.declaration("")
		verifier, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			t.Fatal(err)
		}
		want, _, _ := c.eventPage("")
		for i, d := range h.arrive(t, len(want)-1) {
			if err := verifier.Verify(d.text, d.header); err != nil || string(d.text) != want[i+1] {
				t.Errorf("%v: forwarded %s, want %s", err, d.text, want[i+1])
			}
		}
		listener.WaitForOutput(t, `(declaration\.created  evt_\S+  202 in \d+ ms\n)`)
	})
}
