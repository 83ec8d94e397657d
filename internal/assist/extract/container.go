package extract

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

var (
	containerLike = lazyregexp.New(`\b[A-Z]{3}[UJZ][ -]?\d{3}[ ]?\d{3}[ /-]?\d\b`)
	sealLike      = lazyregexp.New(`(?i)\bseal(?:s)?(?: ?nos?\.?| number)?[ :#./-]*([A-Z]{0,4}-?[0-9][A-Z0-9-]{3,14})\b`)
	packagesLike  = lazyregexp.New(`(?i)\b(\d[\d.,' ]*?) ?(?:ctns?|cartons?|pkgs?|packages?|pallets?|plts?|cases?|boxes|bags|drums|rolls|crates|bales|colli|pieces|sacks|skids|bundles|kartons?|cs)\b`)
	massLike      = lazyregexp.New(`(?i)\b\d[\d.,' ]*? ?(?:kgs?|kgm|mts?|tonnes|lbs?)\b`)
	volumeLike    = lazyregexp.New(`(?i)\b\d[\d.,' ]*? ?(?:cbms?|m3|m³|cu\.? ?m)`)
)

// maxContainers is the largest number of containers that are read.
const maxContainers = 500

// containers returns all containers, each once, with the values beside their numbers.
func (r *reading) containers() (found []Container) {
	seen := map[string]bool{}
	for _, row := range r.rows {
		for _, c := range row.cells {
			for _, text := range containerLike.FindAllString(c.Text, 20) {
				number, err := ident.ParseContainer(strings.NewReplacer("-", "", "/", "").Replace(text))
				if err != nil || seen[string(number)] || len(found) >= maxContainers {
					continue
				}
				seen[string(number)] = true
				found = append(found, r.container(number, c))
			}
		}
	}
	return found
}

func (r *reading) container(number ident.Container, c *cell) Container {
	sure := certain
	if !number.ValidChecksum() {
		sure = 40
		r.note("The check digit of container " + string(number) + " does not fit.")
	}
	k := Container{Number: field(string(number), candidate{cell: c, sure: 97}, sure)}
	if i, own := r.itemOf(c); i != nil {
		k.Seal = fieldOf(i, "seal", r.identifier)
		if own {
			k.PackageCount, k.GrossMassKg, k.VolumeM3 = fieldOf(i, "packages", r.count), fieldOf(i, "gross", r.mass), fieldOf(i, "volume", r.volume)
		}
	}
	r.besideContainer(&k, c)
	return k
}

// itemOf returns the table line of a cell; own reports whether the line is about the container
// and not about goods.
func (r *reading) itemOf(c *cell) (i *item, own bool) {
	for _, t := range r.tables {
		for _, i := range t.items {
			for k, cells := range i.cells {
				if (k == "container" || k == "marks" || k == "description" || k.isUnnamed()) && slices.Contains(cells, c) {
					return i, t.isContainers()
				}
			}
		}
	}
	return nil, false
}

// besideContainer reads seal, packages, mass and volume from the container's line of text, and
// the seal from the line below.
func (r *reading) besideContainer(k *Container, c *cell) {
	text := c.Text
	if !c.taken {
		for _, d := range c.row.cells {
			if d != c {
				text += " / " + d.Text
			}
		}
	}
	from := candidate{cell: c, sure: 88}
	if m := sealLike.FindStringSubmatch(text); m != nil && k.Seal == nil {
		k.Seal = field(m[1], from, certain)
	}
	if m := packagesLike.FindStringSubmatch(text); m != nil && k.PackageCount == nil {
		from.text = m[1]
		if v, sure, ok := r.count(from); ok {
			k.PackageCount = field(v, from, sure)
		}
	}
	if from.text = massLike.FindString(text); from.text != "" && k.GrossMassKg == nil {
		if v, sure, ok := r.mass(from); ok {
			k.GrossMassKg = field(v, from, sure)
		}
	}
	if from.text = volumeLike.FindString(text); from.text != "" && k.VolumeM3 == nil {
		if v, sure, ok := r.volume(from); ok {
			k.VolumeM3 = field(v, from, sure)
		}
	}
	if next := r.below(c); next != nil && k.Seal == nil {
		if m := sealLike.FindStringSubmatch(next.Text); m != nil {
			k.Seal = field(m[1], candidate{cell: next, sure: 85}, certain)
		}
	}
}

// below returns the cell on the next line under a cell.
func (r *reading) below(c *cell) *cell {
	if c.row.index+1 >= len(r.rows) || r.rows[c.row.index+1].page != c.row.page {
		return nil
	}
	return overlapping(r.rows[c.row.index+1].cells, c)
}
