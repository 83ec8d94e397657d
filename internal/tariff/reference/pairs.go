package reference

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// pairs are the excise products of CN codes.
type pairs struct {
	products map[string][]string // sorted, by CN code
	last     time.Time
}

func (*pairs) columns() []string {
	return []string{"CnCode", "ExciseProductCode", "activation_date"}
}

var (
	cnShape      = lazyregexp.New(`^[0-9]{8}$`)
	productShape = lazyregexp.New(`^[A-Z][0-9]{3}$`)
)

func (p *pairs) take(cells []string) error {
	day, err := dated(cells[2])
	if err != nil {
		return err
	}
	p.last = later(p.last, day)
	return p.add(cells[0], cells[1])
}

func (p *pairs) add(code, product string) error {
	switch {
	case !cnShape.MatchString(code):
		return fmt.Errorf("%q is no CN code of 8 digits", code)
	case !productShape.MatchString(product):
		return fmt.Errorf("%q is no excise product code", product)
	}
	at, twice := slices.BinarySearch(p.products[code], product)
	if twice {
		return fmt.Errorf("%s occurs twice with %s", code, product)
	}
	if p.products == nil {
		p.products = map[string][]string{}
	}
	p.products[code] = slices.Insert(p.products[code], at, product)
	return nil
}

func (p *pairs) newest() time.Time { return p.last }

func (p *pairs) rows() (n int) {
	for _, products := range p.products {
		n += len(products)
	}
	return n
}

func (p *pairs) pack(write func(string) error) error {
	for _, code := range slices.Sorted(maps.Keys(p.products)) {
		if err := write(code + " " + strings.Join(p.products[code], " ")); err != nil {
			return err
		}
	}
	return nil
}

func (p *pairs) unpack(line string) error {
	words := strings.Fields(line)
	if len(words) < 2 {
		return fmt.Errorf("reference: pairs: %q", line)
	}
	for _, product := range words[1:] {
		if err := p.add(words[0], product); err != nil {
			return fmt.Errorf("reference: pairs: %w", err)
		}
	}
	return nil
}
