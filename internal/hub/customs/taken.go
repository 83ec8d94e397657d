package customs

import (
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// Bodies reads declarations of one organisation whole.
type Bodies interface {
	Bodies(filing.Query) ([]filing.Filing, error)
}

// Limits of what is read for the goods that customs has taken.
const (
	takenPage  = 8        // declarations at a time, each of up to 4 MB
	takenBytes = 16 << 20 // of declarations of one state, altogether
)

// Taken are the goods of an organisation that customs has cleared or accepted, as
// descriptions and the codes that they were declared under, each description once, with
// its newest code; those of the newest declarations, and at most as many as are wanted.
func Taken(tx Bodies, most int) ([]nomenclature.Text, error) {
	t := taken{most: most, seen: map[string]bool{}}
	for _, status := range []lifecycle.State{Cleared, lifecycle.Accepted} {
		if err := t.read(tx, status); err != nil {
			return nil, err
		}
	}
	return t.goods, nil
}

type taken struct {
	goods []nomenclature.Text
	seen  map[string]bool // descriptions
	most  int
}

func (t *taken) read(tx Bodies, status lifecycle.State) error {
	var after filing.Position
	for size := 0; size < takenBytes && len(t.goods) < t.most; {
		page, err := tx.Bodies(filing.Query{Kind: DeclarationKind, Status: status, After: after, Limit: takenPage})
		if err != nil || len(page) == 0 {
			return err
		}
		for i := range page {
			size += len(page[i].Body)
			if err := t.add(page[i].Body); err != nil {
				return err
			}
		}
		last := page[len(page)-1]
		after = filing.Position{CreatedAt: last.CreatedAt, ID: last.ID}
	}
	return nil
}

// add takes up the items of one declaration.
func (t *taken) add(body []byte) error {
	var declared struct {
		Items []struct {
			CommodityCode string `json:"commodityCode"`
			Description   string `json:"description"`
		} `json:"items"`
	}
	if err := json.Unmarshal(body, &declared); err != nil {
		return err
	}
	for _, i := range declared.Items {
		if len(t.goods) < t.most && !t.seen[i.Description] {
			t.seen[i.Description] = true
			t.goods = append(t.goods, nomenclature.Text{Text: i.Description, Code: i.CommodityCode})
		}
	}
	return nil
}
