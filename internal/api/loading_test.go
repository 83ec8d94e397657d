package api_test

import (
	"context"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/api"
)

// While the tariff in force is loaded, operations that need it wait and then answer 503 with Retry-After, before they change
// anything; all others answer.
func TestTariffIsLoading(t *testing.T) {
	waited := 0
	f := newFixture(t, func(o *api.Options) {
		o.AwaitTariff = func(context.Context) error { waited++; return context.DeadlineExceeded }
	})
	for _, c := range []struct{ method, path, body string }{
		{"POST", "/api/tariff/calculate", `{}`}, {"GET", "/api/tariff/commodities/6109100010", ""}, {"POST", "/api/declarations", `{}`},
		{"POST", "/api/ai/commodity-classify", `{"description": "Lamps"}`}, {"POST", "/api/ai/analyse-declaration", `{}`},
	} {
		waited = 0
		a := f.send(c.method, c.path, c.body)
		if a.status != 503 || a.Error != "tariff_loading" || a.header.Get("Retry-After") == "" || waited != 1 {
			t.Errorf("%s %s: %d %s, waited %d times", c.method, c.path, a.status, a.text, waited)
		}
	}
	waited = 0
	for path, want := range map[string]int{"/api/declarations": 200, "/api/clients": 200, "/api/me": 200} {
		if a := f.send("GET", path, ""); a.status != want || waited != 0 {
			t.Errorf("%s: %d %s, waited %d times", path, a.status, a.text, waited)
		}
	}
	if a := f.send("POST", "/api/clients", `{"name": "Quay"}`); a.status != 201 || waited != 0 {
		t.Errorf("a client: %d %s", a.status, a.text)
	}
}
