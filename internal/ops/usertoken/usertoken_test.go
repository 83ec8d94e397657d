package usertoken_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/ops/usertoken"
)

// Refreshed tokens are on disk before they are used, also with several processes. A failed refresh keeps the old ones.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token.json")
	if err := os.WriteFile(path, []byte(`{"Access":"a0","Refresh":"r0"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	one, two := usertoken.New(path), usertoken.New(path)
	var all sync.WaitGroup
	for n := range 20 {
		all.Go(func() {
			_, err := []*usertoken.File{one, two}[n%2].Refresh(t.Context(), func(old client.Token) (client.Token, error) {
				return client.Token{Access: old.Access + "+", Refresh: old.Refresh + "+"}, nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got, err := one.Load(t.Context())
	if err != nil || got.Refresh != "r0"+strings.Repeat("+", 20) {
		t.Errorf("%+v, %v", got, err)
	}
	refused := errors.New("refused")
	if _, err := two.Refresh(t.Context(), func(client.Token) (client.Token, error) { return client.Token{}, refused }); !errors.Is(err, refused) {
		t.Errorf("a failed refresh: %v", err)
	}
	if again, _ := one.Load(t.Context()); again != got {
		t.Errorf("%+v after a failed refresh", again)
	}
}
