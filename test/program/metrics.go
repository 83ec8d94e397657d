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

// EnableMetrics makes a process started from now on serve its metrics; only one at a time.
func (p Program) EnableMetrics(t testing.TB) {
	t.Helper()
	p.Settings[metrics] = net.JoinHostPort("127.0.0.1", strconv.Itoa(port.For(t)))
}

// Metrics reads metrics without labels, all at one instant.
func (p Program) Metrics(t testing.TB, names ...string) (values []float64) {
	t.Helper()
	text, _ := Get(t, "http://"+p.Settings[metrics]+"/metrics")
	for _, name := range names {
		found := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindStringSubmatch(text)
		if found == nil {
			t.Fatalf("the metrics have no %s", name)
		}
		value, err := strconv.ParseFloat(found[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, value)
	}
	return values
}

// Get returns the body and the status of a URL.
func Get(t testing.TB, address string) (text string, status int) {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body), response.StatusCode
}
