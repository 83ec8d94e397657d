package cdssim

import (
	"math/big"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// Code of CDSs that are not faults of a document alone, or that steering selects.
const (
	missing        = check.Missing
	invalidValue   = "CDS10020"
	reusedLRN      = "CDS12003"
	notCancellable = "CDS12015" // no such declaration, or it cannot be cancelled
	expired        = "CDS12046" // pre-lodged, and the goods never arrived
	missingDUCR    = "CDS12108"
	noStatus       = "CDS77002"
)

// flaw is an error of a message. The pointer has the format of package pointer.
type flaw struct {
	Code, Pointer, Text string
}

// inspect checks a declaration. It returns what customs would refuse, and what no list decides.
func (s *Simulator) inspect(d *wco.Declaration, r simulator.Request) (flaws, notes []flaw) {
	return s.inspectWith(d, r, check.Options{})
}

// inspectAmended checks a declaration that an amendment changes.
func (s *Simulator) inspectAmended(d *wco.Declaration, r simulator.Request) (flaws, notes []flaw) {
	return s.inspectWith(d, r, check.Options{Amended: true})
}

func (s *Simulator) inspectWith(d *wco.Declaration, r simulator.Request, o check.Options) (flaws, notes []flaw) {
	o = check.Options{
		Amended: o.Amended,
		Day:     s.options.Clock(r.Organisation).In(calendar.London()).Format(time.DateOnly),
		All:     s.options.All, Lenient: r.DataSet == simulator.NoDataSet, Goods: s.options.Goods,
	}
	for _, f := range check.Run(d, o) {
		found := flaw{Code: f.Code, Pointer: f.Pointer, Text: f.Message}
		switch f.Severity {
		case check.Refusal:
			flaws = append(flaws, found)
		case check.Unknown:
			notes = append(notes, found)
		case check.Warning:
		}
	}
	return flaws, notes
}

// rational parses a declared number; false if there is none.
func rational(n wco.Number) (*big.Rat, bool) {
	return new(big.Rat).SetString(string(n))
}
