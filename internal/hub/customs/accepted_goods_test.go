package customs_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// fakeBodies holds declarations by state, the newest first.
type fakeBodies struct {
	bodies map[lifecycle.State][]string
	read   int
	err    error
}

func (s *fakeBodies) Bodies(q filing.Query) (page []filing.Filing, err error) {
	for i, body := range s.bodies[q.Status] {
		id := fmt.Sprintf("%04d", len(s.bodies[q.Status])-i)
		if q.Kind == "declaration" && (q.After.ID == "" || id < q.After.ID) && len(page) < q.Limit {
			page = append(page, filing.Filing{ID: id, Body: []byte(body), CreatedAt: time.Unix(int64(i), 0)})
			s.read++
		}
	}
	return page, s.err
}

func declarationLifecycle(pairs ...string) string {
	var items []string
	for i := 0; i < len(pairs); i += 2 {
		items = append(items, fmt.Sprintf(`{"description":%q,"commodityCode":%q,"netMassKg":1.5}`, pairs[i], pairs[i+1]))
	}
	return `{"declarationType":"IMPORT","items":[` + strings.Join(items, ",") + `]}`
}

// Accepted goods have each description once, with its newest code, within one organisation.
func TestAcceptedGoods(t *testing.T) {
	s := &fakeBodies{bodies: map[lifecycle.State][]string{
		customs.Cleared:    {declarationLifecycle("Tea", "0902300000", "Cups", "3924100090"), declarationLifecycle("Tea", "0902100000")},
		lifecycle.Accepted: {declarationLifecycle("Bears", "9503004100", "Cups", "6912002500")},
		lifecycle.Draft:    {declarationLifecycle("Draft", "0901210000")},
		lifecycle.Rejected: {declarationLifecycle("Rejected", "0901210000")},
	}}
	got, err := customs.AcceptedGoods(s, 10)
	want := []nomenclature.Text{{Text: "Tea", Code: "0902300000"}, {Text: "Cups", Code: "3924100090"}, {Text: "Bears", Code: "9503004100"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	if got, _ = customs.AcceptedGoods(s, 2); !slices.Equal(got, want[:2]) {
		t.Errorf("at most two: %v", got)
	}
}

// Many declarations are read in pages, up to the limits of number and size.
func TestAcceptedGoodsLimits(t *testing.T) {
	s := &fakeBodies{bodies: map[lifecycle.State][]string{}}
	for i := range 100 {
		s.bodies[customs.Cleared] = append(s.bodies[customs.Cleared], declarationLifecycle(fmt.Sprint("Goods ", i), "0902300000"))
	}
	if got, err := customs.AcceptedGoods(s, 30); err != nil || len(got) != 30 || s.read > 40 {
		t.Errorf("%d goods of %d declarations, %v", len(got), s.read, err)
	}
	if got, _ := customs.AcceptedGoods(s, 1000); len(got) != 100 || got[99].Text != "Goods 99" {
		t.Errorf("%d of 100 goods", len(got))
	}
	long := declarationLifecycle("Tea", "0902300000", strings.Repeat("x", 1<<20), "0902300000")
	s = &fakeBodies{bodies: map[lifecycle.State][]string{customs.Cleared: slices.Repeat([]string{long}, 200)}}
	if got, _ := customs.AcceptedGoods(s, 1000); len(got) != 2 || s.read > 30 {
		t.Errorf("%d declarations of 1 MB were read", s.read)
	}
	s.err = errors.New("down")
	if _, err := customs.AcceptedGoods(s, 1); !errors.Is(err, s.err) {
		t.Errorf("err %v", err)
	}
}
