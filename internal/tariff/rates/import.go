package rates

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/tariff/importerr"
)

// Store stores the imports for all processes of the service.
type Store interface {
	// RatesStamp returns version and instant of the latest import; zero values for none.
	RatesStamp(ctx context.Context) (version int64, at time.Time, err error)
	// RateImports returns all imports, the earliest first.
	RateImports(ctx context.Context) ([]Import, error)
	// AddRates stores an import after the latest version was, and returns it with version and instant. If there is a later
	// one by now, the error is ErrChanged.
	AddRates(ctx context.Context, was int64, i Import) (Import, error)
}

// ErrChanged means that another process imported rates at the same time.
var ErrChanged = errors.New("rates: another import finished meanwhile; import again")

// Import is what was imported at once: the periods that are new or replace others.
type Import struct {
	Version    int64
	ImportedAt time.Time
	Periods    []Period
}

// File is a file to import.
type File struct {
	Name   string
	Reader io.Reader
	Month  string // YYYY-MM: the file must have the rates of this month; empty for any
}

// Changes of a period by an import.
const (
	Added     = "ADDED"
	Replaced  = "REPLACED"
	Unchanged = "UNCHANGED"
)

// PeriodReport is what an import did with a period.
type PeriodReport struct {
	Series     string `json:"series"`
	From       string `json:"from"`
	To         string `json:"to"`
	Currencies int    `json:"currencies"`
	Source     string `json:"source"`
	Change     string `json:"change,omitempty"`
}

// ReportOf returns a period without its rates.
func ReportOf(p *Period) PeriodReport {
	return PeriodReport{Series: p.Series, From: p.From, To: p.To, Currencies: len(p.Rates), Source: p.Source}
}

// Report is the result of an import.
type Report struct {
	Version int64 // after the import
	Periods []PeriodReport
}

// maxFiles is more than 80 years of monthly files.
const maxFiles = 1000

// Run imports files, all or none. If any file is invalid, nothing changes and the error is an *importerr.Error. Periods that are
// held already with the same rates are left as they are.
func Run(ctx context.Context, to Store, files []File) (Report, error) {
	if len(files) > maxFiles {
		return Report{}, fmt.Errorf("rates: at most %d files can be imported at once", maxFiles)
	}
	periods, err := readAll(files)
	if err != nil {
		return Report{}, err
	}
	before, err := load(ctx, to)
	if err != nil {
		return Report{}, err
	}
	r := Report{Version: before.Version}
	var changed Import
	for n := range periods {
		p := &periods[n]
		line, old := ReportOf(p), before.find(p)
		switch {
		case old == nil:
			line.Change = Added
		case sameRates(old.Rates, p.Rates):
			line.Change = Unchanged
		default:
			line.Change = Replaced
		}
		if r.Periods = append(r.Periods, line); line.Change != Unchanged {
			changed.Periods = append(changed.Periods, *p)
		}
	}
	if changed.Periods == nil {
		return r, nil
	}
	done, err := to.AddRates(ctx, before.Version, changed)
	r.Version = done.Version
	return r, err
}

// readAll reads files and joins the periods that several of them have.
func readAll(files []File) ([]Period, error) {
	var wrong importerr.Error
	var all []Period
	for _, file := range files {
		found, err := read(file, &wrong)
		if err != nil {
			wrong.Add(file.Name, 0, err.Error())
		} else if !file.has(found) {
			wrong.Add(file.Name, 0, "has no rates of "+file.Month)
		}
		for n := range found {
			all = join(all, &found[n], file.Name, &wrong)
		}
		if wrong.More {
			break
		}
	}
	if err := wrong.OrNil(); err != nil {
		return nil, err
	}
	slices.SortFunc(all, comparePeriods)
	return all, nil
}

// has reports whether periods are what the file must have.
func (f *File) has(found []Period) bool {
	return f.Month == "" || slices.ContainsFunc(found, func(p Period) bool { return p.Series == Monthly && strings.HasPrefix(p.From, f.Month) })
}

// join adds a period. HMRC publishes one month as CSV and XML; two files that contradict each other are an error.
func join(all []Period, p *Period, file string, wrong *importerr.Error) []Period {
	at := slices.IndexFunc(all, func(o Period) bool { return o.same(p) })
	if at < 0 {
		return append(all, *p)
	}
	for currency, rate := range p.Rates {
		if other, ok := all[at].Rates[currency]; ok && other.Rat().Cmp(rate.Rat()) != 0 {
			wrong.Add(file, 0, fmt.Sprintf("the rate of %s from %s to %s is %s, but %s in %s", currency, p.From, p.To, rate, other, all[at].Source))
			continue
		}
		all[at].Rates[currency] = rate
	}
	return all
}

// load returns the table after all imports.
func load(ctx context.Context, from Store) (*Table, error) {
	all, err := from.RateImports(ctx)
	if err != nil {
		return nil, err
	}
	t := &Table{}
	for n := range all {
		t = t.with(&all[n])
	}
	return t, nil
}
