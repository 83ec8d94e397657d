package apierr_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// An Error is found by its code through wrapping, and its cause is in the log but not in the message.
func TestError(t *testing.T) {
	err := fmt.Errorf("store: read: %w", apierr.New(apierr.StoreUnavailable, "Try again in %d s.", 5).WithCause(io.ErrUnexpectedEOF))
	e, ok := apierr.As(err)
	if !ok || e.Code != apierr.StoreUnavailable || e.Message != "Try again in 5 s." {
		t.Errorf("found %+v", e)
	}
	if !apierr.Is(err, apierr.StoreUnavailable) || apierr.Is(err, apierr.Internal) {
		t.Error("codes are not distinguished")
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error("the cause is lost")
	}
	if got := e.Error(); got != "store_unavailable: Try again in 5 s.: unexpected EOF" {
		t.Errorf("logged as %q", got)
	}
	if got := apierr.New(apierr.NotFound, "Gone.").Error(); got != "not_found: Gone." {
		t.Errorf("logged as %q", got)
	}
}

// An internal error and nil have no code.
func TestForeignErrors(t *testing.T) {
	for _, err := range []error{nil, io.EOF} {
		if _, ok := apierr.As(err); ok || apierr.Is(err, "") || apierr.Is(err, apierr.Internal) {
			t.Errorf("%v passes for an answer", err)
		}
	}
}

// Invalid names every field, in order, in the sentence and in the details.
func TestInvalid(t *testing.T) {
	details := []apierr.Detail{{Field: "items[0].netMassKg", Message: "must not be negative"}, {Field: "name", Message: "is required"}}
	e := apierr.Invalid(details...)
	if e.Code != apierr.InvalidRequest || e.Message != "The request is not valid: items[0].netMassKg, name." || len(e.Details) != 2 || e.Details[1] != details[1] {
		t.Errorf("got %+v", e)
	}
}

// A record that does not exist and one of another organisation give the same answer.
func TestMissing(t *testing.T) {
	if a, b := apierr.Missing(), apierr.Missing(); a.Code != apierr.NotFound || a.Error() != b.Error() || a == b {
		t.Errorf("%v and %v", a, b)
	}
}
