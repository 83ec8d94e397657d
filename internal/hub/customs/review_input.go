package customs

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// ReviewInput are a declaration with all that goes to customs beside it.
type ReviewInput struct {
	Filing      filing.Filing
	Declaration Declaration
	Shipment    Shipment
	Client      Client
	Trader      access.Profile // what the organisation says of itself
	At          time.Time      // as of when they are judged: what customs has, as of its submission
	Earlier     []EarlierDeclaration
}

// EarlierDeclaration is another declaration of the organisation that is like this one.
type EarlierDeclaration struct {
	ID        string
	LRN       string
	Status    lifecycle.State
	CreatedAt time.Time
	Invoice   bool // it has the same invoice, or else the same goods
}

// ReviewInput gathers them, in as many statements for one item as for 999.
func (s *Service) ReviewInput(tx Tx, id string) (p ReviewInput, err error) {
	if p.Filing, err = tx.Filing(s.Type.Kind, id); err != nil {
		return p, err
	}
	all, err := gather(tx, &p.Filing)
	if err != nil {
		return p, err
	}
	p.Declaration, p.Shipment, p.Client, p.Trader = all.declaration, all.shipment, all.client, all.organisation.Profile
	if p.At, err = reviewTime(&p.Filing, tx.Now()); err != nil {
		return p, err
	}
	p.Earlier, err = earlier(tx, &p)
	return p, err
}

// nobody is the id of no record.
const nobody = "00000000-0000-0000-0000-000000000000"

// ReviewInputOfDraft gathers the papers of a declaration as somebody is about to store it: anew,
// or in place of the one with an id.
func (s *Service) ReviewInputOfDraft(tx Tx, id string, d Declaration, shipment Shipment, client Client) (p ReviewInput, err error) {
	p = ReviewInput{Filing: filing.Filing{ID: nobody, Kind: s.Type.Kind, CreatedAt: tx.Now()}, Declaration: d, Shipment: shipment, Client: client, At: tx.Now()}
	if id != "" {
		if p.Filing, err = tx.Filing(s.Type.Kind, id); err != nil {
			return p, err
		}
	}
	o, err := tx.Organisation()
	if err != nil {
		return p, err
	}
	p.Trader = o.Profile
	p.Earlier, err = earlier(tx, &p)
	return p, err
}

// reviewTime is now for what can still be corrected, and the submission for the rest.
func reviewTime(f *filing.Filing, now time.Time) (time.Time, error) {
	var a DeclarationAdds
	if err := json.Unmarshal(f.Added, &a); err != nil {
		return time.Time{}, fmt.Errorf("customs: declaration: %w", err)
	}
	at, err := time.Parse(time.RFC3339, a.SubmittedAt)
	if err != nil || f.Status == lifecycle.Draft || f.Status == lifecycle.Rejected {
		return now, nil
	}
	return at, nil
}

// earlier finds those like it that were made before it.
func earlier(tx Tx, p *ReviewInput) (all []EarlierDeclaration, err error) {
	found, err := tx.Namesakes(matchingKeys(&p.Declaration), p.Filing.ID)
	if err != nil {
		return nil, err
	}
	for _, n := range found {
		later := cmp.Or(n.CreatedAt.Compare(p.Filing.CreatedAt), cmp.Compare(n.ID, p.Filing.ID)) > 0 // of one millisecond, ids tell
		if later {
			continue
		}
		var a added
		if err := json.Unmarshal(n.Added, &a); err != nil {
			return nil, fmt.Errorf("customs: declaration: %w", err)
		}
		all = append(all, EarlierDeclaration{ID: n.ID, LRN: a.LRN, Status: n.Status, CreatedAt: n.CreatedAt, Invoice: n.Key.Name == invoiceName})
	}
	return all, nil
}

// Names that a declaration goes by, so that one like it is found.
const (
	invoiceName = "declaration.invoice"
	goodsName   = "declaration.goods"
)

// invoicesNamed is how many invoices a declaration goes by.
const invoicesNamed = 3

// Invoices are the codes of documents (DE 2/3) that are invoices.
var Invoices = []string{"N935", "N380", "N325"}

// matchingKeys are what two declarations of the same goods have in common: their
// invoices or, where there are none, the goods as they are declared. A name costs a
// row for every declaration, so there are no more than are asked for.
func matchingKeys(d *Declaration) (names []filing.Key) {
	for _, doc := range d.Documents {
		name := filing.Key{Name: invoiceName, Value: d.DeclarationType + " " + normalise(doc.Reference)}
		if len(names) < invoicesNamed && doc.isInvoice() && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if names == nil {
		names = []filing.Key{{Name: goodsName, Value: d.DeclarationType + " " + goodsDigest(d.Items)}}
	}
	return names
}

func (d Document) isInvoice() bool { return slices.Contains(Invoices, d.Type) }

// goodsDigest is the same for items with the same codes, origins, masses and values.
func goodsDigest(items []Item) string {
	sum := sha256.New()
	for i := range items {
		fmt.Fprintf(sum, "%s %s %s %s\n", items[i].CommodityCode, items[i].CountryOfOrigin, items[i].NetMassKg, items[i].CustomsValueGBP)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}
