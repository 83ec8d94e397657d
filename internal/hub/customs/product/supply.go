package product

import (
	"encoding/json"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// Finder finds records by their ids.
type Finder interface {
	FilingsByID(kind string, ids []string, size int) ([]filing.Filing, error)
}

// maxProduct is more than the size of a product in bytes.
const maxProduct = 1 << 20

// ByID returns the products that have some ids, by id.
func ByID(tx Finder, ids []string) (map[string]filing.Filing, error) {
	all, err := tx.FilingsByID(Kind, ids, maxProduct)
	found := make(map[string]filing.Filing, len(all))
	for _, f := range all {
		found[f.ID] = f
	}
	return found, err
}

// Supply fills in what a product says and a line of a calculation lacks: code, origins, documents, additional codes and the
// supplementary unit.
func Supply(f *filing.Filing, l *duty.RequestLine) (*duty.Product, error) {
	var p Product
	if err := json.Unmarshal(f.Body, &p); err != nil {
		return nil, err
	}
	l.Supply(p.CommodityCode)
	if l.Origin == "" {
		l.Origin = p.CountryOfOrigin
	}
	if l.PreferentialOrigin == "" {
		l.PreferentialOrigin = p.PreferentialOrigin
	}
	for _, d := range p.Documents {
		if d.Reference != "" { // without one it is a document that the goods need, not one that is held
			l.Facts.Documents = append(l.Facts.Documents, duty.Document{Code: d.Category + d.Type, Reference: d.Reference, Status: d.Status})
		}
	}
	if l.AdditionalCodes == nil {
		l.AdditionalCodes = p.taric()
	}
	return &duty.Product{ID: f.ID, Code: p.Code, Version: f.Version}, nil
}

// taric are the TARIC additional codes of the product.
func (p *Product) taric() (codes []string) {
	for _, c := range p.AdditionalCodes {
		if c.Type == "TRA" && !slices.Contains(codes, c.Code) {
			codes = append(codes, c.Code)
		}
	}
	return codes
}
