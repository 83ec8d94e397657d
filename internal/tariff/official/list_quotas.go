package official

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
)

// Columns of the publisher's table of quotas.
var (
	quotaColumns = []string{
		"quota__order_number", "quota_definition__validity_start_date", "quota_definition__validity_end_date", "quota_definition__status",
		"quota_definition__initial_volume", "quota_definition__balance", "quota__measurement_unit",
	}
	quotaMayColumns = []string{
		"quota_definition__suspension_periods", "quota_definition__blocking_periods", "quota_definition__last_allocation_date",
	}
)

// Cells of a row of the list of quotas.
const (
	quotaOrder = iota
	quotaFrom
	quotaTo
	quotaStatus
	quotaInitial
	quotaBalance
	quotaUnit
	quotaSuspended // periods such as 2022-05-01;2022-06-01, joined with |
	quotaBlocked
	quotaAllocated
	quotaCells
)

var (
	errOrder   = errors.New("must be an order number of five or six digits")
	errStatus  = errors.New("must be Open, Critical, Exhausted, Suspended, Blocked, Closed or Future")
	errVolume  = errors.New("must be a number")
	errPeriods = errors.New("must have the form 2022-05-01;2022-06-01")
)

// quotas reads the publisher's table of quotas.
type quotas struct {
	read
	today string
}

func newQuotas(r reading) tableReader {
	return &quotas{read{kind: Quotas.of(r.service)}, r.today}
}

func (q *quotas) take(cells []string, _ int) error {
	row, err := quotaRow(cells)
	if err != nil {
		return err
	}
	if len(q.rows) == maxKept {
		return errManyKept
	}
	q.newest = newer(q.newest, row[quotaAllocated], q.today)
	q.rows = append(q.rows, row)
	return nil
}

func (q *quotas) tables(f *rowErrors) []read {
	if len(q.rows) == 0 {
		f.addIfEmpty()
	}
	return []read{q.read}
}

// quotaRow checks a row, and writes its days as YYYY-MM-DD.
func quotaRow(cells []string) (row []string, err error) {
	for _, cell := range cells {
		row = append(row, clone(cell))
	}
	if len(row[quotaOrder]) == 5 {
		row[quotaOrder] = "0" + row[quotaOrder]
	}
	if len(row[quotaOrder]) != 6 || !isDigits(row[quotaOrder]) {
		return nil, fmt.Errorf("%q: %w", cells[quotaOrder], errOrder)
	}
	row[quotaFrom], row[quotaTo], row[quotaAllocated] = written(row[quotaFrom]), written(row[quotaTo]), written(row[quotaAllocated])
	_, err = parseQuota(row)
	if row[quotaAllocated] != "" {
		_, failed := day(row[quotaAllocated])
		err = errors.Join(err, failed)
	}
	if err != nil {
		return nil, fmt.Errorf("order number %s: %w", row[quotaOrder], err)
	}
	return row, nil
}

// written writes a day such as 31/12/2021, or an instant, as YYYY-MM-DD; another text stays as it is.
func written(text string) string {
	if t, err := time.Parse("02/01/2006", text); err == nil {
		return t.Format(time.DateOnly)
	}
	date, _, _ := strings.Cut(text, "T")
	return date
}

// states are the statuses of quotas as they are written; Closed and Future are about the period.
var states = map[string]string{
	"OPEN": measure.QuotaOpen, "CRITICAL": measure.QuotaCritical, "EXHAUSTED": measure.QuotaExhausted, "SUSPENDED": measure.QuotaSuspended,
	"BLOCKED": measure.QuotaBlocked, "REOPENED": measure.QuotaOpen, "UNBLOCKED": measure.QuotaOpen, "UNSUSPENDED": measure.QuotaOpen,
	"CLOSED": measure.QuotaOpen, "FUTURE": measure.QuotaOpen,
}

// parseQuota reads a row of the list of quotas.
func parseQuota(row []string) (q measure.Quota, err error) {
	from, to, err := period(row[quotaFrom], row[quotaTo])
	if err != nil {
		return q, err
	}
	q.Order = row[quotaOrder]
	q.From, _ = measure.ParseDay(from)
	if to != "" {
		q.To, _ = measure.ParseDay(to)
	}
	if q.Status = states[strings.ToUpper(row[quotaStatus])]; q.Status == "" {
		return q, fmt.Errorf("status %q: %w", row[quotaStatus], errStatus)
	}
	q.Unit = measure.QuotaUnit(row[quotaUnit])
	for _, volume := range []struct {
		to   **big.Rat
		cell int
	}{{&q.Initial, quotaInitial}, {&q.Balance, quotaBalance}} {
		if *volume.to, err = parseVolume(row[volume.cell]); err != nil {
			return q, err
		}
	}
	if q.Suspended, err = parsePeriods(row[quotaSuspended]); err != nil {
		return q, err
	}
	q.Blocked, err = parsePeriods(row[quotaBlocked])
	if q.Balance != nil && q.Balance.Sign() == 0 {
		q.Status = measure.QuotaExhausted
	}
	return q, err
}

// parseVolume reads a quantity; nil for none.
func parseVolume(text string) (*big.Rat, error) {
	text = strings.ReplaceAll(text, ",", "")
	if text == "" {
		return nil, nil
	}
	volume, ok := measure.ParseAmount(text)
	if !ok {
		return nil, fmt.Errorf("%q %w", text, errVolume)
	}
	return volume, nil
}

func parsePeriods(text string) (all []measure.Period, err error) {
	if text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, "|") {
		first, last, ok := strings.Cut(part, ";")
		from, err := measure.ParseDay(strings.TrimSpace(first))
		to, failed := measure.ParseDay(strings.TrimSpace(last))
		if !ok || err != nil || failed != nil {
			return nil, fmt.Errorf("%q: %w", part, errPeriods)
		}
		if p := (measure.Period{From: from, To: to}); len(all) == 0 || all[len(all)-1] != p {
			all = append(all, p)
		}
	}
	return all, nil
}

// answeredQuota reads a period of a quota as HMRC's tariff service answers it.
func answeredQuota(e entry) ([]string, error) {
	var q struct {
		Attributes struct {
			Order string `json:"quota_order_number_id"`
			recording.Definition
		} `json:"attributes"`
	}
	if err := e.of(&q); err != nil {
		return nil, err
	}
	a := &q.Attributes
	status, not := strings.CutPrefix(orEmpty(a.Status), "Not ") // "Not blocked", "Not exhausted" in old answers
	if not {
		status = "Open"
	}
	row := make([]string, quotaCells)
	row[quotaOrder], row[quotaFrom], row[quotaTo], row[quotaStatus] = a.Order, a.From, orEmpty(a.To), status
	row[quotaInitial], row[quotaBalance], row[quotaUnit] = orEmpty(a.Initial), orEmpty(a.Balance), orEmpty(a.Unit)
	row[quotaAllocated] = orEmpty(a.Allocated)
	row[quotaSuspended], row[quotaBlocked] = periodText(a.SuspendedFrom, a.SuspendedTo), periodText(a.BlockedFrom, a.BlockedTo)
	return quotaRow(row)
}

func periodText(from, to *string) string {
	if from == nil || to == nil {
		return ""
	}
	return written(*from) + ";" + written(*to)
}

// quotasOf are the quotas of the rows of their list, with the day of their balances.
func quotasOf(rows [][]string, asOf measure.Day) (all []measure.Quota, err error) {
	for _, row := range rows {
		q, err := parseQuota(row)
		if err != nil {
			return nil, fmt.Errorf("official: quota %s: %w", row[quotaOrder], err)
		}
		q.AsOf = asOf
		all = append(all, q)
	}
	return all, nil
}
