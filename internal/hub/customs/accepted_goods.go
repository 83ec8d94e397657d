package customs

import (
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// Bodies reads complete declarations of one organisation.
type Bodies interface {
	Bodies(filing.Query) ([]filing.Filing, error)
}

// Limits of reading declarations for AcceptedGoods.
const (
	acceptedPage  = 8        // declarations per read, each of up to 4 MB
	acceptedBytes = 16 << 20 // in total for one state
)

// AcceptedGoods returns descriptions and commodity codes from the newest declarations that customs has cleared or accepted:
// each description once, with its newest code, and at most limit of them.
func AcceptedGoods(tx Bodies, most int) ([]nomenclature.Text, error) {
	t := acceptedGoods{most: most, seen: map[string]bool{}}
	for _, status := range []lifecycle.State{Cleared, lifecycle.Accepted} {
		if err := t.read(tx, status); err != nil {
			return nil, err
		}
	}
	return t.goods, nil
}

type acceptedGoods struct {
	goods []nomenclature.Text
	seen  map[string]bool // descriptions
	most  int
}

func (t *acceptedGoods) read(tx Bodies, status lifecycle.State) error {
	var after filing.Position
	for size := 0; size < acceptedBytes && len(t.goods) < t.most; {
		page, err := tx.Bodies(filing.Query{Kind: DeclarationKind, Status: status, After: after, Limit: acceptedPage})
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

// add adds the items of one declaration.
func (t *acceptedGoods) add(body []byte) error {
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
