package conformance

import (
	"fmt"
	"sync"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// An Idempotency-Key belongs to the API key that sent it: another key of the same organisation neither gets its
// answers nor is refused because of it.
func TestIdempotencyKeysBelongToTheCaller(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		p := serve(t, b, allowPrivate)
		first := p.organisation("A")
		second := first.as("OWNER")
		r := receive(t)
		body := map[string]any{"url": r.URL}
		made := first.call("POST", endpoints, body, "Idempotency-Key", "k").want(t, 200)
		other := second.call("POST", endpoints, body, "Idempotency-Key", "k").want(t, 200)
		if other.header.Get("Idempotent-Replayed") != "" || other.in("endpoint", "secret") == made.in("endpoint", "secret") {
			t.Errorf("another key got the secret: %s", other.text)
		}
		if again := first.call("POST", endpoints, body, "Idempotency-Key", "k").want(t, 200); again.text != made.text || again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("the same key: %s, not %s", again.text, made.text)
		}
		client := first.call("POST", "/api/clients", `{"name":"A"}`, "Idempotency-Key", "c").want(t, 201)
		if a := second.call("POST", "/api/clients", `{"name":"B"}`, "Idempotency-Key", "c").want(t, 201); a.id() == client.id() {
			t.Error("another key got the answer")
		}
		id := first.declaration("INV-1")
		submitted := first.call("POST", "/api/cds/submit", `{"declarationId":"`+id+`"}`, "Idempotency-Key", "s").want(t, 200)
		first.waitForStatus(id, "CLEARED")
		if a := first.call("POST", "/api/cds/submit", `{"declarationId":"`+id+`"}`, "Idempotency-Key", "s").want(t, 200); a.text != submitted.text {
			t.Errorf("the submission again: %s", a.text)
		}
	})
}

// Two instances that get the same call at once both give its answer, and it has its effect once.
func TestSameCallAtTwoInstances(t *testing.T) {
	t.Parallel()
	b := storetest.Postgres(t)
	b.Folder = t.TempDir()
	p := serve(t, b)
	c := p.organisation("A")
	instances := []string{p.base, p.start()}
	for n := range 20 {
		id := c.declaration(fmt.Sprint("INV-", n))
		answers := make([]answer, len(instances))
		var both sync.WaitGroup
		for i, address := range instances {
			at := *p
			at.base = address
			both.Go(func() {
				answers[i] = at.call(c.key, "DELETE", "/api/declarations/"+id, nil, "Idempotency-Key", fmt.Sprint("cancel ", n))
			})
		}
		both.Wait()
		for _, a := range answers {
			if a.status != 200 || a.in("declaration", "status") != "CANCELLED" {
				t.Errorf("declaration %d: %d %s", n, a.status, a.text)
			}
		}
	}
}
