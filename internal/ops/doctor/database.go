package doctor

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/ops/doctor/check"
	"github.com/tidewaiter/tidewaiter/internal/ops/masterkey"
	"github.com/tidewaiter/tidewaiter/internal/platform/clock"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

const databaseName = "database"

// attach opens the database without migrating it.
func (e *examination) attach(ctx context.Context) []check.Result {
	c := e.config
	s, err := store.Attach(ctx, e.env.Database(c))
	switch {
	case errors.Is(err, fs.ErrNotExist) && c.DatabaseURL == "":
		return []check.Result{check.Failed(databaseName, "correct --data, restore a backup, or start the service once if it is new", "there is none in %s", c.Data)}
	case err != nil:
		return []check.Result{check.Failed(databaseName, "check that it runs, and database-url, password and firewall", "does not answer: %v", err)}
	}
	e.store = s
	return nil
}

// database checks the connection, the clocks, the schema and what isolates organisations.
func (e *examination) database(ctx context.Context) []check.Result {
	before := e.env.Now()
	status, err := e.store.ConnectionState(ctx)
	after := e.env.Now()
	if err != nil {
		return []check.Result{check.Failed(databaseName, "read the database's own log", "answers with an error: %v", err)}
	}
	results := []check.Result{check.Passed(databaseName, "answers in %s", max(time.Millisecond, after.Sub(before).Round(time.Millisecond)))}
	if moving, err := e.store.Moving(ctx); err == nil && moving {
		results = append(results, check.Failed("database, move", "run the same tidewaiter move again until it has finished; the service cannot start before", "a move into it was interrupted"))
	}
	if !status.Local && !status.Encrypted {
		results = append(results, check.Warning("database, TLS", "add sslmode=verify-full to database-url, unless only this installation uses the network", "the connection is not encrypted"))
	}
	if !status.Clock.IsZero() {
		results = append(results, check.DatabaseClock(before, status.Clock, after))
	}
	return append(append(results, e.serviceClock(ctx)...), e.databasePrivileges(ctx)...)
}

// serviceClock checks how far the time of the service is ahead after a clock was set back.
func (e *examination) serviceClock(ctx context.Context) []check.Result {
	const name = "clock, service"
	look, err := e.store.ReadClock(ctx)
	if err != nil || look.Mark == "" {
		return nil // no service has run yet, or a migration is missing, which the schema check reports
	}
	mark, err := clock.ReadMark(look.Mark)
	if err != nil {
		return []check.Result{check.Warning(name, "find out what wrote the row clock of the table installation", "%v", err)}
	}
	now := look.Reference
	if now.IsZero() {
		now = e.env.Now()
	}
	ahead := mark.At(now).Sub(now).Round(time.Second)
	if ahead < time.Second {
		return []check.Result{check.Passed(name, "correct")}
	}
	return []check.Result{check.Warning(name, "no action needed: until then the service's time runs at half speed",
		"%s ahead since the clock was set back, correct again at %s", ahead, mark.Ends().UTC().Format(time.RFC3339))}
}

// databasePrivileges checks that the service's role cannot switch off what isolates organisations from each other.
func (e *examination) databasePrivileges(ctx context.Context) []check.Result {
	const schema, isolation = "database, schema", "database, walls"
	r, err := e.store.Rights(ctx)
	if err != nil {
		return []check.Result{check.Failed(schema, "run tidewaiter migrate", "its version cannot be read: %v", err)}
	}
	var results []check.Result
	if hosts := e.store.PlainHosts(); len(hosts) > 0 {
		results = append(results, check.Warning("database, encryption", "use sslmode=verify-full in the database's address", "connections to %s are not encrypted: the address has sslmode=disable", strings.Join(hosts, ", ")))
	}
	switch {
	case r.Schema < r.Newest:
		results = append(results, check.Failed(schema, "run tidewaiter migrate", "version %d, this program needs %d", r.Schema, r.Newest))
	case r.Schema > r.Newest && r.Floor <= r.Newest:
		results = append(results, check.Warning(schema, "finish the upgrade, or stay with this program, which works with it", "version %d, this program knows %d", r.Schema, r.Newest))
	case r.Schema > r.Newest:
		results = append(results, check.Failed(schema, "use the newer program", "version %d, this program knows %d", r.Schema, r.Newest))
	default:
		results = append(results, check.Passed(schema, "version %d", r.Schema))
	}
	r.Schema, r.Floor = r.Newest, r.Newest // reported above
	faults := r.Faults()
	for _, fault := range faults {
		results = append(results, check.Failed(isolation, "give the service a role that owns no tables: tidewaiter migrate --role (docs/operating.md, PostgreSQL)", "%s", fault))
	}
	if len(faults) == 0 && r.Database == "postgres" {
		results = append(results, check.Passed(isolation, "row-level security applies to the role %s on all tables", r.Role))
	}
	return results
}

// masterKey checks the key that encrypts secrets at rest, without creating one.
func (e *examination) masterKey(ctx context.Context) []check.Result {
	const name = "master key"
	const remedy = "restore the key from its copy: without it webhooks cannot be signed and tokens cannot be read"
	unused := true
	if e.store != nil {
		state, err := masterkey.StateOf(ctx, e.store, nil)
		if err != nil {
			return []check.Result{check.Warning(name, "run doctor again when the database works", "the database's secrets cannot be read: %v", err)}
		}
		unused = state == masterkey.Unused
	}
	path := filepath.Join(e.config.Data, masterkey.File)
	if e.config.MasterKey == "" {
		_, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist) && !unused:
			return []check.Result{check.Failed(name, remedy, "%s does not exist, and the database contains secrets encrypted with it", path)}
		case errors.Is(err, fs.ErrNotExist):
			return []check.Result{check.Passed(name, "none yet; the first start creates it")}
		}
		if private := check.Private(name, path); private.Outcome != check.OK {
			return []check.Result{private}
		}
	}
	key, err := masterkey.Open(e.config)
	if err != nil {
		return []check.Result{check.Failed(name, remedy, "%v", err)}
	}
	if e.store == nil {
		return []check.Result{check.Passed(name, "valid; there is no database to try it on")}
	}
	state, err := masterkey.StateOf(ctx, e.store, key)
	switch {
	case err != nil:
		return []check.Result{check.Warning(name, "run doctor again when the database works", "the database's secrets cannot be read: %v", err)}
	case state == masterkey.Unused:
		return []check.Result{check.Passed(name, "valid, and nothing is encrypted yet")}
	case state != masterkey.Right:
		return []check.Result{check.Failed(name, remedy, "it is not the key that encrypted the secrets in the database")}
	}
	return []check.Result{check.Passed(name, "decrypts the database's secrets")}
}

// Limits of the age of work that is due.
const (
	backlogWarn = 2 * time.Minute
	backlogFail = 15 * time.Minute
)

// backlog checks the queues, CDS messages that match no submission, and consents.
func (e *examination) backlog(ctx context.Context) (results []check.Result) {
	const remedy = "check that an instance runs, and what its log says about the queue"
	b, err := e.store.Backlog(ctx, nil)
	grants, failed := e.store.Grants(ctx)
	if err := errors.Join(err, failed); err != nil {
		return []check.Result{check.Failed("queues", "run tidewaiter migrate, then doctor again", "they cannot be read: %v", err)}
	}
	for _, name := range slices.Sorted(maps.Keys(b.Queues)) {
		q := b.Queues[name]
		results = append(results, e.waiting("queue "+name, q.Oldest, remedy)...)
		if q.GivenUp > 0 {
			results = append(results, check.Warning("queue "+name, "find the cause with tidewaiter jobs list; when it is corrected, run tidewaiter jobs revive "+name, "%d jobs have failed", q.GivenUp))
		}
	}
	results = append(results, e.waiting("webhooks", b.Deliveries.Oldest, remedy)...)
	if len(results) == 0 {
		results = append(results, check.Passed("queues", "no work is late"))
	}
	return append(append(results, inbox(b.Inbox)...), e.grants(grants)...)
}

func (e *examination) waiting(name string, age time.Duration, remedy string) []check.Result {
	age = age.Round(time.Second)
	switch {
	case age >= backlogFail:
		return []check.Result{check.Failed(name, remedy, "the oldest work has been due for %s, since %s", age, e.env.Now().Add(-age).UTC().Format(time.RFC3339))}
	case age >= backlogWarn:
		return []check.Result{check.Warning(name, remedy, "the oldest work has been due for %s", age)}
	}
	return nil
}

func inbox(counts map[string]int) []check.Result {
	const name = "messages from customs"
	const remedy = "read them with tidewaiter customs (docs/operating.md); CDS does not send them again"
	unreadable, unmatched := counts["unreadable"], counts["unmatched"]
	if unreadable+unmatched == 0 {
		return []check.Result{check.Passed(name, "all were read, and belong to a submission")}
	}
	return []check.Result{check.Warning(name, remedy, "%d cannot be read, %d belong to no known submission", unreadable, unmatched)}
}

// grants checks the connections to Making Tax Digital, and reports those that end soon.
func (e *examination) grants(all []store.Grant) (results []check.Result) {
	const name = "consent, making tax digital"
	for _, g := range all {
		remedy := "let an OWNER of the organisation " + string(g.Org) + " connect it to HMRC again"
		r := check.Consent(name, g.Given, e.env.Now(), remedy)
		if g.Lapsed {
			r = check.Failed(name, remedy, "HMRC no longer accepts it")
		}
		if r.Outcome != check.OK {
			r.Finding = "organisation " + string(g.Org) + ": " + r.Finding
			results = append(results, r)
		}
	}
	if len(all) > 0 && results == nil {
		results = append(results, check.Passed(name, "%d connections, none of which ends soon", len(all)))
	}
	return results
}
