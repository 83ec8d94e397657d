package portal_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/internal/webhook/portal"
)

// unlimited are the methods of a transaction that reach no endpoint, or only what a limited method has returned before.
var unlimited = []string{
	"AddMail", "AddNotice", "CompleteDelivery", "CompleteOnce", "Enqueue", "Mode", "NextEventTime", "Notice", "Now", "Org", "Organisation", "OwnerIDs",
	"RealNow", "RecordNotified", "Subscribers", "TestClock",
}

// Every method of a transaction about endpoints is limited to those of the link, or is known to reach none: a new method is one of
// the two before a page of the portal can call it.
func TestEveryMethodIsLimited(t *testing.T) {
	all, limited := reflect.TypeFor[webhook.Tx](), reflect.TypeFor[portal.Limited]()
	for i := range all.NumMethod() {
		name := all.Method(i).Name
		_, has := limited.MethodByName(name)
		if has == slices.Contains(unlimited, name) {
			t.Errorf("%s must be either limited or in the list of methods that need not be; limited: %t", name, has)
		}
	}
	for _, name := range unlimited {
		if _, has := all.MethodByName(name); !has {
			t.Errorf("%s is no method of a transaction any more", name)
		}
	}
}
