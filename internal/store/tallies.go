package store

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// commit is the state that the transactions of one commit share.
type commit struct {
	heads   map[tenant.ID]head
	tallies tallies
	counted counted
	queued  []string // queues that have got jobs to be done now
}

func newCommit() *commit { return &commit{heads: map[tenant.ID]head{}} }

// Fork returns a commit that shares what was read.
func (c *commit) Fork() engine.Batch { return &commit{heads: c.heads} }

// Join adds what a forked commit has collected.
func (c *commit) Join(forked engine.Batch) {
	f := forked.(*commit)
	c.tallies.addAll(&f.tallies)
	c.counted.addAll(f.counted)
	c.queued = append(c.queued, f.queued...)
}

// Forget drops what was read.
func (c *commit) Forget() { clear(c.heads) }

// Write stores the tallies and what was counted.
func (c *commit) Write(q engine.Conn) error {
	if err := c.tallies.write(q); err != nil {
		return err
	}
	return c.counted.write(q)
}

// Queues returns the queues with new jobs.
func (c *commit) Queues() []string { return c.queued }

// tallies are the changes to the counts of records, ledgers and deliveries. They are collected
// for a whole commit, so that each count is written once per commit.
type tallies map[tallyKey]filing.Sum

// tallied are the changes of one transaction to the counts, in order.
type tallied []tally

type tally struct {
	tallyKey
	filing.Sum
}

func (t *tallied) add(k tallyKey, records, amount int64) {
	*t = append(*t, tally{k, filing.Sum{Records: records, Amount: amount}})
}

// tallyKey is a row of one of the four tables.
type tallyKey struct {
	statement string
	org       tenant.ID
	of        string // kind, ledger or day
	status    string // none of a ledger; the client of a client's ledger
	month     string // none of deliveries
}

const (
	tallyFilings = "INSERT INTO filing_tallies (org_id, kind, status, month, records) VALUES ($1, $2, $3, $4, $5) " +
		"ON CONFLICT (org_id, kind, status, month) DO UPDATE SET records = filing_tallies.records + excluded.records"
	tallyLedger = "INSERT INTO ledger_tallies (org_id, ledger, month, records, amount) VALUES ($1, $2, $3, $4, $5) " +
		"ON CONFLICT (org_id, ledger, month) DO UPDATE SET records = ledger_tallies.records + excluded.records, " +
		"amount = CASE WHEN ledger_tallies.amount BETWEEN -4000000000000000000 AND 4000000000000000000 " +
		"THEN ledger_tallies.amount + excluded.amount ELSE ledger_tallies.amount END"
	tallyClient = "INSERT INTO client_tallies (org_id, ledger, client_id, month, records, amount) VALUES ($1, $2, $3, $4, $5, $6) " +
		"ON CONFLICT (org_id, client_id, ledger, month) DO UPDATE SET records = client_tallies.records + excluded.records, " +
		"amount = CASE WHEN client_tallies.amount BETWEEN -4000000000000000000 AND 4000000000000000000 " +
		"THEN client_tallies.amount + excluded.amount ELSE client_tallies.amount END"
	tallyDeliveries = "INSERT INTO delivery_tallies (org_id, day, outcome, deliveries) VALUES ($1, $2, $3, $4) " +
		"ON CONFLICT (org_id, day, outcome) DO UPDATE SET deliveries = delivery_tallies.deliveries + excluded.deliveries"
)

// maxTallied is the most that one commit adds to or subtracts from a ledger's month. With it and
// the bounds of the statement, no sum overflows and no change fails because of it.
const maxTallied = 4_000_000_000_000_000_000

func (t *tallies) add(k tallyKey, records, amount int64) {
	if *t == nil {
		*t = tallies{}
	}
	s := (*t)[k]
	(*t)[k] = filing.Sum{Records: s.Records + records, Amount: addLimited(s.Amount, amount)}
}

// addLimited adds amounts, limited to maxTallied.
func addLimited(a, b int64) int64 {
	b = max(-maxTallied, min(maxTallied, b))
	return max(-maxTallied, min(maxTallied, a+b))
}

// filing counts a change of a record.
func (t *tallied) filing(org tenant.ID, c *filing.Change) {
	from, to := c.Event.FromStatus, string(c.Filing.Status)
	month := monthOf(c.Filing.CreatedAt)
	key := func(status string) tallyKey { return tallyKey{tallyFilings, org, c.Filing.Kind, status, month} }
	switch {
	case c.Filing.Version == 1:
		t.add(key(to), 1, 0)
	case c.Deleted:
		t.add(key(from), -1, 0)
	case from != to && from != "":
		t.add(key(from), -1, 0)
		t.add(key(to), 1, 0)
	}
}

// posting adds a ledger entry of a client's record to the counts, or subtracts it if it is removed. The client may be empty.
func (t *tallied) posting(org tenant.ID, p filing.Posting, client string, times int64) {
	amount := max(-maxTallied, min(maxTallied, p.Amount))
	t.add(tallyKey{statement: tallyLedger, org: org, of: p.Ledger, month: monthOf(p.At)}, times, times*amount)
	t.ofClient(org, p, client, times)
}

// ofClient adds a ledger entry to the counts of a client, or subtracts it.
func (t *tallied) ofClient(org tenant.ID, p filing.Posting, client string, times int64) {
	if client == "" {
		return
	}
	amount := max(-maxTallied, min(maxTallied, p.Amount))
	t.add(tallyKey{statement: tallyClient, org: org, of: p.Ledger, status: client, month: monthOf(p.At)}, times, times*amount)
}

// delivery counts an attempt. If two instances finish the same one, both count it.
func (t *tallied) delivery(org tenant.ID, d *webhook.Delivery, at time.Time) {
	t.add(tallyKey{statement: tallyDeliveries, org: org, of: dayOf(at), status: string(d.Status)}, 1, 0)
}

func monthOf(t time.Time) string { return t.In(calendar.London()).Format("2006-01") }

func dayOf(t time.Time) string { return t.In(calendar.London()).Format(time.DateOnly) }

// addTallied adds what a transaction has collected.
func (t *tallies) addTallied(more tallied) {
	for i := range more {
		t.add(more[i].tallyKey, more[i].Records, more[i].Amount)
	}
}

// addAll adds what other transactions have collected.
func (t *tallies) addAll(more *tallies) {
	for k, s := range *more {
		t.add(k, s.Records, s.Amount)
	}
}

// write stores the counts in a fixed order, so that two commits cannot deadlock.
func (t tallies) write(q engine.Conn) error {
	for _, k := range slices.SortedFunc(maps.Keys(t), compareTallies) {
		s := t[k]
		args := []any{string(k.org), k.of}
		switch k.statement {
		case tallyFilings:
			args = append(args, k.status, k.month, s.Records)
		case tallyLedger:
			args = append(args, k.month, s.Records, s.Amount)
		case tallyClient:
			args = append(args, k.status, k.month, s.Records, s.Amount)
		case tallyDeliveries:
			args = append(args, k.status, s.Records)
		}
		if s == (filing.Sum{}) {
			continue
		}
		checkScope(k.statement)
		if err := q.ExecDeferred(k.statement, args); err != nil {
			return fmt.Errorf("store: tally of %s: %w", k.of, err)
		}
	}
	return nil
}

func compareTallies(a, b tallyKey) int {
	return cmp.Or(cmp.Compare(a.statement, b.statement), cmp.Compare(a.org, b.org), cmp.Compare(a.of, b.of), cmp.Compare(a.status, b.status), cmp.Compare(a.month, b.month))
}

// FilingTallies returns the number of records by kind, status and month.
func (t *Tx) FilingTallies() (all []filing.Tally, err error) {
	err = t.rows("SELECT kind, status, month, records FROM filing_tallies WHERE org_id = $1 AND records > 0 ORDER BY kind, status, month", nil, func(r engine.Row) error {
		var a filing.Tally
		err := r.Scan(&a.Kind, &a.Status, &a.Month, &a.Records)
		all = append(all, a)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: tallies of filings: %w", err)
	}
	return all, nil
}

// StatusCounts returns the number of records by kind and status.
func (t *Tx) StatusCounts() (all []filing.Tally, err error) {
	err = t.rows("SELECT kind, status, CAST(sum(records) AS BIGINT) FROM filing_tallies WHERE org_id = $1 GROUP BY kind, status", nil, func(r engine.Row) error {
		var a filing.Tally
		err := r.Scan(&a.Kind, &a.Status, &a.Records)
		all = append(all, a)
		return err
	})
	return all, wrapError("counts by status", err)
}

// RecordCounts returns the number of records by kind. Records that were removed for their age still count.
func (t *Tx) RecordCounts() (map[string]int64, error) {
	counts := map[string]int64{}
	err := t.rows("SELECT kind, CAST(sum(records) AS BIGINT) FROM filing_tallies WHERE org_id = $1 GROUP BY kind", nil, func(r engine.Row) error {
		var kind string
		var n int64
		err := r.Scan(&kind, &n)
		counts[kind] = n
		return err
	})
	return counts, wrapError("record counts", err)
}

// LedgerTallies returns the sums of ledgers by ledger and month.
func (t *Tx) LedgerTallies(ledgers []string, fromMonth, toMonth string) ([]filing.LedgerTally, error) {
	if len(ledgers) == 0 {
		return nil, nil
	}
	args := parameters{fromMonth, toMonth}
	return t.ledgerTallies("month >= $2 AND month <= $3 AND ledger IN ("+args.list(ledgers)+")", args)
}

// LedgersBetween returns the sums of the ledgers with names from one to another, by ledger and month.
func (t *Tx) LedgersBetween(first, last, fromMonth, toMonth string) ([]filing.LedgerTally, error) {
	return t.ledgerTallies("month >= $2 AND month <= $3 AND ledger >= $4 AND ledger <= $5", []any{fromMonth, toMonth, first, last})
}

func (t *Tx) ledgerTallies(condition string, args []any) (all []filing.LedgerTally, err error) {
	err = t.rows("SELECT ledger, month, records, amount FROM ledger_tallies WHERE org_id = $1 AND "+condition+" ORDER BY ledger, month", args, func(r engine.Row) error {
		var a filing.LedgerTally
		err := r.Scan(&a.Ledger, &a.Month, &a.Records, &a.Amount)
		all = append(all, a)
		return err
	})
	return all, wrapError("tallies of ledgers", err)
}

// DeliveryTallies returns the outcomes of attempts from a day on, by day and outcome.
func (t *Tx) DeliveryTallies(fromDay string) (all []webhook.DayCount, err error) {
	err = t.rows("SELECT day, outcome, deliveries FROM delivery_tallies WHERE org_id = $1 AND day >= $2 ORDER BY day, outcome", []any{fromDay}, func(r engine.Row) error {
		var a webhook.DayCount
		err := r.Scan(&a.Day, &a.Outcome, &a.Attempts)
		all = append(all, a)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: tallies of deliveries: %w", err)
	}
	return all, nil
}
