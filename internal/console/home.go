package console

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

// The front page of an organisation.
func (c *Console) homeRoutes() []Route {
	return []Route{{"GET", "/{$}", ForViewer, 0, c.home}}
}

// welcome is what the front page shows of the first steps.
type welcome struct {
	Organisation access.Organisation
	Keys         int // that are good, where the user may know
}

func (c *Console) home(v *visit) error {
	var w welcome
	err := v.view(func(tx Tx) (err error) {
		if w.Organisation, err = tx.Organisation(); err != nil || !v.guest.Role.Covers(tenant.Owner) {
			return err
		}
		keys, err := tx.Keys()
		for _, k := range keys {
			if keyState(k, tx.Now()) == keyActive {
				w.Keys++
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return v.show("home", "Home", w)
}
