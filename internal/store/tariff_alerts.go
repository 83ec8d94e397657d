package store

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/records/alert"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// TariffAlertRaised reports whether the organisation was told of a change of the tariff.
func (t *Tx) TariffAlertRaised(pair string) (bool, error) {
	return t.exists("SELECT 1 FROM tariff_alerts WHERE org_id = $1 AND pair = $2", pair)
}

// AddTariffAlert stores that the organisation was alerted to a change of the tariff.
func (t *Tx) AddTariffAlert(a alert.Alert) error {
	_, err := t.exec("INSERT INTO tariff_alerts (org_id, pair, from_version, to_version, products, raised_at) VALUES ($1, $2, $3, $4, $5, $6)",
		a.Pair, a.From, a.To, a.Products, instant(a.RaisedAt))
	return err
}

// TariffAlerts returns what the organisation was told of changes of the tariff since an instant, the newest first.
func (t *Tx) TariffAlerts(since time.Time, limit int) (all []alert.Alert, err error) {
	err = t.rows("SELECT pair, from_version, to_version, products, raised_at FROM tariff_alerts WHERE org_id = $1 AND products > 0 AND raised_at >= $2 "+
		"ORDER BY raised_at DESC, pair LIMIT $3", []any{instant(since), limit}, func(r engine.Row) error {
		var a alert.Alert
		err := r.Scan(&a.Pair, &a.From, &a.To, &a.Products, (*instant)(&a.RaisedAt))
		all = append(all, a)
		return err
	})
	return all, err
}
