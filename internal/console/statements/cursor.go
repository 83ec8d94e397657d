package statements

import (
	"net/url"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/fault"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/ident"
)

// A page of a list begins behind a record: its instant and its id stand in the address.
func after(at time.Time, id string) string {
	return url.Values{"at": {audit.Instant(at)}, "after": {id}}.Encode()
}

// behind is the record that the page begins behind; none on the first page.
func behind(v *page.Visit) (at time.Time, id string, err error) {
	q := v.R.URL.Query()
	if id = q.Get("after"); id == "" {
		return at, "", nil
	}
	at, err = time.Parse(time.RFC3339, q.Get("at"))
	if err != nil || !ident.IsUUID(id) {
		return at, "", fault.New(fault.NotFound, "There is no such page of this list.")
	}
	return at, id, nil
}

func positionOf(v *page.Visit) (filing.Position, error) {
	at, id, err := behind(v)
	return filing.Position{CreatedAt: at, ID: id}, err
}

func positionAfter(f *filing.Filing) string { return after(f.CreatedAt, f.ID) }
