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
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// ReviewInput is a declaration with the other records that its document is made from.
type ReviewInput struct {
	Filing      filing.Filing
	Declaration Declaration
	Shipment    Shipment
	Client      Client
	Trader      access.Profile // of the organisation
	At          time.Time      // time of the review: for a submitted declaration, its submission
	Earlier     []EarlierDeclaration
	Simulated   bool                  // whether the document would go to a simulator
	Mocked      []filing.SimulatedUse // references that this service made, which HMRC would get; nil if the document goes to a simulator
	Values      []duty.Value          // customs values with their working, which the items have too; nil without prices

	lrn, reference string // of the declaration and of its shipment; empty while they are not stored
	simplified     simplified
}

// EarlierDeclaration is an earlier declaration of the organisation with the same invoice or goods.
type EarlierDeclaration struct {
	ID        string
	LRN       string
	Status    lifecycle.State
	CreatedAt time.Time
	Invoice   bool // whether it has the same invoice; otherwise it has the same goods
}

// ReviewInput reads the input of a review. The number of SQL statements does not depend on the number of items.
func (s *Service) ReviewInput(tx Tx, id string) (p ReviewInput, err error) {
	if p.Filing, err = tx.Filing(s.Type.Kind, id); err != nil {
		return p, err
	}
	all, err := gather(tx, &p.Filing)
	if err != nil {
		return p, err
	}
	p.Declaration, p.Shipment, p.Client, p.Trader = all.declaration, all.shipment, all.client, all.organisation.Profile
	p.reference, p.simplified = all.reference, all.simplified
	a, err := addedOf(&p.Filing)
	if err != nil {
		return p, err
	}
	p.lrn = a.LRN
	if p.Simulated, err = s.isSimulated(tx); err != nil {
		return p, err
	}
	if p.Mocked, err = s.mocked(tx, p.Simulated, p.Filing.Body); err != nil {
		return p, err
	}
	if p.At, err = reviewTime(&p.Filing, tx.Now()); err != nil {
		return p, err
	}
	p.Earlier, err = earlier(tx, &p)
	p.AddValues(s.Rates)
	return p, err
}

// AddValues gives the items their computed customs values, once.
func (p *ReviewInput) AddValues(r Rates) {
	if p.Values != nil {
		return
	}
	p.Values = p.Declaration.Values(r, p.At)
	p.Declaration.Items = valued(p.Declaration.Items, p.Values)
}

// noRecord is an ID that no record has.
const noRecord = "00000000-0000-0000-0000-000000000000"

// ReviewInputOfDraft returns the input for a declaration that is not stored yet: a new one, or a correction of the one with
// an ID.
func (s *Service) ReviewInputOfDraft(tx Tx, id string, d Declaration, shipment Shipment, client Client) (p ReviewInput, err error) {
	p = ReviewInput{Filing: filing.Filing{ID: noRecord, Kind: s.Type.Kind, CreatedAt: tx.Now()}, Declaration: d, Shipment: shipment, Client: client, At: tx.Now()}
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
	if p.Simulated, err = s.isSimulated(tx); err != nil {
		return p, err
	}
	body, err := json.Marshal(d)
	if err != nil {
		return p, fmt.Errorf("customs: declaration: %w", err)
	}
	if p.Mocked, err = s.mocked(tx, p.Simulated, body); err != nil {
		return p, err
	}
	if d.Supplements != "" {
		if p.simplified, err = simplifiedOf(tx, d.Supplements); err != nil {
			return p, err
		}
	}
	p.Earlier, err = earlier(tx, &p)
	p.AddValues(s.Rates)
	return p, err
}

// reviewTime returns the current time for a declaration that can be corrected, and otherwise the time of submission.
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

// earlier finds similar declarations that were created before.
func earlier(tx Tx, p *ReviewInput) (all []EarlierDeclaration, err error) {
	found, err := tx.Namesakes(matchingKeys(&p.Declaration), p.Filing.ID)
	if err != nil {
		return nil, err
	}
	for _, n := range found {
		later := cmp.Or(n.CreatedAt.Compare(p.Filing.CreatedAt), cmp.Compare(n.ID, p.Filing.ID)) > 0 // IDs decide within a millisecond
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

// Kinds of names by which similar declarations are found.
const (
	invoiceName = "declaration.invoice"
	goodsName   = "declaration.goods"
)

// invoicesNamed is the number of invoices that are used as names.
const invoicesNamed = 3

// Invoices are the document codes (DE 2/3) of invoices.
var Invoices = []string{"N935", "N380", "N325"}

// matchingKeys returns the names that similar declarations share: their invoices or, without any, a digest of the goods. The
// number is limited, because each name is a row in the database.
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

// goodsDigest returns a digest of the items' codes, origins, masses and values.
func goodsDigest(items []Item) string {
	sum := sha256.New()
	for i := range items {
		fmt.Fprintf(sum, "%s %s %s %s\n", items[i].CommodityCode, items[i].CountryOfOrigin, items[i].NetMass(), items[i].Value())
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}
