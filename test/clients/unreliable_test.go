package clients

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"
)

// unreliable forwards calls to the program, but not at the first try: a POST is refused with 429 and then with 503, both
// with Retry-After, and the connection of the first GET is cut.
func unreliable(t *testing.T, address string) string {
	t.Helper()
	to, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }}
	var mu sync.Mutex
	tries := map[string]int{}
	r := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		call := r.Method
		if call == http.MethodPost {
			call += r.URL.Path
		}
		mu.Lock()
		tries[call]++
		try := tries[call]
		mu.Unlock()
		switch {
		case r.Method == http.MethodPost && try <= 2:
			w.Header().Set("Retry-After", "0")
			w.WriteHeader([]int{http.StatusTooManyRequests, http.StatusServiceUnavailable}[try-1])
		case r.Method == http.MethodGet && try == 1:
			panic(http.ErrAbortHandler)
		default:
			forward.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(r.Close)
	return r.URL
}
