package console_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/logbuffer"
	"github.com/tidewaiter/tidewaiter/test/program"
)

// password is the password of every test user.
const password = "a tide table for tests"

// cheapHash is the stored hash of password, with parameters that cost almost no time: a stored
// hash contains its own parameters.
var cheapHash = func() string {
	salt := make([]byte, 16)
	sum := argon2.IDKey([]byte(password), salt, 1, 8, 1, 32)
	return fmt.Sprintf("$argon2id$v=%d$m=8,t=1,p=1$%s$%s", argon2.Version, base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(sum))
}()

// harness is the whole service on a real socket, with a clock that the test sets.
type harness struct {
	*testing.T
	app  *app.App
	base string
	log  logbuffer.Buffer
	mu   sync.Mutex
	now  time.Time
}

func each(t *testing.T, run func(h *harness), settings ...func(*config.Config)) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) { run(open(t, b, settings...)) })
}

// anyDatabase is each on SQLite alone, in the long run on every database: for tests of pages whose data is stored and read by
// functions that the tests of the store and of the API call on every database.
func anyDatabase(t *testing.T, run func(h *harness), settings ...func(*config.Config)) {
	if os.Getenv("TIDEWAITER_LONG") != "" {
		each(t, run, settings...)
		return
	}
	run(open(t, storetest.SQLite(t), settings...))
}

func open(t *testing.T, b storetest.Backend, settings ...func(*config.Config)) *harness {
	t.Helper()
	return openAt(t, time.Now().UTC().Truncate(time.Millisecond), b, settings...)
}

// openAt is open at a time: what the program does when it starts, such as the mails of the morning, it does then.
func openAt(t *testing.T, now time.Time, b storetest.Backend, settings ...func(*config.Config)) *harness {
	t.Helper()
	h := &harness{T: t, now: now}
	if b.Folder == "" {
		b.Folder = t.TempDir()
	}
	program.ShareIndex(t, b.Folder)
	c := config.Config{
		Addr: "127.0.0.1:0", Data: b.Folder, DatabaseURL: b.URL, LimitStandard: 1000, HubsOff: []string{"gvms"},
		Customs: config.Customs{Mode: "simulator", Inbound: "signed", Issuer: "i", Audience: "a", Version: "1.0"}, SimulatorDelay: time.Millisecond,
	}
	for _, set := range settings {
		set(&c)
	}
	var err error
	if h.app, err = app.Open(t.Context(), c, app.Deps{Now: h.clock, Log: slog.New(slog.NewJSONHandler(&h.log, nil))}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ready, ended := make(chan string), make(chan error, 1)
	go func() { ended <- h.app.Serve(ctx, func(address string) { ready <- address }) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		_ = h.app.Close()
		if t.Failed() {
			t.Logf("the log:\n%s", h.log.Tail())
		}
	})
	select {
	case address := <-ready:
		h.base = "http://" + address
	case err := <-ended:
		ended <- err
		t.Fatal(err)
	}
	return h
}

func (h *harness) clock() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *harness) advance(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
}

func (h *harness) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// user is a person with a browser.
type user struct {
	*harness
	client *http.Client
	org    tenant.ID
	id     string
	email  string
}

func (h *harness) visitor() *user { return h.visitorFrom("127.0.0.1") }

// visitorFrom returns a browser with another address of this machine.
func (h *harness) visitorFrom(ip string) *user {
	jar, err := cookiejar.New(nil)
	h.must(err)
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(ip)}}
	transport := &http.Transport{DialContext: dialer.DialContext}
	h.Cleanup(transport.CloseIdleConnections)
	return &user{harness: h, client: &http.Client{
		Jar: jar, Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// owner creates an organisation and its OWNER, who signs in.
func (h *harness) owner(name, email string) *user {
	h.Helper()
	f, err := h.app.CreateOrganisation(h.Context(), name, "")
	h.must(err)
	h.enableSignIn(f.UserID, name+"'s owner", email)
	p := h.visitor()
	p.org, p.id, p.email = f.Organisation.ID, f.UserID, email
	p.signIn()
	return p
}

// member creates a user with a role in an organisation, who signs in.
func (h *harness) member(org tenant.ID, role tenant.Role, email string) *user {
	h.Helper()
	p := h.visitor()
	p.org, p.id, p.email = org, h.app.IDs.UUID(), email
	h.must(h.app.Store.AddUser(h.Context(), access.User{ID: p.id, Name: email}))
	h.enableSignIn(p.id, string(role)+" person", email)
	h.join(org, p.id, role)
	p.signIn()
	return p
}

// join makes a user a member and records the event.
func (h *harness) join(org tenant.ID, user string, role tenant.Role) {
	h.Helper()
	h.must(h.app.Store.Update(h.Context(), org, func(tx *store.Tx) error {
		return h.app.Access.JoinByProvider(tx, tenant.Call{Principal: tenant.System(org)}, user, role, "test")
	}))
}

func (h *harness) enableSignIn(id, name, email string) {
	h.Helper()
	h.must(h.app.Store.Update(h.Context(), tenant.Operator, func(tx *store.Tx) error {
		return tx.SaveUser(access.User{ID: id, Name: name, Email: email, Password: cheapHash})
	}))
}

func (p *user) signIn() {
	p.Helper()
	if a := p.post("/sign-in", "email", p.email, "password", password); a.status != http.StatusSeeOther {
		p.Fatalf("%s cannot sign in: %d %s", p.email, a.status, a.body)
	}
}

// pageResponse is a response of the service.
type pageResponse struct {
	status int
	header http.Header
	body   string
}

func (p *user) get(path string) pageResponse {
	p.Helper()
	return p.send(http.MethodGet, path, nil, nil)
}

// post sends a form of pairs with the ID of the user's current organisation.
func (p *user) post(path string, pairs ...string) pageResponse {
	p.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	if !form.Has("organisation-id") {
		form.Set("organisation-id", string(p.org))
	}
	return p.send(http.MethodPost, path, form, nil)
}

func (p *user) send(method, path string, form url.Values, header http.Header) pageResponse {
	p.Helper()
	request, err := http.NewRequestWithContext(p.Context(), method, p.base+p.local(path), strings.NewReader(form.Encode()))
	p.must(err)
	request.Header.Set("Accept", "text/html")
	if method != http.MethodGet {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for name, values := range header {
		request.Header[name] = values
	}
	response, err := p.client.Do(request)
	p.must(err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	p.must(err)
	return pageResponse{response.StatusCode, response.Header, string(body)}
}

// local returns the path of an address of the service.
func (h *harness) local(address string) string {
	return strings.TrimPrefix(strings.TrimPrefix(address, h.base), h.app.Config.PublicURL)
}

// cookie returns the session's token.
func (p *user) cookie() string {
	u, _ := url.Parse(p.base)
	for _, c := range p.client.Jar.Cookies(u) {
		if c.Name == "tidewaiter_session" {
			return c.Value
		}
	}
	return ""
}

func (a pageResponse) expect(t testing.TB, status int, texts ...string) {
	t.Helper()
	if a.status != status {
		t.Errorf("answered %d, not %d: %s", a.status, status, main(a.body))
	}
	for _, text := range texts {
		if !strings.Contains(a.body, text) {
			t.Errorf("does not contain %q: %s", text, main(a.body))
		}
	}
}

var mainPart = regexp.MustCompile(`(?s)<main.*</main>`)

func main(body string) string { return mainPart.FindString(body) }

// events returns the event types of an organisation's audit log, oldest first.
func (h *harness) events(org tenant.ID) (types []string) {
	h.Helper()
	h.must(h.app.Store.View(h.Context(), org, func(tx *store.Tx) error {
		return tx.EachEvent(func(e audit.Event) error { types = append(types, e.Type); return nil })
	}))
	return types
}

func shownOnce(t testing.TB, a pageResponse) string {
	t.Helper()
	found := regexp.MustCompile(`id="shown-once"[^>]*>([^<]+)<`).FindStringSubmatch(a.body)
	if found == nil {
		t.Fatalf("no secret is shown: %d %s", a.status, main(a.body))
	}
	return found[1]
}
