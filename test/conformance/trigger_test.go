package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/webhook/trigger"
)

// Every event that can be triggered happens in a test organisation, and listen ends with 0 when it has seen what was expected, and
// with 1 when that does not happen. An event that is resent is shown again.
func TestEventsAreTriggered(t *testing.T) {
	t.Parallel()
	p := serve(t, storetest.SQLite(t), allowPrivate)
	live := p.organisation("A")
	test := &caller{p, "", live.call("POST", "/api/sandbox/keys", map[string]any{"name": "Tests", "role": "OWNER"}).want(t, 201).in("secret").(string)}
	r := receive(t)
	endpoint, _ := test.endpoint(r.URL, "client.created")
	run := func(args ...string) (string, error) {
		cmd := p.Command(append(args, "--url", p.base)...)
		cmd.Env = append(cmd.Env, "TIDEWAITER_API_KEY="+test.key)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, eventType := range trigger.Types() {
		if out, err := run("trigger", eventType); err != nil || !strings.Contains(out, "\n"+eventType+"  evt_") && !strings.HasPrefix(out, eventType+"  evt_") {
			t.Errorf("%s: %v\n%s", eventType, err, out)
		}
	}
	r.arrive(t, 1)
	log := test.call("GET", endpoints+"/"+endpoint+"/deliveries", nil).want(t, 200).body["deliveries"].([]any)
	delivery := log[len(log)-1].(map[string]any)
	test.call("POST", endpoints+"/"+endpoint+"/deliveries/"+delivery["id"].(string)+"/resend", nil).want(t, 200)
	expected := filepath.Join(t.TempDir(), "expected")
	file := "{\"type\":\"declaration.cleared\",\"data\":{\"object\":{\"status\":\"CLEARED\"}}}\n{\"id\":\"" + delivery["eventId"].(string) + "\"}\n"
	if err := os.WriteFile(expected, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := run("listen", "--cursor", "oldest", "--expect", expected); err != nil || !strings.Contains(out, delivery["eventId"].(string)+"  resent") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := run("listen", "--cursor", "latest", "--expect", expected, "--within", "10ms"); err == nil || !strings.Contains(out, "2 of the expected events did not happen in order") {
		t.Errorf("%v\n%s", err, out)
	}
}
