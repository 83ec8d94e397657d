package simulator_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/ensapi"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/emcssim"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/enssim"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/gvmssim"
)

// steered is what every simulator of an authority can do.
type steered interface {
	http.Handler
	Inject(simulator.Fault)
	io.Closer
}

// Every simulator of an authority has the same faults, for one path or all, for some calls or until the next fault, and serves again afterwards. It is
// opened with the same options: a folder, a clock and a log.
func TestSameFaults(t *testing.T) {
	open := map[string]struct {
		path, accept string
		status       int
		new          func(simulator.Options) (steered, error)
	}{
		"gvms": {gvms.ReferencePath, gvms.Accept, http.StatusOK, func(o simulator.Options) (steered, error) { return gvmssim.New(o) }},
		"ens":  {ensapi.OutcomesPath, ensapi.Accept, http.StatusNoContent, func(o simulator.Options) (steered, error) { return enssim.New(o) }},
		"emcs": {"/customs/excise/movements?ern=" + emcstest.Consignor, "application/vnd.hmrc.1.0+json", http.StatusOK, func(o simulator.Options) (steered, error) { return emcssim.NewServer(o) }},
	}
	for name, c := range open {
		t.Run(name, func(t *testing.T) {
			s, err := c.new(simulator.Options{Folder: t.TempDir(), Clock: simulator.OneClock(time.Now), Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(s)
			t.Cleanup(func() { server.CloseClientConnections(); server.Close(); _ = s.Close() })
			call := func() (status int, text string) { // 0 for no answer
				t.Helper()
				r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+c.path, nil)
				if err != nil {
					t.Fatal(err)
				}
				r.Header = http.Header{"Authorization": {"Bearer a"}, "Accept": {c.accept}}
				for name, values := range (simulator.Request{Organisation: "01939c50-7b00-7c3e-8f00-00000000000a"}).Header() {
					r.Header[name] = values
				}
				answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
				if err != nil {
					return 0, err.Error()
				}
				defer answer.Body.Close()
				body, _ := io.ReadAll(answer.Body)
				return answer.StatusCode, answer.Header.Get("Retry-After") + string(body)
			}
			expect := func(what string, status int, text string) {
				t.Helper()
				if got, said := call(); got != status || text != "" && said != text {
					t.Errorf("%s: %d %s, not %d %s", what, got, said, status, text)
				}
			}
			expect("without a fault", c.status, "")
			s.Inject(simulator.Fault{Kind: simulator.Answer, Status: 429, Header: http.Header{"Retry-After": {"7"}}, Body: "x", Calls: 2})
			expect("first answer", 429, "7x")
			expect("second answer", 429, "7x")
			expect("after both", c.status, "")
			s.Inject(simulator.Fault{Kind: simulator.HangUp, Calls: 1})
			expect("hung up", 0, "")
			expect("after that", c.status, "")
			s.Inject(simulator.Fault{Kind: simulator.HangUpAfter})
			expect("hung up after the call", 0, "")
			expect("still", 0, "")
			s.Inject(simulator.Fault{Kind: simulator.HangUp, Path: "/another"})
			expect("a fault of another path", c.status, "")
			s.Inject(simulator.Fault{})
			expect("at the end", c.status, "")
		})
	}
}
