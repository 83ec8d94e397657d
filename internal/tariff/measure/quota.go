package measure

import (
	"math/big"
	"strings"
)

// Quota is one period of a tariff quota.
type Quota struct {
	Order     string
	From, To  Day
	Initial   *big.Rat // nil if not known
	Balance   *big.Rat // nil if not known
	Unit      string
	Qualifier string
	Status    string // one of the statuses below, but for the days of the periods
	Suspended []Period
	Blocked   []Period
	AsOf      Day // day of the balance
}

// Period is from one day to another, both included.
type Period struct{ From, To Day }

// Statuses of a quota period.
const (
	QuotaOpen      = "OPEN"
	QuotaCritical  = "CRITICAL"
	QuotaExhausted = "EXHAUSTED"
	QuotaSuspended = "SUSPENDED"
	QuotaBlocked   = "BLOCKED"
)

// StatusOn returns the status on a day: exhausted comes before suspended, blocked, critical and open.
func (q *Quota) StatusOn(on Day) string {
	switch {
	case q.Status == QuotaExhausted:
		return q.Status
	case q.Status == QuotaSuspended || within(q.Suspended, on):
		return QuotaSuspended
	case q.Status == QuotaBlocked || within(q.Blocked, on):
		return QuotaBlocked
	}
	return q.Status
}

func within(all []Period, on Day) bool {
	for _, p := range all {
		if p.From <= on && on <= p.To {
			return true
		}
	}
	return false
}

// QuotaUnit returns the code of a unit of quotas, which is described as "Kilogram (kg)"; the description itself if it is not known.
func QuotaUnit(described string) string {
	name, short, ok := strings.Cut(described, " (")
	if strings.Contains(short, " (") || strings.HasPrefix(short, "100%) ") {
		name, short, ok = strings.Cut(strings.Replace(described, " (100%)", "", 1), " (")
	}
	u, err := ParseUnit(strings.TrimSuffix(short, ")"))
	if !ok || err != nil || name == "" {
		return described
	}
	return u.Code
}
