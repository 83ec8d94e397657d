package app_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A client that disconnects while the database is busy causes no error in the log.
func TestClientDisconnects(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		i := run(t, b, func(*config.Config) {})
		org, err := i.CreateOrganisation(t.Context(), "Harbour Textiles Ltd", "GB123456789000")
		if err != nil {
			t.Fatal(err)
		}
		release := storetest.Busy(t, i.Store, org.Organisation.ID)
		defer release()
		ctx, leave := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer leave()
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, i.base+"/api/declarations", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+org.Secret)
		if answer, err := http.DefaultClient.Do(r); err == nil {
			answer.Body.Close()
			t.Fatalf("%d from a database that is busy", answer.StatusCode)
		}
		i.log.Await(t, `"code":"shutting_down"`)
		if faults := i.log.Errors(); len(faults) > 0 {
			t.Errorf("the log has %s", strings.Join(faults, ""))
		}
	})
}
