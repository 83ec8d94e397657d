package console_test

import (
	"bufio"
	"encoding/json"
	"io"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// message is a mail that the SMTP server has received.
type message struct{ to, subject, text string }

// mailServer is an SMTP server on a real socket.
type mailServer struct {
	address string
	mails   chan message
}

func openMailServer(t *testing.T) *mailServer {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	o := &mailServer{"smtp://" + listener.Addr().String(), make(chan message, 100)}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go o.talk(conn)
		}
	}()
	return o
}

// talk implements the part of SMTP that a client needs.
func (o *mailServer) talk(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	say := func(line string) { _, _ = io.WriteString(conn, line+"\r\n") }
	say("220 post office")
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		switch command := strings.ToUpper(strings.TrimSpace(line)); {
		case command == "DATA":
			say("354 go on")
			var text strings.Builder
			for {
				line, err := in.ReadString('\n')
				if err != nil {
					return
				}
				if line == ".\r\n" {
					break
				}
				text.WriteString(strings.TrimPrefix(line, "."))
			}
			o.take(text.String())
			say("250 taken")
		case command == "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

func (o *mailServer) take(text string) {
	m, err := mail.ReadMessage(strings.NewReader(text))
	if err != nil {
		o.mails <- message{text: err.Error()}
		return
	}
	body, _ := io.ReadAll(quotedprintable.NewReader(m.Body))
	to, _ := mail.ParseAddress(m.Header.Get("To"))
	o.mails <- message{to.Address, m.Header.Get("Subject"), string(body)}
}

// next returns the next mail. A mail with another recipient or subject fails the test.
func (o *mailServer) next(t *testing.T, to, subject string) message {
	t.Helper()
	select {
	case l := <-o.mails:
		if l.to != to || !strings.Contains(l.subject, subject) {
			t.Fatalf("mail to %s %q, not to %s %q", l.to, l.subject, to, subject)
		}
		return l
	case <-time.After(30 * time.Second):
		t.Fatalf("no mail to %s about %q", to, subject)
	}
	return message{}
}

func (m message) path(t *testing.T) string {
	t.Helper()
	u, err := url.Parse(regexp.MustCompile(`http://\S+`).FindString(m.text))
	if err != nil || u.Path == "" {
		t.Fatalf("the mail has no link: %s", m.text)
	}
	return u.Path
}

// Invitations, reset links, notices of sign-ins from new browsers and notices of new keys are sent by
// mail. A mail waiting in the database can be read only with the master key.
func TestMail(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		o := openMailServer(t)
		h := open(t, b, func(c *config.Config) { c.SMTPURL, c.MailFrom = o.address, "Tidewaiter <console@example.com>" })
		p := h.owner("Quay Ltd", "olive@example.com")
		a := p.post("/settings/users/invite", "email", "nia@example.com", "role", "MEMBER", "days", "3")
		a.expect(h, http.StatusOK, "sent an email with the link to nia@example.com")
		if strings.Contains(a.body, "shown-once") {
			h.Error("the link is shown although it is sent by mail")
		}
		nia := h.visitor()
		nia.post(o.next(t, "nia@example.com", "Join Quay Ltd").path(t)+"/join", "name", "Nia", "password", "lantern ocean kettle").expect(h, http.StatusSeeOther)

		again := h.visitor()
		again.email = p.email
		again.signIn()
		o.next(t, p.email, "New sign-in")
		p.signIn() // from a known browser
		p.post("/settings/keys", "name", "Robot", "role", "VIEWER").expect(h, http.StatusOK)
		o.next(t, p.email, "New API key in Quay Ltd")

		h.visitor().get("/sign-in").expect(h, http.StatusOK, "Forgot your password?")
		one, two := h.visitor().post("/forgot", "email", "unknown@example.com"), h.visitor().post("/forgot", "email", p.email)
		if one.status != two.status || strings.ReplaceAll(main(one.body), "unknown@", "olive@") != main(two.body) {
			h.Errorf("an unknown address is answered %d %s", one.status, main(one.body))
		}
		fresh := h.visitor()
		fresh.post(o.next(t, p.email, "Set a new password").path(t), "password", "kettle lantern ocean").expect(h, http.StatusSeeOther)
		fresh.post("/sign-in", "email", p.email, "password", "kettle lantern ocean").expect(h, http.StatusSeeOther)
		for range 3 {
			h.visitor().post("/forgot", "email", "unknown@example.com")
		}
		h.visitor().post("/forgot", "email", "unknown@example.com").expect(h, http.StatusTooManyRequests)
		if !slices.Contains(h.events(p.org), access.ResetLinkMade) {
			h.Error("the audit log has no event for the link")
		}
	})
}

// gather waits for a number of mails about a subject, in any order, and returns their sorted
// recipients with one of the texts. Mails about anything else fail the test.
func (o *mailServer) gather(t *testing.T, number int, subject string) (to []string, text string) {
	t.Helper()
	for range number {
		select {
		case l := <-o.mails:
			if !strings.Contains(l.subject, subject) {
				t.Errorf("mail to %s about %q, not %q", l.to, l.subject, subject)
			}
			to, text = append(to, l.to), l.text
		case <-time.After(30 * time.Second):
			t.Fatalf("%d of %d mails about %q", len(to), number, subject)
		}
	}
	slices.Sort(to)
	return to, text
}

// byAPI creates a key or rotates its secret with the API, and returns the ID and the new secret.
func (h *harness) byAPI(secret, path, body string) (id, made string) {
	h.Helper()
	r, err := http.NewRequestWithContext(h.Context(), http.MethodPost, h.base+path, strings.NewReader(body))
	h.must(err)
	r.Header.Set("Authorization", "Bearer "+secret)
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	h.must(err)
	defer response.Body.Close()
	var answer struct {
		Key    struct{ ID string }
		Secret string
	}
	h.must(json.NewDecoder(response.Body).Decode(&answer))
	if answer.Secret == "" {
		h.Fatalf("%s answered %d without a secret", path, response.StatusCode)
	}
	return answer.Key.ID, answer.Secret
}

// When a key is created or rotated, in the console or with the API, every OWNER gets a mail, and
// no other user does.
func TestMailOfKeys(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		o := openMailServer(t)
		h := open(t, b, func(c *config.Config) { c.SMTPURL, c.MailFrom = o.address, "Tidewaiter <console@example.com>" })
		p := h.owner("Quay Ltd", "olive@example.com")
		h.member(p.org, tenant.Owner, "otto@example.com")
		h.member(p.org, tenant.Member, "mia@example.com")
		secret := shownOnce(h, p.post("/settings/keys", "name", "Robot", "role", "OWNER"))
		expectMails := func(subject string, texts ...string) {
			t.Helper()
			to, text := o.gather(t, 2, subject)
			if !slices.Equal(to, []string{"olive@example.com", "otto@example.com"}) {
				t.Errorf("mails about %q were sent to %v", subject, to)
			}
			for _, wanted := range texts {
				if !strings.Contains(text, wanted) {
					t.Errorf("the mail does not contain %q: %s", wanted, text)
				}
			}
		}
		expectMails("New API key in Quay Ltd", `"Robot" (OWNER, ending in `+secret[len(secret)-4:]+`) was created`, "It expires on ")
		id, made := h.byAPI(secret, "/api/keys", `{"name":"Second","role":"VIEWER","neverExpires":false}`)
		expectMails("New API key in Quay Ltd", `"Second" (VIEWER, ending in `+made[len(made)-4:], "/settings/keys")
		h.byAPI(secret, "/api/keys/"+id+"/rotate", "")
		expectMails("New secret of an API key in Quay Ltd", `"Second"`, "24 hours")
		p.post("/settings/keys/"+id+"/rotate").expect(h, http.StatusOK)
		expectMails("New secret of an API key in Quay Ltd", `"Second"`)
	})
}

// The OWNERs get one warning, by mail and on the home page, about a key that expires within 30 days,
// however many instances check and however often. There is no mail for keys that never expire, were
// revoked, or were created for less than 30 days.
func TestExpiryWarning(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		o := openMailServer(t)
		withMail := func(c *config.Config) { c.SMTPURL, c.MailFrom = o.address, "Tidewaiter <console@example.com>" }
		h := open(t, b, withMail)
		p, other := h.owner("Quay Ltd", "olive@example.com"), h.owner("Pier Ltd", "paul@example.com")
		viewer := h.member(p.org, tenant.Viewer, "vera@example.com")
		for name, days := range map[string]string{"Robot": "365", "Later": "800", "Gone": "366"} {
			p.post("/settings/keys", "name", name, "role", "VIEWER", "days", days).expect(h, http.StatusOK)
		}
		p.post("/settings/keys", "name", "Lasting", "role", "VIEWER", "neverExpires", "yes").expect(h, http.StatusOK)
		o.gather(t, 4, "New API key")
		p.post("/settings/keys/"+found(h, p.get("/settings/keys"), `(?s)>Gone<.*?/settings/keys/([0-9a-f-]{36})/revoke`)+"/revoke").expect(h, http.StatusSeeOther)
		warn := func() { h.must(h.app.Accounts.WarnOfExpiry(h.Context())) }
		h.advance(334 * 24 * time.Hour)
		warn()
		p.signIn()
		p.get("/").omits(h, "Robot")

		h.advance(2 * 24 * time.Hour)
		p.signIn()
		p.post("/settings/keys", "name", "Short", "role", "VIEWER", "days", "3").expect(h, http.StatusOK)
		o.gather(t, 1, "New API key")
		var all sync.WaitGroup
		for range 4 {
			all.Go(warn)
		}
		all.Wait()
		if b.URL != "" { // another instance, which checks when it starts
			b.Folder = h.app.Config.Data // for the master key
			second := open(t, b, withMail)
			second.at(h.clock().Format(time.RFC3339Nano))
			h.must(second.app.Accounts.WarnOfExpiry(h.Context()))
		}
		to, text := o.gather(t, 1, "API keys of Quay Ltd expire soon")
		if to[0] != p.email || !strings.Contains(text, `"Robot" (VIEWER, ending in`) || strings.Contains(text, "Later") || strings.Contains(text, "Lasting") ||
			strings.Contains(text, "Gone") || strings.Contains(text, "Short") {
			t.Errorf("the warning to %v: %s", to, text)
		}
		warn()
		p.post("/settings/keys", "name", "Last", "role", "VIEWER").expect(h, http.StatusOK)
		o.gather(t, 1, "New API key") // there was no second warning before it

		p.get("/").says(h, "Needs attention", "Expiring API key Short", "Expiring API key Robot Create a new key", "expires on ")
		p.get("/").omits(h, "API key Later", "API key Lasting", "API key Gone")
		viewer.signIn()
		viewer.get("/").omits(h, "API key Robot")
		other.signIn()
		other.get("/").omits(h, "API key Robot")
	})
}

// An OWNER is shown a reset link only for an account that belongs to no other organisation.
func TestResetLinkFromTheConsole(t *testing.T) {
	each(t, func(h *harness) {
		p, other := h.owner("Quay Ltd", "olive@example.com"), h.owner("Pier Ltd", "paul@example.com")
		mia := h.member(p.org, tenant.Member, "mia@example.com")
		link := shownOnce(h, p.post("/settings/users/"+mia.id+"/reset-link"))
		h.visitor().post(link, "password", "lantern ocean kettle").expect(h, http.StatusSeeOther)
		h.must(h.app.Store.Update(h.Context(), other.org, func(tx *store.Tx) error { return tx.AddMember(mia.id, tenant.Viewer) }))
		a := p.post("/settings/users/" + mia.id + "/reset-link")
		a.expect(h, http.StatusBadRequest, "belongs to other organisations too")
		p.post("/settings/users/"+other.id+"/reset-link").expect(h, http.StatusNotFound)
	})
}

// A session that an OWNER ends no longer opens that organisation; it still opens others.
func TestOwnerEndsSessions(t *testing.T) {
	each(t, func(h *harness) {
		p, other := h.owner("Quay Ltd", "olive@example.com"), h.owner("Pier Ltd", "paul@example.com")
		mia := h.member(p.org, tenant.Member, "mia@example.com")
		id := found(h, p.get("/settings/security"), `(?s)MEMBER person.*?/settings/sessions/([0-9a-f-]{36})/end`)
		other.post("/settings/sessions/"+id+"/end").expect(h, http.StatusNotFound)
		p.post("/settings/sessions/"+id+"/end").expect(h, http.StatusSeeOther)
		if mia.signedIn() {
			h.Error("the session still works although there is no other organisation")
		}
		h.must(h.app.Store.Update(h.Context(), other.org, func(tx *store.Tx) error { return tx.AddMember(mia.id, tenant.Viewer) }))
		mia.signIn()
		mia.post("/switch", "organisation", string(p.org)).expect(h, http.StatusSeeOther)
		id = found(h, p.get("/settings/security"), `(?s)MEMBER person.*?/settings/sessions/([0-9a-f-]{36})/end`)
		p.post("/settings/sessions/"+id+"/end").expect(h, http.StatusSeeOther)
		mia.get("/declarations").expect(h, http.StatusForbidden, "Your session has ended")
		mia.post("/switch", "organisation", string(other.org)).expect(h, http.StatusSeeOther)
		mia.get("/declarations").expect(h, http.StatusOK)
		mia.post("/switch", "organisation", string(p.org)).expect(h, http.StatusSeeOther)
		mia.get("/declarations").expect(h, http.StatusForbidden)
		mia.signIn()
		mia.post("/switch", "organisation", string(p.org)).expect(h, http.StatusSeeOther)
		mia.get("/declarations").expect(h, http.StatusOK)
		if !slices.Contains(h.events(p.org), access.SessionEnded) {
			h.Error("the audit log has no event for the ended session")
		}
	})
}

// An OWNER requires second factors in the console.
func TestRequireFactorsInTheConsole(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	p.post("/settings/security", "secondFactorRequired", "yes").expect(h, http.StatusSeeOther)
	p.get("/settings/security").expect(h, http.StatusForbidden, "Set up a second factor")
}
