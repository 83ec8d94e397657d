package program

import (
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"testing"

	"github.com/tidewaiter/tidewaiter/test/port"
)

const metrics = "TIDEWAITER_METRICS_ADDR"

// Measured has a process that is started from now on, one at a time, show its metrics.
func (p Program) Measured(t testing.TB) {
	t.Helper()
	p.Settings[metrics] = net.JoinHostPort("127.0.0.1", strconv.Itoa(port.For(t)))
}

// Figures reads metrics without labels, all at one instant.
func (p Program) Figures(t testing.TB, names ...string) (values []float64) {
	t.Helper()
	response, err := http.Get("http://" + p.Settings[metrics] + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		found := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindSubmatch(text)
		if found == nil {
			t.Fatalf("the metrics have no %s", name)
		}
		value, err := strconv.ParseFloat(string(found[1]), 64)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, value)
	}
	return values
}
