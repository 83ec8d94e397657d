package apierr_test

import (
	"errors"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Faults of several checks are one error, in which the first word about a field counts. Another error is not hidden by them.
func TestFaults(t *testing.T) {
	var f apierr.Faults
	f.Add(nil)
	if err := f.Err(); err != nil {
		t.Errorf("without faults: %v", err)
	}
	f.Add(apierr.Invalid(apierr.Detail{Field: "a", Message: "1"}, apierr.Detail{Field: "a", Message: "2"}))
	f.Add(apierr.Invalid(apierr.Detail{Field: "a", Message: "3"}, apierr.Detail{Field: "b", Message: "4"}))
	e, _ := apierr.As(f.Err())
	if e == nil || len(e.Details) != 3 || e.Details[1].Message != "2" || e.Details[2].Field != "b" {
		t.Errorf("%+v", e)
	}
	down := errors.New("down")
	if f.Add(down); !errors.Is(f.Err(), down) {
		t.Errorf("with another error: %v", f.Err())
	}
}
