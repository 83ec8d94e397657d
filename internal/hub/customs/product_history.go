package customs

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
)

// ProductName returns the name of the product of a client with a code.
func ProductName(clientID, code string) filing.Key {
	return filing.Key{Name: "product.code", Value: strings.ToLower(clientID) + "/" + code}
}

// MaxProductHistory is the number of entries in the history of a product.
const MaxProductHistory = 20

// AcceptedCode is a commodity code under which customs accepted a product.
type AcceptedCode struct {
	CommodityCode   string `json:"commodityCode" doc:"Commodity code" example:"6109100010"`
	CountryOfOrigin string `json:"countryOfOrigin,omitempty" doc:"Country of origin" example:"BD"`
	AcceptedAt      string `json:"acceptedAt" format:"date-time" doc:"When customs accepted the declaration, or granted the amendment" example:"2026-11-24T06:00:00.000Z"`
	DeclarationID   string `json:"declarationId" format:"uuid" doc:"The declaration" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
	MRN             string `json:"mrn,omitempty" doc:"Movement reference number" example:"26GB1234567890ABC1"`
}

// acceptedFor begins the name that an accepted declaration has for a product; the id of the product follows. The value is an
// AcceptedCode without its declaration: the instant comes first, so that the values are in the order of time.
const acceptedFor = "product.accepted."

// text returns the value of the name.
func (c AcceptedCode) text() string {
	return strings.Join([]string{c.AcceptedAt, c.CommodityCode, c.CountryOfOrigin, c.MRN}, " ")
}

// ProductHistory returns the codes under which customs accepted a product, the newest first, each once for a declaration.
func ProductHistory(tx filing.View, productID string) ([]AcceptedCode, error) {
	// A declaration has a code twice only if amendments removed and restored it, or customs accepted it twice.
	values, err := tx.LastNamed(acceptedFor+productID, 2*MaxProductHistory)
	if err != nil {
		return nil, err
	}
	all := []AcceptedCode{}
	for _, v := range values {
		parts := strings.Split(v.Value, " ")
		if len(parts) != 4 || len(all) == MaxProductHistory {
			continue
		}
		c := AcceptedCode{AcceptedAt: parts[0], CommodityCode: parts[1], CountryOfOrigin: parts[2], MRN: parts[3], DeclarationID: v.ID}
		if !slices.ContainsFunc(all, func(o AcceptedCode) bool { return o.DeclarationID == v.ID && o.CommodityCode == c.CommodityCode }) {
			all = append(all, c)
		}
	}
	return all, nil
}

// noteProducts adds to the step the names by which the products of a declaration find it, when customs accepts the declaration
// or an amendment of it.
func noteProducts(tx Tx, f *filing.Filing, a added, ts []Transmission, messages []Message, m Message, step *filing.TransitionData) error {
	accepted, _ := step.Added["acceptedAt"].(string)
	var bodies []acceptedBody
	switch {
	case accepted == "" && a.AcceptedAt == "":
		return nil
	case step.Input != nil:
		bodies = []acceptedBody{{step.Input.Raw, f.Body, audit.Instant(m.at())}}
	case accepted != "" && accepted != a.AcceptedAt:
		bodies = acceptedBodies(f.Body, accepted, ts, messages, a.LRN)
	}
	codes, err := newCodes(bodies)
	if err != nil || len(codes) == 0 {
		return err
	}
	client, _, _, err := tx.FilingClient(DeclarationKind, f.ID)
	if err != nil {
		return err
	}
	mrn, _ := step.Added["mrn"].(string)
	if mrn == "" && a.MRN != nil {
		mrn = *a.MRN
	}
	step.OtherNames, err = acceptedNames(tx, client, mrn, codes)
	return err
}

// acceptedBody is a body that customs accepted, and the one that it replaced; nil for none.
type acceptedBody struct {
	body, former json.RawMessage
	at           string // when customs accepted it
}

// acceptedBodies returns the bodies that customs has accepted from an instant on, oldest first: the message about the acceptance may
// come after that about the grant of an amendment, which then has changed the record already.
func acceptedBodies(now json.RawMessage, accepted string, ts []Transmission, messages []Message, lrn string) []acceptedBody {
	all := []acceptedBody{{body: now, at: accepted}}
	for i := range ts {
		t := &ts[i]
		if t.LRN != lrn || t.Purpose != toAmend || t.Detail.Amendment == nil {
			continue
		}
		granted := slices.IndexFunc(messages, func(m Message) bool { return m.Purpose == toAmend && m.answers(t) && isGrant(&m.Notification) })
		if granted < 0 {
			continue
		}
		if at := audit.Instant(messages[granted].at()); at >= accepted {
			if len(all) == 1 {
				all[0].body = t.Detail.Amendment.Former
			}
			all = append(all, acceptedBody{t.Detail.Amendment.Body, t.Detail.Amendment.Former, at})
		}
	}
	return all
}

// declaredCode is what an item declares of its product.
type declaredCode struct {
	product, commodity, origin string
	at                         string // when customs accepted it
}

// newCodes returns what bodies declare of products and the bodies that they replaced do not, each product and code once for a body.
func newCodes(bodies []acceptedBody) (all []declaredCode, err error) {
	for _, b := range bodies {
		before, err := codesOf(b.former)
		if err != nil {
			return nil, err
		}
		known := map[[2]string]bool{}
		for _, c := range before {
			known[[2]string{c.product, c.commodity}] = true
		}
		codes, err := codesOf(b.body)
		if err != nil {
			return nil, err
		}
		for _, c := range codes {
			if c.at = b.at; !known[[2]string{c.product, c.commodity}] {
				all = append(all, c)
			}
		}
	}
	return all, nil
}

// codesOf returns what a body declares of products, each product and code once.
func codesOf(body json.RawMessage) (codes []declaredCode, err error) {
	var declared struct{ Items []datamodel.Item }
	if body == nil {
		return nil, nil
	}
	if err := json.Unmarshal(body, &declared); err != nil {
		return nil, err
	}
	seen := map[[2]string]bool{}
	for i := range declared.Items {
		item := declared.Items[i].Short()
		id := [2]string{item.ProductCode, item.CommodityCode}
		if id[0] != "" && id[1] != "" && !seen[id] {
			seen[id] = true
			codes = append(codes, declaredCode{product: item.ProductCode, commodity: item.CommodityCode, origin: item.CountryOfOrigin})
		}
	}
	return codes, nil
}

// acceptedNames returns the names of a declaration for the products of a client with these codes.
func acceptedNames(tx filing.View, client, mrn string, codes []declaredCode) (names []filing.Key, err error) {
	distinct := map[filing.Key]bool{}
	for _, c := range codes {
		distinct[ProductName(client, c.product)] = true
	}
	products, err := tx.NamedFilings(slices.Collect(maps.Keys(distinct)))
	for _, c := range codes {
		if p, found := products[ProductName(client, c.product)]; found {
			entry := AcceptedCode{AcceptedAt: c.at, CommodityCode: c.commodity, CountryOfOrigin: c.origin, MRN: mrn}
			names = append(names, filing.Key{Name: acceptedFor + p.ID, Value: entry.text()})
		}
	}
	return names, err
}
