package webhooks

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/chart"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/internal/webhook/numbers"
)

// metricsRoutes show the numbers of deliveries.
func (h *Webhooks) metricsRoutes() []page.Route {
	return []page.Route{page.Get("/webhooks/metrics", page.ForViewer, h.metrics)}
}

// maxBars is the number of bars of a chart of endpoints or types.
const maxBars = 20

// bucketName is a choice of the page, with what it is called.
type bucketName struct {
	Value, Text, Heading string
	Short, Long          string // layouts of its times
	every                int    // buckets of which one is labelled
}

var bucketNames = []bucketName{
	{"minute", "The last hour by minute", "Minute", "15:04", "2 January 15:04", 10},
	{"hour", "The last 24 hours by hour", "Hour", "15:04", "2 January 15:04", 6},
	{"day", "The last 14 days by day", "Day", "2", "2 January 2006", 1},
}

// metricsPage is the data of the page with the numbers of deliveries.
type metricsPage struct {
	Endpoints        []endpointView
	Types            []string
	Bucket, Endpoint string // chosen
	Type             string
	Choices          []bucketName
	Refused          string // why there are no numbers
	Metrics          *webhook.Metrics
	P50, P99         string
	Charts           []template.HTML
}

func (h *Webhooks) metrics(c *page.Context) error {
	q := c.R.URL.Query()
	shown := metricsPage{Bucket: "hour", Endpoint: q.Get("endpoint"), Type: clip(q.Get("type")), Choices: bucketNames}
	for _, b := range bucketNames {
		if b.Value == q.Get("bucket") {
			shown.Bucket = b.Value
		}
	}
	if !ident.IsUUID(shown.Endpoint) {
		shown.Endpoint = ""
	}
	if err := c.View(func(tx page.Tx) error { return h.measure(tx, q, &shown) }); err != nil {
		return err
	}
	for _, t := range h.Service.Catalogue {
		shown.Types = append(shown.Types, t.Type)
	}
	if shown.Metrics != nil {
		if err := shown.draw(); err != nil {
			return err
		}
	}
	return c.Show("webhooks-metrics", "Webhook statistics", shown)
}

// measure reads the endpoints, and counts the deliveries that are chosen.
func (h *Webhooks) measure(tx page.Tx, q url.Values, shown *metricsPage) error {
	all, err := tx.Endpoints()
	if err != nil {
		return err
	}
	for _, e := range all {
		shown.Endpoints = append(shown.Endpoints, viewOf(e))
	}
	if shown.Endpoint != "" {
		if _, err := tx.Endpoint(shown.Endpoint); err != nil {
			return err
		}
	}
	asked := webhook.MetricsQuery{EndpointID: shown.Endpoint, EventType: shown.Type, Bucket: shown.Bucket}
	asked.From, _ = time.Parse(time.RFC3339, q.Get("since"))
	asked.To, _ = time.Parse(time.RFC3339, q.Get("until"))
	shown.Metrics, err = webhook.Measure(tx, asked, true)
	if apierr.Is(err, apierr.InvalidRequest) {
		shown.Refused = "The period is not valid. Choose one from the list."
		return nil
	}
	return err
}

// draw draws the charts.
func (p *metricsPage) draw() error {
	p.P50, p.P99 = quantile(&p.Metrics.Total, 50), quantile(&p.Metrics.Total, 99)
	var charts []interface{ HTML() (template.HTML, error) }
	charts = append(charts, p.byTime(), p.byStatus())
	if p.Endpoint == "" {
		charts = append(charts, p.bars("endpoints", "Attempts by endpoint", "Endpoint", p.Metrics.ByEndpoint, p.titleOf, func(id string) string { return p.logOf(id, p.Metrics.From, p.Metrics.To, "") }))
	}
	charts = append(charts, p.bars("types", "Attempts by event type", "Event type", p.Metrics.ByType, func(t string) string { return t }, p.ofType))
	for _, one := range charts {
		html, err := one.HTML()
		if err != nil {
			return err
		}
		p.Charts = append(p.Charts, html)
	}
	return nil
}

// quantile returns a time until delivery as text.
func quantile(c *numbers.Counts, percent int) string {
	took, any := c.Quantile(percent)
	switch {
	case !any:
		return "–"
	case took < 10*time.Second:
		return fmt.Sprintf("%d ms", took.Milliseconds())
	}
	return took.Round(time.Second).String()
}

// byTime returns the chart of attempts by bucket.
func (p *metricsPage) byTime() chart.Columns {
	m := p.Metrics
	kind := bucketNames[slices.IndexFunc(bucketNames, func(b bucketName) bool { return b.Value == m.Bucket })]
	c := chart.Columns{
		ID: "attempts", Title: "Attempts by time of the event", Heading: kind.Heading, EmptyText: "No deliveries in this period.", Unit: chart.Pieces,
		Series: []chart.Series{{Name: "Accepted", Tone: chart.Good}, {Name: "Failed", Tone: chart.Bad}},
	}
	for i := range m.Buckets {
		b := &m.Buckets[i]
		end := m.To
		if i+1 < len(m.Buckets) {
			end = m.Buckets[i+1].At
		}
		place := b.At.In(calendar.London())
		short := ""
		if i%kind.every == kind.every/2 {
			short = place.Format(kind.Short)
		}
		c.Places = append(c.Places, chart.Place{Short: short, Long: place.Format(kind.Long), Path: p.inside(b.At, end)})
		c.Series[0].Amounts = append(c.Series[0].Amounts, b.Delivered())
		c.Series[1].Amounts = append(c.Series[1].Amounts, b.Failed())
	}
	return c
}

// inside returns the page with the deliveries of a bucket, or with a part of the period in shorter buckets if they are of
// several endpoints; empty if there are no shorter ones.
func (p *metricsPage) inside(from, to time.Time) string {
	if p.Endpoint != "" {
		return p.logOf(p.Endpoint, from, to, p.Type)
	}
	shorter := map[string]string{"day": "hour", "hour": "minute"}[p.Metrics.Bucket]
	if shorter == "" {
		return ""
	}
	return p.path(url.Values{"bucket": {shorter}, "type": {p.Type}, "since": {from.Format(time.RFC3339)}, "until": {to.UTC().Format(time.RFC3339Nano)}})
}

// ofType returns the page of the numbers of a type, or the deliveries of an endpoint.
func (p *metricsPage) ofType(eventType string) string {
	if p.Endpoint != "" {
		return p.logOf(p.Endpoint, p.Metrics.From, p.Metrics.To, eventType)
	}
	return p.path(url.Values{"bucket": {p.Bucket}, "type": {eventType}})
}

func (p *metricsPage) path(q url.Values) string {
	for name := range q {
		if q.Get(name) == "" {
			q.Del(name)
		}
	}
	return "/webhooks/metrics?" + q.Encode()
}

// logOf returns the list of an endpoint's deliveries in a period.
func (p *metricsPage) logOf(endpointID string, from, to time.Time, eventType string) string {
	f := filter{Type: cmp.Or(eventType, p.Type), Since: from.UTC().Format(time.RFC3339Nano), Until: to.UTC().Format(time.RFC3339Nano)}
	return "/webhooks/endpoints/" + endpointID + "?" + f.query("").Encode()
}

func (p *metricsPage) titleOf(id string) string {
	for _, e := range p.Endpoints {
		if e.ID == id {
			return e.Title()
		}
	}
	return id
}

// byStatus returns the chart of attempts by the status of their answers.
func (p *metricsPage) byStatus() chart.Bars {
	c := chart.Bars{ID: "statuses", Title: "Attempts by answer", Heading: "HTTP status", Measure: "Attempts", EmptyText: "No attempts in this period.", Unit: chart.Pieces}
	for _, status := range slices.Sorted(maps.Keys(p.Metrics.Total.ByStatus)) {
		name := strconv.Itoa(status)
		if status == 0 {
			name = "No answer"
		}
		c.Bars = append(c.Bars, chart.Bar{Name: name, Amount: p.Metrics.Total.ByStatus[status]})
	}
	return c
}

// bars returns a chart of attempts by name, most first.
func (p *metricsPage) bars(id, title, heading string, all map[string]*numbers.Counts, name, path func(string) string) chart.Bars {
	c := chart.Bars{ID: id, Title: title, Heading: heading, Measure: "Attempts", EmptyText: "No attempts in this period.", Unit: chart.Pieces}
	names := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(all[b].Attempts(), all[a].Attempts()), cmp.Compare(a, b))
	})
	for _, one := range names[:min(len(names), maxBars)] {
		c.Bars = append(c.Bars, chart.Bar{Name: name(one), Amount: all[one].Attempts(), Path: path(one)})
	}
	return c
}
