package conformance

import (
	"bytes"
	"encoding/base64"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A signing secret is shown once and never stored in plain text: not in a later answer, an audit event, a log
// line, a file of the data folder, or the database.
func TestSigningSecretIsShownOnce(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		p := serve(t, b, allowPrivate, "TIDEWAITER_LOG_LEVEL=debug")
		c, r := p.organisation("A"), receive(t)
		made := c.call("POST", endpoints, map[string]any{"url": r.URL}, "Idempotency-Key", "secret-create").want(t, 200)
		path := endpoints + "/" + made.in("endpoint", "id").(string)
		rotated := c.call("POST", path+"/rotate-secret", nil, "Idempotency-Key", "secret-rotate").want(t, 200)
		secrets := []string{made.in("endpoint", "secret").(string), rotated.in("endpoint", "secret").(string)}
		c.call("POST", path+"/test", nil).want(t, 200)
		r.arrive(t, 1)
		var output bytes.Buffer
		for _, a := range []answer{
			c.call("GET", endpoints, nil), c.call("GET", path, nil), c.call("PATCH", path, `{"description":"x"}`), c.call("GET", path+"/deliveries", nil),
			c.call("GET", "/api/audit?limit=200", nil), c.call("GET", "/api/webhooks/event-types", nil),
		} {
			output.WriteString(a.want(t, 200).text)
		}
		output.Write(r.arrivals()[0].text)
		output.WriteString(p.Log.String())
		output.Write(contents(t, b.Folder))
		output.Write(dump(t, b))
		if !bytes.Contains(output.Bytes(), []byte("secret-create")) || !strings.Contains(output.String(), made.in("endpoint", "id").(string)) {
			t.Fatal("the searched bytes do not contain the data")
		}
		for _, secret := range secrets {
			text := strings.TrimPrefix(secret, "whsec_")
			key, err := base64.StdEncoding.DecodeString(text)
			if err != nil || len(key) != 32 {
				t.Fatalf("%d bytes, %v", len(key), err)
			}
			for _, trace := range [][]byte{[]byte(text), []byte(text[:16]), key, []byte(base64.StdEncoding.EncodeToString([]byte(secret)))} {
				if bytes.Contains(output.Bytes(), trace) {
					t.Errorf("the secret is in: %q", trace)
				}
			}
		}
	})
}

// contents are the bytes of every file of a folder.
func contents(t *testing.T, folder string) (all []byte) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		all = append(all, text...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// dump is every row of a PostgreSQL database, read as its superuser.
func dump(t *testing.T, b storetest.Backend) []byte {
	t.Helper()
	if b.URL == "" {
		return nil
	}
	name := b.URL[strings.LastIndex(b.URL, "/"):]
	name, _, _ = strings.Cut(name, "?")
	address := os.Getenv(storetest.PostgresVariable)
	at := strings.Index(address, "://") + len("://")
	rest := address[at:]
	_, query, _ := strings.Cut(rest, "?")
	host, _, _ := strings.Cut(rest, "/")
	out, err := exec.Command("pg_dump", "--data-only", "--inserts", address[:at]+host+name+"?"+query).Output()
	if err != nil {
		t.Skipf("pg_dump is not installed: %v", err)
	}
	return out
}

// Another organisation's events never reach an endpoint, whatever it subscribes to.
func TestForeignEventsNeverArrive(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		mine, theirs := p.organisation("A"), p.organisation(canary)
		ours, others := receive(t), receive(t)
		mine.endpoint(ours.URL)
		mine.endpoint(ours.URL, "*")
		theirs.endpoint(others.URL)
		records := theirs.createAllKinds()
		theirs.submit(records["declaration"])
		own := mine.client()
		others.arrive(t, len(records))
		time.Sleep(100 * time.Millisecond)
		got := ours.arrive(t, 2)
		for _, d := range got {
			if d.body["organisationId"] != mine.org || bytes.Contains(d.text, []byte(canary)) || !bytes.Contains(d.text, []byte(own)) {
				t.Errorf("arrived: %s", d.text)
			}
		}
		for _, d := range others.arrivals() {
			if d.body["organisationId"] != theirs.org || bytes.Contains(d.text, []byte(own)) {
				t.Errorf("the other organisation's: %s", d.text)
			}
		}
	}, allowPrivate)
}
