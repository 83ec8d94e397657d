package whatif

import (
	"cmp"
	"context"
	"io"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/csvio"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// WriteCSV writes all rows as CSV, page by page.
func (s *Service) WriteCSV(ctx context.Context, org tenant.ID, id string, out io.Writer) error {
	w := csvio.NewWriter(out)
	err := w.Row("ref", "commodityCode", "baseGbp", "changedGbp", "differenceGbp", "laterGbp", "optionBefore", "optionAfter", "reasons")
	for rows, pageErr := range s.Each(ctx, org, id) {
		if err = cmp.Or(err, pageErr); err != nil {
			return err
		}
		for i := range rows {
			if err == nil {
				err = w.Row(rows[i].cells()...)
			}
		}
	}
	if err != nil {
		return err
	}
	return w.Flush()
}

func (r *Row) cells() []string {
	reasons := make([]string, len(r.Reasons))
	for i := range r.Reasons {
		reasons[i] = r.Reasons[i].Message
	}
	later := ""
	for i := range r.Later {
		later = amount(r.Later[i].Amount)
	}
	return []string{
		r.Ref, r.CommodityCode, amount(r.Base), amount(r.Changed), amount(r.Difference), later, text(r.OptionBefore), text(r.OptionAfter), strings.Join(reasons, " "),
	}
}

func amount(m *quantity.Money) string {
	if m == nil {
		return ""
	}
	return m.Fixed()
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
