package operator

import (
	"context"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/tariff/publisher"
	"github.com/tidewaiter/tidewaiter/internal/tariff/rates"
)

// ImportRates imports files of exchange rates, all or none. Running services use them within seconds.
func (o *Operator) ImportRates(ctx context.Context, files []rates.File) (rates.Report, error) {
	return rates.Run(ctx, o.Store, files)
}

// SyncRates downloads HMRC's rates of the current month, and of the next month if they are published, and imports them. A file with
// the rates of another month is refused: the month would be without rates, unnoticed.
func (o *Operator) SyncRates(ctx context.Context, report func(string)) (rates.Report, error) {
	from := publisher.Publisher{Address: o.RatesURL, Progress: report}
	now := o.Now().In(calendar.London())
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	var files []rates.File
	for n, month := range []time.Time{month, month.AddDate(0, 1, 0)} {
		name := fmt.Sprintf("monthly_csv_%d-%d.csv", month.Year(), month.Month())
		t, err := from.FetchFile(ctx, name)
		if n > 0 && publisher.IsMissing(err) {
			report(name + " is not published yet")
			break
		}
		if err != nil {
			return rates.Report{}, err
		}
		defer t.Close()
		files = append(files, rates.File{Name: name, Reader: t, Month: month.Format("2006-01")})
	}
	return rates.Run(ctx, o.Store, files)
}

// ImportedRates returns all exchange rates that are held.
func (o *Operator) ImportedRates(ctx context.Context) (*rates.Table, error) {
	var l rates.Library
	err := l.Refresh(ctx, o.Store)
	return l.Current(), err
}
