package mapping_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/mapping/mappingtest"
)

func TestShow(t *testing.T) {
	tables, err := mappingtest.Work()
	if err != nil {
		t.Fatal(err)
	}
	s := mappingtest.Measure(tables)
	for _, m := range s.Misses {
		t.Log(m)
	}
	s.Misses = nil
	t.Logf("%+v", s)
}
