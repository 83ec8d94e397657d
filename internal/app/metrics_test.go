package app_test

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// The files that operators use, and the document that describes them.
const (
	alertsFile    = "../../deploy/prometheus/alerts.yaml"
	dashboardFile = "../../deploy/grafana/tidewaiter.json"
	runbook       = "../../docs/operating.md"
)

// alert is a Prometheus rule.
type alert struct {
	Alert, Expr, For    string
	Labels, Annotations map[string]string
}

func alerts(t *testing.T) (all []alert) {
	t.Helper()
	var rules struct {
		Groups []struct {
			Name  string
			Rules []alert
		}
	}
	if err := yaml.Unmarshal(read(t, alertsFile), &rules); err != nil {
		t.Fatal(err)
	}
	for _, g := range rules.Groups {
		all = append(all, g.Rules...)
	}
	return all
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// panel is a panel of a Grafana dashboard.
type panel struct {
	ID      int
	Type    string
	Title   string
	GridPos struct{ X, Y, W, H int }
	Targets []struct{ Expr string }
}

func panels(t *testing.T) []panel {
	t.Helper()
	var board struct {
		Panels     []panel
		Templating struct{ List []struct{ Name, Type string } }
	}
	if err := json.Unmarshal(read(t, dashboardFile), &board); err != nil {
		t.Fatal(err)
	}
	if len(board.Templating.List) == 0 || board.Templating.List[0].Type != "datasource" {
		t.Error("the dashboard has no variable for its data source")
	}
	return board.Panels
}

// unused returns an address of this machine without a listener.
func unused(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// metricValues returns the names and the text of a service's metrics.
func metricValues(t *testing.T, address string) (names map[string]bool, text string) {
	t.Helper()
	answer, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	names = map[string]bool{}
	for line := range strings.Lines(string(body)) {
		if name, _, found := strings.Cut(line, "{"); !strings.HasPrefix(line, "#") {
			if !found {
				name, _, _ = strings.Cut(line, " ")
			}
			names[name] = true
		}
	}
	return names, string(body)
}

var metricName = regexp.MustCompile(`\b(?:tidewaiter|process|go)_[a-z_]+\b`)

// expectedMetrics returns the metrics that alerts and dashboard use with a database.
func expectedMetrics(t *testing.T, database string) (all []string) {
	var asked []string
	for _, a := range alerts(t) {
		asked = append(asked, a.Expr)
	}
	for _, p := range panels(t) {
		for _, target := range p.Targets {
			asked = append(asked, target.Expr)
		}
	}
	others := map[string]string{"sqlite": "tidewaiter_store_connection", "postgres": "tidewaiter_store_(size|log|group)"}
	other := regexp.MustCompile("^" + others[database])
	for _, expr := range asked {
		for _, name := range metricName.FindAllString(expr, -1) {
			if !other.MatchString(name) && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// A service with some traffic has every metric that an alert or the dashboard uses. No metric names a user.
func TestFigures(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		told, customs, receiver, address := newCollector(t), newFakeServer(t, accept), newFakeServer(t, func(http.ResponseWriter) {}), unused(t)
		customs.release()
		receiver.release()
		i := run(t, b, func(c *config.Config) {
			c.TracesURL, c.Customs.URL, c.MetricsAddr, c.LimitStandard = told.URL, customs.URL, address, 1000
		})
		key := i.found()
		i.call("POST", "/api/webhooks/endpoints", `{"url":"`+receiver.URL+`","events":["*"]}`)
		declaration := i.declare()
		i.call("POST", "/api/cds/submit", `{"declarationId":"`+declaration+`"}`)
		receiver.next(t, func(h receivedCall) bool { return strings.Contains(h.body, "declaration.submitted") })
		want := expectedMetrics(t, b.Name)
		for limit := time.Now().Add(3 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
			names, text := metricValues(t, address)
			missing := slices.DeleteFunc(slices.Clone(want), func(name string) bool { return names[name] })
			if len(missing) > 0 && time.Now().Before(limit) {
				continue // traces are sent every two seconds
			}
			if len(missing) > 0 || len(want) < 40 {
				t.Errorf("of %d metrics these are missing: %v", len(want), missing)
			}
			for _, secret := range []string{key, declaration, "Harbour", "GB123456789000", strings.TrimPrefix(receiver.URL, "http://")} {
				if strings.Contains(text, secret) {
					t.Errorf("the metrics contain %s", secret)
				}
			}
			if !strings.Contains(text, `tidewaiter_build_info{goversion="go1.`) || !strings.Contains(text, `version="v1.2.3"`) {
				t.Error("no metric names the program")
			}
			return
		}
	})
}

// Names follow Prometheus: counters end in _total, units are seconds and bytes, and every metric has a help text.
func TestFigureNames(t *testing.T) {
	address := unused(t)
	run(t, storetest.SQLite(t), func(c *config.Config) { c.MetricsAddr = address })
	_, text := metricValues(t, address)
	kind := regexp.MustCompile(`(?m)^# TYPE (tidewaiter_\S+) (\S+)$`)
	help := regexp.MustCompile(`(?m)^# HELP (tidewaiter_\S+) \S.{10}`)
	described := map[string]bool{}
	for _, m := range help.FindAllStringSubmatch(text, -1) {
		described[m[1]] = true
	}
	found := kind.FindAllStringSubmatch(text, -1)
	if len(found) < 10 {
		t.Fatalf("%d figures: %s", len(found), text)
	}
	for _, m := range found {
		name, counter := m[1], m[2] == "counter"
		if strings.HasSuffix(name, "_total") != counter || m[2] == "histogram" && !strings.HasSuffix(name, "_seconds") && name != "tidewaiter_store_group_changes" {
			t.Errorf("%s is a %s", name, m[2])
		}
		if !described[name] {
			t.Errorf("%s does not say what it is", name)
		}
	}
}

// Every alert has a severity and a link to its entry in the document.
func TestAlertsHaveARunbook(t *testing.T) {
	text := string(read(t, runbook))
	_, section, _ := strings.Cut(text, "\n## Alerts\n")
	section, _, _ = strings.Cut(section, "\n## ")
	names := map[string]bool{}
	for _, a := range alerts(t) {
		if names[a.Alert] || !regexp.MustCompile(`^([A-Z][a-z]+)+$`).MatchString(a.Alert) {
			t.Errorf("%q is not unique and in CamelCase", a.Alert)
		}
		names[a.Alert] = true
		if want := "/docs/operating.md#" + strings.ToLower(a.Alert); !strings.HasSuffix(a.Annotations["runbook_url"], want) || a.Annotations["summary"] == "" {
			t.Errorf("%s: %v", a.Alert, a.Annotations)
		}
		if !slices.Contains([]string{"page", "warn", "info"}, a.Labels["severity"]) {
			t.Errorf("%s is %q", a.Alert, a.Labels["severity"])
		}
		if !strings.Contains(section, "\n### "+a.Alert+"\n\n") {
			t.Errorf("%s has no entry in the book", a.Alert)
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^### (\w+)$`).FindAllStringSubmatch(section, -1) {
		if !names[m[1]] {
			t.Errorf("the document has %s, which is not an alert", m[1])
		}
	}
}

// The dashboard's panels have unique ids and positions, rows for every part of the service, and queries.
func TestDashboard(t *testing.T) {
	var rows []string
	ids, taken := map[int]bool{}, map[[2]int]string{}
	for _, p := range panels(t) {
		if ids[p.ID] {
			t.Errorf("%s has the id of another", p.Title)
		}
		ids[p.ID] = true
		if p.Type == "row" {
			rows = append(rows, p.Title)
		} else if len(p.Targets) == 0 {
			t.Errorf("%s shows nothing", p.Title)
		}
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other, there := taken[[2]int{x, y}]; there || x > 23 {
					t.Fatalf("%s lies on %s", p.Title, other)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
	}
	if want := []string{"Traffic", "Queues", "Store", "Authorities", "Webhooks", "Process", "Safety"}; !slices.Equal(rows, want) {
		t.Errorf("rows are %v", rows)
	}
}
