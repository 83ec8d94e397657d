package api

import "testing"

// Messages about parameters are those of the API, also where the framework has its own.
func TestPlainMessage(t *testing.T) {
	for text, want := range map[string]string{
		`expected value to be one of "minute, hour, day"`: "must be one of minute, hour, day",
		"expected number >= 1":                            "must be a number of at least 1",
		"is not a country":                                "is not a country",
	} {
		if got := plainMessage(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
