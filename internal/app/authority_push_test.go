package app_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/pushpull"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/gvmssim"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

const pushSecret = "push secret"

// push sends a notification to the service as HMRC does, and returns the answer.
func (i *instance) push(authority, message, secret string) (status int, text string) {
	i.t.Helper()
	body := `{"notificationId":"1ed5f407-8096-40d5-87ee-4b55f5a2b1b2","boxId":"50dca3fb-c0c1-4ae8-8b1b-5d3bc8b0b7f3","messageContentType":"application/json","message":` +
		strconv.Quote(message) + `,"status":"PENDING","createdDateTime":"2026-11-27T10:20:23.160+0000"}`
	r, err := http.NewRequestWithContext(i.t.Context(), http.MethodPost, i.base+"/api/authorities/"+authority+"/notifications", strings.NewReader(body))
	if err != nil {
		i.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if secret != "" {
		r.Header.Set(pushpull.SignatureHeader, pushpull.Sign(secret, []byte(body)))
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		i.t.Fatal(err)
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err != nil {
		i.t.Fatal(err)
	}
	return answer.StatusCode, string(read)
}

// A notification of EMCS lets the messages of its excise number be fetched at once, also those of a consignee who has no record yet. Repeated, it
// changes nothing; without HMRC's signature it does nothing.
func TestExciseNotifications(t *testing.T) {
	atOnce(t, func(t *testing.T, b storetest.Backend) {
		e, g := startConsenting(t, b)
		e.consent(emcstest.Consignee)
		e.sendElsewhere(g)
		message := `{"movementId":"01939c50-7b00-4c3e-8f00-00000000000b","messageUri":"/movements/x/messages/y","messageId":"y","messageType":"IE801","ern":"` + emcstest.Consignee + `"}`
		for _, secret := range []string{"", "another secret"} {
			if status, text := e.push("emcs", message, secret); status != http.StatusUnauthorized {
				t.Errorf("signed with %q: %d %s", secret, status, text)
			}
		}
		for _, authority := range []string{"ens", "gvms", "cds"} {
			if status, text := e.push(authority, message, pushSecret); status != http.StatusUnauthorized {
				t.Errorf("for %s: %d %s", authority, status, text)
			}
		}
		for _, bad := range []string{``, `[]`, `{}`, `{"ern":"GBWK1"}`} {
			if status, text := e.push("emcs", bad, pushSecret); status != http.StatusBadRequest {
				t.Errorf("%s: %d %s", bad, status, text)
			}
		}
		if status, text := e.push("emcs", strings.Repeat(" ", pushpull.MaxNotification), pushSecret); status != http.StatusRequestEntityTooLarge {
			t.Errorf("too long: %d %s", status, text)
		}
		if status, text := e.push("emcs", `{"ern":"GBWK999999999"}`, pushSecret); status != http.StatusOK {
			t.Errorf("about another number: %d %s", status, text)
		}
		if n := g.callsOf(emcstest.Consignee); n != 0 {
			t.Fatalf("%d calls before the notification", n)
		}
		for range 3 {
			if status, text := e.push("emcs", message, pushSecret); status != http.StatusOK || strings.TrimSpace(text) != "{}" {
				t.Fatalf("%d %s", status, text)
			}
		}
		var list struct {
			Messages []struct{ ID, Kind, Content string }
		}
		for end := time.Now().Add(2 * time.Minute); len(list.Messages) == 0 && time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
			e.request(http.MethodGet, "/api/authorities/messages", "", http.StatusOK, &list)
		}
		if len(list.Messages) != 1 || list.Messages[0].Kind != "IE801" || !strings.Contains(list.Messages[0].Content, "OTHERSYSTEM1") {
			t.Fatalf("%+v\n%s", list, e.request(http.MethodGet, "/api/authorities", "", http.StatusOK, nil))
		}
	})
}

// sendElsewhere sends a movement with another system than this service.
func (e *excise) sendElsewhere(g *gateway) {
	e.t.Helper()
	draft := emcstest.Draft(emcs.V323, time.Now())
	emcstest.Edit(draft.Body, "EadEsadDraft/LocalReferenceNumber=OTHERSYSTEM1")
	document, err := emcs.Encode(draft)
	if err != nil {
		e.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(e.t.Context(), http.MethodPost, g.URL+movementsAt, bytes.NewReader(document))
	if err != nil {
		e.t.Fatal(err)
	}
	r.Header = http.Header{"Authorization": {"Bearer " + emcstest.Consignor + "-other"}, "Accept": {"application/vnd.hmrc.1.0+json"}, "Content-Type": {"application/xml"}}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		e.t.Fatal(err)
	}
	if _ = answer.Body.Close(); answer.StatusCode != http.StatusAccepted {
		e.t.Fatalf("HMRC answered %d", answer.StatusCode)
	}
}

// callsOf is the number of calls of an excise number.
func (g *gateway) callsOf(ern string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.calls[ern]
}

// A notification about a goods movement lets its record be read at once, an hour before its time; one about an unknown record is accepted. HMRC’s challenge is
// answered only if there is a push secret.
func TestGoodsMovementNotifications(t *testing.T) {
	atOnce(t, func(t *testing.T, b storetest.Backend) {
		sim, err := gvmssim.New(oneClock())
		if err != nil {
			t.Fatal(err)
		}
		d := startFront(t, b, "gvms", "gvms", "/api/gvms/movements", "gvms.movement", sim, func(c *config.Config) *config.Authority { return &c.GVMS })
		d.agree()
		id := d.newMovement("AB24 AAA")
		d.reaches(id, "OPEN")
		var m struct{ Movement struct{ GMRID string } }
		d.request(http.MethodGet, d.path+"/"+id, "", http.StatusOK, &m)
		before := d.polled()
		if status, text := d.push("gvms", `{"gmrId":"GMRA00000000","state":"OPEN"}`, pushSecret); status != http.StatusOK {
			t.Fatalf("%d %s", status, text)
		}
		if status, text := d.push("gvms", fmt.Sprintf(`{"gmrId":%q,"state":"OPEN"}`, m.Movement.GMRID), pushSecret); status != http.StatusOK {
			t.Fatalf("%d %s", status, text)
		}
		d.eventually("the records were not read", func() bool { return d.polled() > before }, "/api/authorities")

		d.request(http.MethodGet, "/api/authorities/gvms/notifications?challenge=ec3ff9ba-4ac1", "", http.StatusOK, nil)
		d.request(http.MethodGet, "/api/authorities/gvms/notifications?challenge=<b>", "", http.StatusBadRequest, nil)
		if text := d.request(http.MethodGet, "/api/authorities/gvms/notifications?challenge=ec3ff9ba-4ac1&more=1", "", http.StatusBadRequest, nil); !strings.Contains(text, `"more"`) {
			t.Error(text)
		}
		if text := d.request(http.MethodGet, "/api/authorities/nope/notifications", "", http.StatusBadRequest, nil); !strings.Contains(text, `"id"`) || !strings.Contains(text, `"challenge"`) {
			t.Errorf("an authority that does not exist: %s", text)
		}
		d.request(http.MethodGet, "/api/authorities/emcs/notifications?challenge=ec3ff9ba-4ac1", "", http.StatusBadRequest, nil)
	})
}
