package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// Limits for 95 of 100 pages of an organisation with a million declarations, in milliseconds at the server.
const (
	maxList = 100.0
	maxFind = 150.0
)

// deskPages are the list of declarations with its orders, filters and searches, and the palette, by their limits. {lrn}, {reference}
// and {client} stand for those of the declaration in the middle.
var deskPages = []struct {
	what, path string
	most       float64
}{
	{"the list, with three counted views", "/declarations", maxList},
	{"oldest first", "/declarations?sort=createdAt", maxList},
	{"by change", "/declarations?sort=-updatedAt", maxList},
	{"by reference", "/declarations?sort=reference", maxList},
	{"by status", "/declarations?sort=status", maxList},
	{"by client", "/declarations?sort=client", maxList},
	{"a status", "/declarations?status=REJECTED", maxList},
	{"two statuses, by change", "/declarations?status=DRAFT&status=REJECTED&sort=-updatedAt", maxList},
	{"a rare status", "/declarations?status=CANCELLED", maxList},
	{"imports", "/declarations?type=IMPORT", maxList},
	{"a client", "/declarations?client={client}", maxList},
	{"created in a month", "/declarations?from=2025-03-01&to=2025-03-31", maxList},
	{"mine", "/declarations?assignee=me", maxList},
	{"a usual word", "/declarations?q=cotton", maxFind},
	{"a word of no declaration", "/declarations?q=walrus", maxFind},
	{"an LRN", "/declarations?q={lrn}", maxFind},
	{"palette: a usual word", "/palette?q=cotton", maxFind},
	{"palette: a word of no record", "/palette?q=walrus", maxFind},
	{"palette: an LRN", "/palette?q={lrn}", maxFind},
	{"palette: a reference", "/palette?q={reference}", maxFind},
}

// deskViews are the queries of saved views, which the list counts.
var deskViews = []string{"status=REJECTED", "type=IMPORT", "from=2025-03-01&to=2025-03-31"}

// measureDesk reads the list of declarations of a large organisation in every order, with filters, saved views and searches.
func measureDesk(ctx context.Context, b *bench) (section, error) {
	s := section{
		text: "Pages and searches of an organisation with " + grouped(b.many) + " declarations on SQLite, for one browser.",
		head: []string{"", "p50, ms", "p95, ms", "p99, ms", "processor of the server, ms"},
	}
	data, office, err := b.stock(ctx, "desk", b.many)
	if err != nil {
		return s, err
	}
	one, err := office.FillTerms(ctx, data)
	if err != nil {
		return s, err
	}
	p, err := server.Start(ctx, b.serve("desk"), data)
	if err != nil {
		return s, err
	}
	defer p.Stop()
	cookie, err := office.Session(ctx, b.program, data, p.Address, "reader@example.com")
	if err != nil {
		return s, err
	}
	if err := saveViews(p.Address, cookie, office.Org); err != nil {
		return s, err
	}
	if s.notes, err = awaitSearch(ctx, p.Address, cookie); err != nil {
		return s, err
	}
	place := strings.NewReplacer("{lrn}", one.LRN, "{reference}", one.Reference, "{client}", one.ClientID)
	for _, page := range deskPages {
		c := &contender{name: page.what, process: p, target: load.Page(p.Address, cookie, place.Replace(page.path))}
		if err := b.contest(ctx, 1, c); err != nil {
			return s, fmt.Errorf("%s: %w", page.what, err)
		}
		s.rows = append(s.rows, []string{
			c.name, short(c.median(p50) * 1e3), short(c.median(p95) * 1e3), short(c.median(p99) * 1e3), short(c.median(processor) * 1e3),
		})
		s.verdicts = append(s.verdicts, below("p95, "+c.name, c.median(p95)*1e3, page.most, "ms"))
	}
	return s, nil
}

// saveViews saves views of the list of declarations.
func saveViews(address, cookie, org string) error {
	for n, query := range deskViews {
		form := url.Values{"organisation-id": {org}, "kind": {"declaration"}, "view-name": {fmt.Sprintf("View %d", n+1)}, "query": {query}}
		if _, _, err := visit(http.MethodPost, address, cookie, "/views", form, http.StatusSeeOther); err != nil {
			return err
		}
	}
	return nil
}

// indexing is what pages say while an index is being made.
const indexing = "search index is still being made"

// awaitSearch searches until both indexes are complete, and says how long that took and how long a search waited meanwhile.
func awaitSearch(ctx context.Context, address, cookie string) (notes []string, err error) {
	began := time.Now()
	for _, search := range []struct{ name, path string }{{"list", "/declarations?q=walrus"}, {"palette", "/palette?q=walrus"}} {
		longest, err := awaitPage(ctx, address, cookie, search.path)
		if err != nil {
			return nil, err
		}
		notes = append(notes, fmt.Sprintf("The index of the %s was complete %s s after the start of the service; a search waited at most %s s meanwhile.",
			search.name, short(time.Since(began).Seconds()), short(longest.Seconds())))
	}
	return notes, nil
}

// awaitPage reads a page that searches until its index is complete, and returns the longest time that it took.
func awaitPage(ctx context.Context, address, cookie, path string) (longest time.Duration, err error) {
	for incomplete := true; incomplete; {
		answer, took, err := visit(http.MethodGet, address, cookie, path, nil, http.StatusOK)
		if err != nil {
			return 0, err
		}
		longest, incomplete = max(longest, took), strings.Contains(answer, indexing)
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return longest, nil
}

// visit sends a request of a browser and returns the answer, which must have a status.
func visit(method, address, cookie, path string, form url.Values, status int) (answer string, took time.Duration, err error) {
	r, err := http.NewRequest(method, "http://"+address+path, strings.NewReader(form.Encode()))
	if err != nil {
		return "", 0, err
	}
	r.Header = http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Cookie": {cookie}, "Origin": {"http://" + address}, "Accept": {"text/html"}}
	began := time.Now()
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return "", 0, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != status {
		err = fmt.Errorf("%s %s: status %d", method, path, response.StatusCode)
	}
	return string(body), time.Since(began), err
}
