package security

import (
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/test/program"
)

// fails runs a command that must exit with 1 and say why.
func fails(t *testing.T, p program.Program, why string, args ...string) {
	t.Helper()
	if code, out := p.Code(args...); code != 1 || !strings.Contains(out, why) {
		t.Errorf("%q ended with %d, want 1 with %q: %s", args, code, why, out)
	}
}

// The operator's commands work while the service runs, report what they did, and refuse unknown records.
func TestOperatorCommands(t *testing.T) {
	t.Parallel()
	s := newTarget(t)
	other, _ := s.organisation()

	var verified struct {
		Domain   string
		Verified bool
	}
	s.Read(t, &verified, "org", "verify-domain", "--org", s.org, "Quay.example")
	if !verified.Verified || verified.Domain != "quay.example" {
		t.Errorf("verified: %+v", verified)
	}
	if a := s.call("GET", "/api/audit?eventType=domain.verified", "", s.bearer()); !strings.Contains(a.text, `"quay.example"`) || !strings.Contains(a.text, `"operator"`) {
		t.Errorf("the trail: %s", a.text)
	}
	fails(t, s.Program, "Another organisation", "org", "verify-domain", "--org", other, "quay.example")
	fails(t, s.Program, "domain", "org", "verify-domain", "--org", s.org, "not a domain")
	fails(t, s.Program, "no organisation", "org", "verify-domain", "--org", "01a20795-7d82-776d-993f-941768ff900a", "other.example")

	inside := s.join("nina@quay.example")
	if !inside() {
		t.Fatal("the new user is not signed in")
	}
	var reset struct{ Removed int }
	s.Read(t, &reset, "user", "reset-factors", "NINA@quay.example")
	if reset.Removed != 0 || inside() {
		t.Errorf("%d factors removed from a user without factors; still signed in: %v", reset.Removed, inside())
	}
	if a := s.call("GET", "/api/audit?eventType=user.factors_reset", "", s.bearer()); !strings.Contains(a.text, `"removed":0`) {
		t.Errorf("the trail: %s", a.text)
	}
	fails(t, s.Program, "ghost@quay.example", "user", "reset-factors", "ghost@quay.example")

	var erased struct {
		UserID        string
		Organisations []struct{ Values, OlderEvents int64 }
	}
	s.Read(t, &erased, "user", "erase", "Nina@quay.example")
	if len(erased.Organisations) != 1 || erased.Organisations[0].Values == 0 || erased.Organisations[0].OlderEvents != 0 {
		t.Errorf("erased: %+v", erased)
	}
	if a := s.call("GET", "/api/audit?eventType=user.erased", "", s.bearer()); !strings.Contains(a.text, erased.UserID) {
		t.Errorf("the trail: %s", a.text)
	}
	if code, out := s.Code("audit", "verify"); code != 0 || !strings.Contains(out, "personal values erased") {
		t.Errorf("audit verify after the erasure: %d, %s", code, out)
	}
	fails(t, s.Program, "nina@quay.example", "user", "erase", "nina@quay.example")

	if _, out := s.Code("doctor"); strings.Contains(out, "backup") {
		t.Errorf("before the first backup: %s", out)
	}
	if out := string(s.Run(t, "backup", "--record")); !strings.Contains(out, "Recorded") {
		t.Errorf("backup --record says %q", out)
	}
	if _, out := s.Code("doctor"); !regexp.MustCompile(`(?m)backup .*the last was made`).MatchString(out) {
		t.Errorf("after the backup: %s", out)
	}
}

// join invites a user who accepts, and returns a function that reports whether that browser's session is valid.
func (s *target) join(email string) (inside func() bool) {
	s.t.Helper()
	var invited struct{ Link string }
	s.Read(s.t, &invited, "user", "invite", email, "--org", s.org, "--role", "MEMBER")
	link, err := url.Parse(invited.Link)
	if err != nil {
		s.t.Fatal(err)
	}
	form := url.Values{"name": {"Nina Quay"}, "password": {"pontoon-gull-42-harbour"}}.Encode()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Post(s.base+link.Path+"/join", "application/x-www-form-urlencoded", strings.NewReader(form))
	if err != nil {
		s.t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusSeeOther || len(response.Cookies()) == 0 {
		s.t.Fatalf("the invitation was answered with %d", response.StatusCode)
	}
	var cookies []string
	for _, c := range response.Cookies() {
		cookies = append(cookies, c.Name+"="+c.Value)
	}
	return func() bool {
		return strings.Contains(s.call("GET", "/settings", "", "Accept: text/html", "Cookie: "+strings.Join(cookies, "; ")).text, email)
	}
}

// Without a database these commands exit with 1 and create nothing.
func TestOperatorCommandsCreateNoDatabase(t *testing.T) {
	t.Parallel()
	p := program.New(t, "", "")
	for _, args := range [][]string{
		{"org", "verify-domain", "--org", "x", "quay.example"}, {"user", "reset-factors", "a@quay.example"}, {"user", "erase", "a@quay.example"}, {"user", "list"}, {"backup", "--record"},
		{"audit", "verify"}, {"retention"}, {"jobs", "list"},
	} {
		fails(t, p, "database", args...)
	}
	left, err := os.ReadDir(p.Data())
	if err != nil || len(left) != 0 {
		t.Errorf("the folder holds %v %v", left, err)
	}
}
