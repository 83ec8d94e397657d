package app

import (
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/importline"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/product"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/records/whatif"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// whatIfWorkers is how many what-ifs run at the same time in an instance. Each uses all processors.
const whatIfWorkers = 2

// Records that a what-if reads together. A declaration may have 999 items.
const (
	declarationPage = 20
	productPage     = 200
)

func (a *App) whatIfQueue() jobs.Queue {
	return jobs.Queue{Name: whatif.Queue, Workers: whatIfWorkers, Do: a.whatIfs.Run, Backoff: whatif.Backoff}
}

func (a *App) newWhatIfs() *whatif.Service {
	charges := cbam.UKCharges{Defaults: a.Tables.Default, Rate: a.Tables.CBAMRate}
	return &whatif.Service{
		Store: adapter.Of(a.Store), Calculator: a.calculator(), NewID: a.IDs.UUID,
		Declarations: whatif.Records{Kind: customs.DeclarationKind, Page: declarationPage, Lines: goodsBy(a.importLines)},
		Catalogue: whatif.Catalogue{
			Records: whatif.Records{Kind: product.Kind, Page: productPage, Lines: goodsBy(importline.OfProduct)}, Supply: product.Supply,
		},
		Later: func(l *whatif.Line, a *duty.ResponseLine) (*duty.ChargeLine, []duty.Fact) {
			return charges.Charge(&cbam.UKGoods{
				CommodityCode: l.CommodityCode, Origin: l.Origin, Date: l.Date, Route: a.Route, CustomsValue: a.CustomsValue.Amount,
				NetMass: l.NetMass, Emissions: l.Emissions,
			})
		},
	}
}

func (a *App) importLines(f *filing.Filing) ([]importline.Line, error) {
	return importline.OfDeclaration(f, a.Rates)
}

// goodsBy reads the lines of records as goods of what-ifs.
func goodsBy(read func(*filing.Filing) ([]importline.Line, error)) func(*filing.Filing) ([]whatif.Goods, error) {
	return func(f *filing.Filing) ([]whatif.Goods, error) {
		lines, err := read(f)
		goods := make([]whatif.Goods, len(lines))
		for i, l := range lines {
			goods[i] = whatif.Goods{Units: l.Units, SuspendedBy: l.SuspendedBy, Line: whatif.Line{
				RequestLine: l.RequestLine, Date: l.Date, Destination: l.Destination, Incoterm: l.Incoterm, NorthernIreland: l.NorthernIreland,
			}}
		}
		return goods, err
	}
}
