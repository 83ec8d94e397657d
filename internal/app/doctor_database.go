package app

import (
	"context"
	"encoding/base64"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/ops/doctor"
	"github.com/tidewaiter/tidewaiter/internal/platform/clock"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

const databaseName = "database"

// attach opens the database as it is.
func (e *examination) attach(ctx context.Context) []doctor.Check {
	c := e.config
	s, err := store.Attach(ctx, databaseOf(c, e.deps))
	switch {
	case errors.Is(err, fs.ErrNotExist) && c.DatabaseURL == "":
		return []doctor.Check{doctor.Ill(databaseName, "correct --data, restore a backup, or start the service once if it is new", "there is none in %s", c.Data)}
	case err != nil:
		return []doctor.Check{doctor.Ill(databaseName, "see whether it runs, and whether database-url, password and firewall are right", "does not answer: %v", err)}
	}
	e.store = s
	return nil
}

// database judges what holds organisations apart, and how the database is reached.
func (e *examination) database(ctx context.Context) []doctor.Check {
	before := e.deps.Now()
	standing, err := e.store.Standing(ctx)
	after := e.deps.Now()
	if err != nil {
		return []doctor.Check{doctor.Ill(databaseName, "see the database's own log", "does not answer as it should: %v", err)}
	}
	checks := []doctor.Check{doctor.Well(databaseName, "answers in %s", max(time.Millisecond, after.Sub(before).Round(time.Millisecond)))}
	if moving, err := e.store.Moving(ctx); err == nil && moving {
		checks = append(checks, doctor.Ill("database, move", "run the same tidewaiter move again, to its end; nobody is served until then", "a move into it was broken off"))
	}
	if !standing.Local && !standing.Encrypted {
		checks = append(checks, doctor.Worry("database, TLS", "add sslmode=verify-full to database-url, unless the network is this installation's alone", "the connection is not encrypted"))
	}
	if !standing.Clock.IsZero() {
		checks = append(checks, doctor.DatabaseClock(before, standing.Clock, after))
	}
	return append(append(checks, e.time(ctx)...), e.rights(ctx)...)
}

// time judges how far the service's time is from the right one.
func (e *examination) time(ctx context.Context) []doctor.Check {
	const name = "clock, service"
	look, err := e.store.LookAtClock(ctx)
	if err != nil || look.Mark == "" {
		return nil // no service has run here yet, or migrations are behind: that is told below
	}
	mark, err := clock.ReadMark(look.Mark)
	if err != nil {
		return []doctor.Check{doctor.Worry(name, "see what has written the row clock of the table installation", "%v", err)}
	}
	now := look.Reference
	if now.IsZero() {
		now = e.deps.Now()
	}
	ahead := mark.At(now).Sub(now).Round(time.Second)
	if ahead < time.Second {
		return []doctor.Check{doctor.Well(name, "right")}
	}
	return []doctor.Check{doctor.Worry(name, "nothing: it comes right by itself, at half its speed",
		"%s ahead since the clock was put back, and right at %s", ahead, mark.Ends().UTC().Format(time.RFC3339))}
}

// rights refuses a deployment whose walls between organisations the service could
// take down.
func (e *examination) rights(ctx context.Context) []doctor.Check {
	const schema, walls = "database, schema", "database, walls"
	r, err := e.store.Rights(ctx)
	if err != nil {
		return []doctor.Check{doctor.Ill(schema, "run tidewaiter migrate", "it cannot be told how far it is: %v", err)}
	}
	var checks []doctor.Check
	if hosts := e.store.PlainHosts(); len(hosts) > 0 {
		checks = append(checks, doctor.Worry("database, encryption", "use sslmode=verify-full in the database's address", "connections to %s can be read on the way: the address says sslmode=disable", strings.Join(hosts, ", ")))
	}
	switch {
	case r.Schema < r.Newest:
		checks = append(checks, doctor.Ill(schema, "run tidewaiter migrate", "version %d, this program brings %d", r.Schema, r.Newest))
	case r.Schema > r.Newest && r.Floor <= r.Newest:
		checks = append(checks, doctor.Worry(schema, "finish the upgrade, or leave it taken back: this program works with it", "version %d, this program knows %d", r.Schema, r.Newest))
	case r.Schema > r.Newest:
		checks = append(checks, doctor.Ill(schema, "use the newer program", "version %d, this program knows %d", r.Schema, r.Newest))
	default:
		checks = append(checks, doctor.Well(schema, "version %d", r.Schema))
	}
	r.Schema, r.Floor = r.Newest, r.Newest // of which enough has been said
	faults := r.Faults()
	for _, fault := range faults {
		checks = append(checks, doctor.Ill(walls, "give the service a role that owns nothing: tidewaiter migrate --role (docs/operating.md, PostgreSQL)", "%s", fault))
	}
	if len(faults) == 0 && r.Database == "postgres" {
		checks = append(checks, doctor.Well(walls, "row-level security holds the role %s everywhere", r.Role))
	}
	return checks
}

// masterKey judges the key that secrets at rest are sealed with, without making one.
func (e *examination) masterKey(ctx context.Context) []doctor.Check {
	const name = "master key"
	const remedy = "put the key back from where a copy is kept: without it no webhook can be signed and no token read"
	proof, sealed, err := e.proof(ctx)
	if err != nil {
		return []doctor.Check{doctor.Worry(name, "run doctor again when the database is well", "what it has sealed cannot be read: %v", err)}
	}
	path := filepath.Join(e.config.Data, masterFile)
	if e.config.MasterKey == "" {
		_, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist) && sealed:
			return []doctor.Check{doctor.Ill(name, remedy, "%s is not there, and the database holds secrets under it", path)}
		case errors.Is(err, fs.ErrNotExist):
			return []doctor.Check{doctor.Well(name, "none yet; the first start makes it")}
		}
		if private := doctor.Private(name, path); private.Outcome != doctor.OK {
			return []doctor.Check{private}
		}
	}
	sealer, err := masterKey(e.config.MasterKey, e.config.Data)
	if err != nil {
		return []doctor.Check{doctor.Ill(name, remedy, "%v", err)}
	}
	if e.store == nil {
		return []doctor.Check{doctor.Well(name, "there; there is no database to try it on")}
	}
	if !sealed {
		return []doctor.Check{doctor.Well(name, "there, and nothing is sealed yet")}
	}
	if !proves(sealer, proof) {
		return []doctor.Check{doctor.Ill(name, remedy, "it is not the one that the secrets in the database are sealed with")}
	}
	return []doctor.Check{doctor.Well(name, "opens what the database holds")}
}

// proof is what the database's first master key has sealed.
func (e *examination) proof(ctx context.Context) (closed []byte, sealed bool, err error) {
	if e.store == nil {
		return nil, false, nil
	}
	text, found, err := e.store.Settled(ctx, proofName)
	if err != nil || !found {
		return nil, false, err
	}
	closed, err = base64.StdEncoding.DecodeString(text)
	return closed, true, err
}

// How long work may lie before somebody has to look.
const (
	workWorry = 2 * time.Minute
	workIll   = 15 * time.Minute
)

// work judges the queues, the messages of customs that nobody knows, and consents.
func (e *examination) work(ctx context.Context) (checks []doctor.Check) {
	const restart = "see whether an instance runs and what its log says of the queue; the oldest waits since then"
	b, err := e.store.Backlog(ctx, nil)
	grants, failed := e.store.Grants(ctx)
	if err := errors.Join(err, failed); err != nil {
		return []doctor.Check{doctor.Ill("queues", "run tidewaiter migrate, then doctor again", "they cannot be read: %v", err)}
	}
	for _, name := range slices.Sorted(maps.Keys(b.Queues)) {
		q := b.Queues[name]
		checks = append(checks, e.waiting("queue "+name, q.Oldest, restart)...)
		if q.GivenUp > 0 {
			checks = append(checks, doctor.Worry("queue "+name, "see why: tidewaiter jobs list; when that is mended: tidewaiter jobs revive "+name, "%d jobs were given up", q.GivenUp))
		}
	}
	checks = append(checks, e.waiting("webhooks", b.Deliveries.Oldest, restart)...)
	if len(checks) == 0 {
		checks = append(checks, doctor.Well("queues", "nothing lies about"))
	}
	return append(append(checks, inbox(b.Inbox)...), e.grants(grants)...)
}

func (e *examination) waiting(name string, waits time.Duration, remedy string) []doctor.Check {
	waits = waits.Round(time.Second)
	switch {
	case waits >= workIll:
		return []doctor.Check{doctor.Ill(name, remedy, "work waits for %s, since %s", waits, e.deps.Now().Add(-waits).UTC().Format(time.RFC3339))}
	case waits >= workWorry:
		return []doctor.Check{doctor.Worry(name, remedy, "work waits for %s", waits)}
	}
	return nil
}

func inbox(unsettled map[string]int) []doctor.Check {
	const name = "messages from customs"
	const remedy = "look at them: tidewaiter customs, and docs/operating.md; customs does not send them again"
	unreadable, unmatched := unsettled["unreadable"], unsettled["unmatched"]
	if unreadable+unmatched == 0 {
		return []doctor.Check{doctor.Well(name, "every one was read, and belongs to a submission")}
	}
	return []doctor.Check{doctor.Worry(name, remedy, "%d could not be read, %d belong to no known submission", unreadable, unmatched)}
}

// grants judges the connections to Making Tax Digital that end first; those which are
// well for long go without a word.
func (e *examination) grants(all []store.Grant) (checks []doctor.Check) {
	const name = "consent, making tax digital"
	for _, g := range all {
		renew := "an OWNER of the organisation " + string(g.Org) + " connects it to HMRC again"
		check := doctor.Consent(name, g.Given, e.deps.Now(), renew)
		if g.Lapsed {
			check = doctor.Ill(name, renew, "organisation %s: HMRC does not take it any longer", g.Org)
		}
		if check.Outcome != doctor.OK {
			check.Finding = "organisation " + string(g.Org) + ": " + check.Finding
			checks = append(checks, check)
		}
	}
	if len(all) > 0 && checks == nil {
		checks = append(checks, doctor.Well(name, "%d connections, none of which ends soon", len(all)))
	}
	return checks
}
