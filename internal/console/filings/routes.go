package filings

import (
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
)

// offerRoutes suggests the routes that the authority of a kind offers today in the fields for one, and says where they come from. A form without suggestions is as
// good as one with them, so an authority that does not answer is no error.
func (a *Filings) offerRoutes(c *page.Context, shown *formView) {
	authority := a.Authorities.Of(shown.Kind)
	if authority == nil || authority.Routes == nil || shown.Layout == nil {
		return
	}
	for _, section := range shown.kind.Layout.Sections {
		for _, d := range section.Fields {
			field := shown.FieldAt(d.Path)
			if !d.Routes || field == nil {
				continue
			}
			all, err := a.Authorities.RoutesOf(c.R.Context(), c.Call().Org, authority)
			if err != nil || all.ReadAt.IsZero() {
				field.Hint += " HMRC’s list is not available here: type the number as the carrier gave it."
				return
			}
			all = all.On(c.Now().Format(time.DateOnly))
			for i := range all.All {
				field.Datalist = append(field.Datalist, form.Option{Value: all.All[i].ID, Label: all.All[i].Name()})
			}
			field.Hint += fmt.Sprintf(" Type a port or a carrier and choose. The list has %d routes of %s.", len(all.All), all.Source(authority))
		}
	}
}
