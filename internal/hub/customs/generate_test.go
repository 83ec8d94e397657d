package customs_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// generator makes bodies from the types of the data model and the limits in their tags. The same seed makes the same bodies.
type generator struct {
	*rand.Rand
	fullness float64 // of the optional members
	none     bool    // nothing is added, so that an amount need not have a currency
}

// leftOut are members that the generator does not make: those that name other records, and those that it sets itself.
var leftOut = []string{"shipmentId", "declarationType", "productCode", "supplements", "without", "dataSet", "fill", "declarationCode", "reference", "metadata",
	"uniqueReference", "accessCode", "sku"}

// declarationFor makes a body of a data set.
func declarationFor(seed uint64, set dataset.Set, fill, shipment string) map[string]any {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 17)), none: fill == datamodel.FillNone}
	g.fullness = []float64{0.05, 0.3, 0.6, 0.95}[g.IntN(4)]
	body, _ := g.structure(reflect.TypeFor[datamodel.Header]()).(map[string]any)
	if body == nil {
		body = map[string]any{}
	}
	body["shipmentId"], body["dataSet"], body["fill"], body["declarationType"] = shipment, string(set), fill, customs.Import
	if set.Exports() {
		body["declarationType"] = customs.Export
	}
	if set == dataset.H5 || set == dataset.B4 {
		body["declarationCode"] = "CO"
	}
	body["additionalType"] = string("ADYZ"[g.IntN(4)])
	if !set.Allows(body["additionalType"].(string)) {
		for _, letter := range "QRXJKCFBE" {
			if set.Allows(string(letter)) {
				body["additionalType"] = string(letter)
			}
		}
	}
	if g.IntN(4) == 0 && !g.none {
		body["without"] = []any{[]string{"seller", "items[].taxLines", "transport.border.mode", "items[0].documents"}[g.IntN(4)]}
	}
	if g.IntN(3) == 0 {
		body["documents"] = []any{map[string]any{"type": "N935", "reference": "INV-" + strconv.FormatUint(seed, 10), "status": "AC"}}
	}
	var items []any
	for range 1 + g.IntN(3) {
		items = append(items, g.item())
	}
	body["items"] = items
	return body
}

// fullForms are the short forms that each full form replaces.
var fullForms = map[string][]string{
	"classifications": {"commodityCode", "taricAdditionalCodes", "nationalAdditionalCodes", "cusCode"}, "procedures": {"procedureCode", "additionalProcedureCodes"},
	"origins": {"countryOfOrigin", "preferentialOrigin"}, "packages": {"packageCount", "packageType"},
}

func (g *generator) item() map[string]any {
	item, _ := g.structure(reflect.TypeFor[datamodel.Item]()).(map[string]any)
	if item == nil {
		item = map[string]any{}
	}
	item["description"] = g.text(1, 512, "")
	for _, full := range slices.Sorted(maps.Keys(fullForms)) {
		if g.IntN(2) == 0 {
			delete(item, full)
			continue
		}
		for _, short := range fullForms[full] {
			delete(item, short)
		}
	}
	if lines, ok := item["taxLines"].([]any); ok {
		for _, short := range []string{"preferenceCode", "quotaOrderNumber"} {
			if g.IntN(2) == 0 {
				delete(item, short)
				continue
			}
			first := lines[0].(map[string]any)
			delete(first, short)
			if len(first) == 0 {
				first["type"] = "A00"
			}
		}
	}
	documents, _ := item["documents"].([]any)
	for _, d := range documents {
		if kind, ok := d.(map[string]any)["type"].(string); ok && d.(map[string]any)["category"] != nil {
			d.(map[string]any)["type"] = string([]rune(kind)[:min(3, len([]rune(kind)))])
		}
	}
	if item["quantity"] == nil && item["supplementaryUnits"] == nil {
		delete(item, "supplementaryUnit") // the unit of nothing
	}
	return item
}

// structure makes an object, or nil if all members are left out.
func (g *generator) structure(t reflect.Type) any {
	out := map[string]any{}
	g.members(t, out)
	if len(out) == 0 {
		return nil
	}
	return out
}

func (g *generator) members(t reflect.Type, out map[string]any) {
	for n := range t.NumField() {
		field := t.Field(n)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous:
			if field.Type.Kind() == reflect.Struct {
				g.members(field.Type, out)
			}
		case name == "" || name == "-" || slices.Contains(leftOut, name) && t == reflect.TypeFor[datamodel.Header]() || slices.Contains([]string{"productCode", "accessCode"}, name):
		case options == "" || name == "currency" && !g.none || g.Float64() < g.fullness:
			if v := g.value(field.Type, field.Tag); v != nil {
				out[name] = v
			}
		}
	}
}

// decimals make numbers at the limits of their types: digits before and after the decimal point.
var decimals = map[reflect.Type][2]int{
	reflect.TypeFor[quantity.Sum](): {13, 3}, reflect.TypeFor[quantity.Mass](): {10, 6}, reflect.TypeFor[quantity.Number](): {10, 6}, reflect.TypeFor[quantity.Rate](): {7, 5},
	reflect.TypeFor[quantity.Money](): {9, 2},
}

func (g *generator) value(t reflect.Type, tag reflect.StructTag) any {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if digits, ok := decimals[t]; ok {
		return g.decimal(digits)
	}
	switch t.Kind() {
	case reflect.String:
		return g.textOf(tag)
	case reflect.Bool:
		return g.IntN(2) == 0
	case reflect.Int64:
		most, _ := strconv.ParseInt(tag.Get("maximum"), 10, 64)
		return []int64{0, 1, 1 + g.Int64N(most), most}[g.IntN(4)]
	case reflect.Slice:
		return g.list(t.Elem(), tag)
	case reflect.Struct:
		return g.structure(t)
	}
	panic(fmt.Sprintf("no value of type %s", t))
}

func (g *generator) list(of reflect.Type, tag reflect.StructTag) any {
	var all []any
	for range 1 + g.IntN(3) {
		v := any(nil)
		if of.Kind() == reflect.String {
			v = g.code(strings.Contains(tag.Get("doc"), "UN numbers"), strings.Contains(tag.Get("doc"), "1/11"))
		} else {
			v = g.value(of, "")
		}
		if v != nil {
			all = append(all, v)
		}
	}
	if all == nil {
		return nil
	}
	return all
}

// code makes a UN number, an additional procedure, or an additional code.
func (g *generator) code(digits, three bool) string {
	switch {
	case digits:
		return fmt.Sprintf("%04d", g.IntN(10000))
	case three:
		return g.pick("0123456789ABCDEF", 3)
	}
	return g.pick("0123456789ABCDEFVXZ", 1+g.IntN(4))
}

func (g *generator) pick(alphabet string, n int) string {
	out := make([]byte, n)
	for k := range out {
		out[k] = alphabet[g.IntN(len(alphabet))]
	}
	return string(out)
}

// decimal makes 0, a small number, one with all decimal places, or one with all digits.
func (g *generator) decimal(digits [2]int) json.Number {
	whole := g.pick("123456789", 1) + g.pick("0123456789", digits[0]-1)
	fraction := g.pick("0123456789", digits[1]-1) + g.pick("123456789", 1)
	return json.Number([]string{"0", "7.5", "1." + fraction, whole + "." + fraction, whole}[g.IntN(5)])
}

const (
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits   = "0123456789"
)

// odd are characters that XML and JSON write in special ways, and letters beyond ASCII.
var odd = []rune("abcXYZ 0189-/.,:()&<>\"'éÜß€中\\")

func (g *generator) textOf(tag reflect.StructTag) string {
	least, _ := strconv.Atoi(tag.Get("minLength"))
	most, _ := strconv.Atoi(tag.Get("maxLength"))
	if values := tag.Get("enum"); values != "" {
		all := strings.Split(values, ",")
		return all[g.IntN(len(all))]
	}
	if tag.Get("format") == "country" {
		return []string{"GB", "FR", "BD", "XI", "CN"}[g.IntN(5)]
	}
	return g.text(max(least, 1), most, tag.Get("pattern"))
}

// text makes a text of a pattern, or of a length at or between the limits.
func (g *generator) text(least, most int, pattern string) string {
	switch pattern {
	case "":
		n := []int{least, most, least + g.IntN(most-least+1)}[g.IntN(3)]
		out := make([]rune, n)
		for k := range out {
			out[k] = odd[g.IntN(len(odd))]
		}
		out[0], out[n-1] = 'A', 'z' // white space around a value is not kept
		return string(out)
	case `^[A-Z]{3}$`, `^[A-Za-z]{3}$`:
		return []string{"GBP", "USD", "JPY", "GGG"}[g.IntN(4)]
	case `^[A-Za-z]{2}$`:
		return []string{"GB", "FR", "US", "ZG", "xi"}[g.IntN(5)]
	case `^[A-Z]$`, `^[A-Za-z]$`:
		return g.pick(capitals, 1)
	case `^[0-9]$`:
		return g.pick(digits, 1)
	case `^[0-9]{1,2}$`:
		return g.pick(digits, 1+g.IntN(2))
	case `^[0-9]{3}$`:
		return g.pick(digits, 3)
	case `^[0-9]{6}$`:
		return g.pick(digits, 6)
	case `^[0-9]{6,10}$`:
		return g.pick(digits, 6+g.IntN(5))
	case `^[A-Z0-9]{2}$`:
		return g.pick(capitals+digits, 2)
	case `^[0-9A-Z]{4}$`:
		return g.pick(capitals+digits, 4)
	case `^(DIRECT|INDIRECT|SELF|.{1,3})$`:
		return []string{"DIRECT", "INDIRECT", "SELF", "9"}[g.IntN(4)]
	}
	if strings.HasPrefix(pattern, "^20[0-9]{2}") {
		return g.date(strings.Contains(pattern, "T"))
	}
	panic("no text for the pattern " + pattern)
}

func (g *generator) date(timed bool) string {
	day := fmt.Sprintf("20%02d-%02d-%02d", g.IntN(100), 1+g.IntN(12), 1+g.IntN(28))
	if !timed || g.IntN(2) == 0 {
		return day
	}
	return day + fmt.Sprintf("T%02d:%02d:%02d", g.IntN(24), g.IntN(60), g.IntN(60)) + []string{"Z", "+00:00", "-05:00", "+13:00"}[g.IntN(4)]
}
