package store

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// parameters collects the values of a statement from $2 on.
type parameters []any

// add adds a value and returns its name.
func (p *parameters) add(value any) string {
	*p = append(*p, value)
	return fmt.Sprintf("$%d", len(*p)+1)
}

// list adds values and returns their names with commas between them.
func (p *parameters) list(values []string) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = p.add(v)
	}
	return strings.Join(names, ", ")
}

const clientTally = "SELECT CAST(client_id AS TEXT), ledger, month, records, amount FROM client_tallies WHERE org_id = $1 AND "

// ClientTallies returns the sums of ledgers for the records of some clients.
func (t *Tx) ClientTallies(q filing.ClientTallies) ([]filing.ClientTally, error) {
	if len(q.ClientIDs) == 0 || len(q.Ledgers) == 0 {
		return nil, nil
	}
	var args parameters
	query := clientTally + "client_id IN (" + args.list(q.ClientIDs) + ") AND ledger IN (" + args.list(q.Ledgers) + ") AND month >= " + args.add(q.FromMonth) +
		" AND month <= " + args.add(q.ToMonth) + " AND records > 0 ORDER BY month DESC, ledger, client_id"
	return t.clientTallies(query, args)
}

// LeadingClients returns the clients with the largest amounts of a ledger in each month.
func (t *Tx) LeadingClients(ledger string, months []string, each int) ([]filing.ClientTally, error) {
	if len(months) == 0 {
		return nil, nil
	}
	var args parameters
	parts := make([]string, len(months))
	of, limit := args.add(ledger), args.add(each)
	for i, month := range months {
		parts[i] = fmt.Sprintf("SELECT * FROM (%sledger = %s AND month = %s AND amount > 0 ORDER BY amount DESC, client_id DESC LIMIT %s%s) AS b%d", clientTally, of, args.add(month), limit, computed, i)
	}
	return t.clientTallies(strings.Join(parts, " UNION ALL "), args)
}

func (t *Tx) clientTallies(query string, args []any) (all []filing.ClientTally, err error) {
	err = t.rows(query, args, func(r engine.Row) error {
		var a filing.ClientTally
		err := r.Scan(&a.ClientID, &a.Ledger, &a.Month, &a.Records, &a.Amount)
		all = append(all, a)
		return err
	})
	return all, wrapError("tallies of clients", err)
}

// PostedCounts returns the numbers of entries of a ledger by period and amount. It reads one range of an index that covers it
// for each period.
func (t *Tx) PostedCounts(ledger string, periods []filing.Period, bounds []int64) ([][]int64, error) {
	if len(periods) == 0 {
		return nil, nil
	}
	var args parameters
	of, sums := args.add(ledger), ""
	for _, bound := range bounds {
		sums += ", COALESCE(sum(CASE WHEN amount < " + args.add(bound) + " THEN 1 ELSE 0 END), 0)"
	}
	parts := make([]string, len(periods))
	for i, p := range periods {
		parts[i] = fmt.Sprintf("SELECT %d AS place, count(*)%s FROM postings WHERE org_id = $1 AND ledger = %s AND posted_at >= %s AND posted_at < %s",
			i, sums, of, args.add(instant(p.From)), args.add(instant(p.Until)))
	}
	counts := make([][]int64, len(periods))
	err := t.rows(strings.Join(parts, " UNION ALL "), args, func(r engine.Row) error {
		var place int
		below := make([]int64, len(bounds)+1) // all first, then those below each bound
		into := []any{&place}
		for i := range below {
			into = append(into, &below[i])
		}
		err := r.Scan(into...)
		counts[place] = between(below)
		return err
	})
	return counts, wrapError("counts of a ledger", err)
}

// between returns the numbers between bounds, from the number of all and those below each bound.
func between(below []int64) []int64 {
	all, numbers, last := below[0], make([]int64, 0, len(below)), int64(0)
	for _, n := range append(below[1:len(below):len(below)], all) {
		numbers, last = append(numbers, n-last), n
	}
	return numbers
}
