package console

import (
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/signin"
)

// Table returns the routes of all areas.
func Table() (all []page.Route) {
	for _, a := range areas(Options{Design: true}, &signin.SignIn{}) {
		all = append(all, a.Routes...)
	}
	return all
}
