package assist_test

import (
	"errors"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// An answer whose codes the tariff in force does not have is refused with its place, not ignored.
func TestStaleAnswers(t *testing.T) {
	s := open()
	found, err := s.Classify(ctx, ours, assist.Question{Description: "cotton"})
	if err != nil || len(found.Suggestions) == 0 {
		t.Fatalf("%+v, %v", found, err)
	}
	code := found.Suggestions[0].Code
	for _, fits := range []string{code, code[:4] + "000000-" + code[:4] + "999999", "none of " + code, "unknown " + code} {
		if _, err := s.Classify(ctx, ours, assist.Question{Description: "cotton", Answers: []string{fits}}); err != nil {
			t.Errorf("%q: %v", fits, err)
		}
	}
	for _, stale := range []string{"9999999999", "9999000000-9999999999", "none of " + code + ",9999999999", "unknown 9999999999"} {
		_, err := s.Classify(ctx, ours, assist.Question{Description: "cotton", Answers: []string{code, stale}})
		var fault *apierr.Error
		if !errors.As(err, &fault) || len(fault.Details) != 1 || fault.Details[0].Field != "answers[1]" {
			t.Errorf("%q: %v", stale, err)
		}
	}
}
