package search_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/records/search"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// many is the number of declarations of the organisation.
const many = 100_000

// BenchmarkFind searches 100,000 declarations with a realistic vocabulary, for frequent, rare and
// missing words.
func BenchmarkFind(b *testing.B) {
	for _, place := range []func(testing.TB) storetest.Backend{storetest.SQLite, storetest.Postgres} {
		b.Run("", func(b *testing.B) {
			backend := place(b)
			o := newFixture(b, backend.Open(b), 1)
			o.fill(many)
			began := time.Now()
			if err := o.find.CatchUp(b.Context(), o.org); err != nil {
				b.Fatal(err)
			}
			b.Logf("%s: index of %d built in %v", backend.Name, many, time.Since(began))
			for name, q := range map[string]search.Query{
				"usual":  {Text: "cotton shirts"},
				"rare":   {Text: "zebra"},
				"never":  {Text: "qqqq"},
				"states": {Statuses: []string{"REJECTED", "SUBMITTED"}},
				"all":    {Text: "needle quay", Statuses: []string{"CLEARED"}, Directions: []string{"EXPORT"}, ClientID: o.clients[3]},
				"lrn":    {Text: "TWS000"},
			} {
				b.Run(backend.Name+"/"+name, func(b *testing.B) {
					q.Limit = 50
					for b.Loop() {
						if _, err := o.find.Find(b.Context(), o.org, q); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		})
	}
}

// fill creates declarations from 12,000 words, some of which are much more frequent.
func (o *fixture) fill(count int) {
	random := rand.New(rand.NewPCG(1, 2))
	var ships []string
	for n := range 40 {
		ships = append(ships, o.ship("", o.client(fmt.Sprintf("Client %d Quay Ltd", n)), 1))
	}
	usual := []string{"cotton", "shirts", "men's", "steel", "screws", "plastic", "boxes", "printed", "parts", "of", "for", "machines"}
	word := func() string {
		if random.IntN(3) > 0 {
			return usual[random.IntN(len(usual))]
		}
		return fmt.Sprintf("w%xord%d", random.IntN(60), random.IntN(200))
	}
	for made := 0; made < count; made += 1000 {
		o.declare(1000, func(n int) (string, string, string, string) {
			text := fmt.Sprint(word(), " ", word(), " ", word(), " ", word(), " ", word(), " ", word())
			if n == 5 {
				text += " zebra"
			}
			status := []string{"DRAFT", "CLEARED", "CLEARED", "CLEARED", "ACCEPTED"}[random.IntN(5)]
			return status, "IMPORT", ships[random.IntN(len(ships))], text
		})
	}
}
