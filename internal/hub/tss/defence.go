package tss

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// defenceMeasure is a group of EU trade defence measures by commodity code and origin, taken from the Official Journal. A
// match means that the measure may apply; the tariff of the day decides.
type defenceMeasure struct {
	measure  string
	codes    string // prefixes of commodity codes
	origins  string // if empty, all except the European Economic Area
	severity rules.Severity
}

const antiDumping = "the Union's anti-dumping or countervailing duty on "

// steelUnderQuota lists the headings of the EU tariff quotas on steel of July 2026, which replaced the safeguard.
const steelUnderQuota = `7208 7209 7210 7211 7212 7213 7214 7215 7216 7217 7219 7220 7221 7222
	7225 7226 7227 7228 7301 7302 7304 7305 7306`

// defences lists the measures as of autumn 2026. Measures on single origins come first.
var defences = []defenceMeasure{
	{antiDumping + "flat steel", "7208 7209 7210 7211 7212 7225 7226", "CN RU", rules.Blocker},
	{antiDumping + "stainless flat steel", "7219 7220", "CN ID IN TW", rules.Blocker},
	{antiDumping + "steel wire rod", "7213 7227", "CN", rules.Blocker},
	{antiDumping + "reinforcing bars", "721310 721420", "BY", rules.Blocker},
	{antiDumping + "seamless tubes", "7304", "CN", rules.Blocker},
	{antiDumping + "welded tubes", "730630", "BY CN RU", rules.Blocker},
	{antiDumping + "tube fittings", "730719 730793", "CN", rules.Blocker},
	{antiDumping + "steel ropes and strand", "731210", "CN", rules.Blocker},
	{antiDumping + "fasteners", "731812 731814 731815 731821 731822", "CN", rules.Blocker},
	{antiDumping + "cast iron articles", "732510", "CN IN", rules.Blocker},
	{antiDumping + "aluminium extrusions", "7604 7608", "CN", rules.Blocker},
	{antiDumping + "aluminium sheet and foil", "7606 760711 760719", "CN", rules.Blocker},
	{antiDumping + "road wheels", "870870", "CN MA", rules.Blocker},
	{antiDumping + "silicon", "280469", "CN", rules.Blocker},
	{antiDumping + "bicycles", "8712", "CN", rules.Blocker},
	{antiDumping + "electric bicycles", "871160", "CN", rules.Blocker},
	{antiDumping + "battery electric cars", "870380", "CN", rules.Blocker},
	{antiDumping + "bus and lorry tyres", "401120 401212", "CN", rules.Blocker},
	{antiDumping + "hand pallet trucks", "842790", "CN", rules.Blocker},
	{antiDumping + "ceramic tableware", "691110 6912", "CN", rules.Blocker},
	{antiDumping + "ceramic tiles", "6907", "CN IN TR", rules.Blocker},
	{antiDumping + "glass fibre", "70191 70196", "CN EG", rules.Blocker},
	{antiDumping + "solar glass", "700719", "CN", rules.Blocker},
	{antiDumping + "optical fibre cables", "854470", "CN", rules.Blocker},
	{antiDumping + "graphite electrodes", "854511", "CN IN", rules.Blocker},
	{antiDumping + "plywood", "4412", "CN RU", rules.Blocker},
	{antiDumping + "lever arch mechanisms", "830510", "CN", rules.Blocker},
	{antiDumping + "high-tenacity polyester yarn", "540220", "CN", rules.Blocker},
	{antiDumping + "citric acid", "291814", "CN MY", rules.Blocker},
	{antiDumping + "lysine", "292241", "CN", rules.Blocker},
	{antiDumping + "monosodium glutamate", "292242", "CN ID MY", rules.Blocker},
	{antiDumping + "melamine", "293361", "CN", rules.Blocker},
	{antiDumping + "titanium dioxide", "320611", "CN", rules.Blocker},
	{antiDumping + "epoxy resins", "390730", "CN TH TW", rules.Blocker},
	{antiDumping + "ammonium nitrate", "310230 310240", "RU", rules.Blocker},
	{antiDumping + "urea and ammonium nitrate in solution", "310280", "RU TT US", rules.Blocker},
	{antiDumping + "biodiesel", "3826", "AR CA CN ID US", rules.Blocker},
	{antiDumping + "polyethylene terephthalate", "390761", "CN", rules.Blocker},
	{antiDumping + "tungsten carbide", "284990", "CN", rules.Blocker},
	{antiDumping + "ferro-silicon", "720221 720229", "CN RU", rules.Blocker},
	{antiDumping + "prepared sweetcorn", "20019030 200580", "TH", rules.Warning},
	{antiDumping + "mobile access equipment", "842710 842720", "CN", rules.Warning},
	{"the Union's safeguard on silicon and manganese alloys", "720211 720219 720221 720229 720230", "", rules.Warning},
	{"the Union's tariff quotas on steel and the duty beyond them", steelUnderQuota, "", rules.Warning},
}

// defence returns the first measure that may apply to a code and an origin, or to the code if the origin is unknown.
func defence(code ident.CommodityCode, origin string) (defenceMeasure, bool) {
	for _, m := range defences {
		if beginsWith(code, m.codes) && (origin == "" || m.applies(origin)) {
			return m, true
		}
	}
	return defenceMeasure{}, false
}

func (m defenceMeasure) applies(origin string) bool {
	if m.origins == "" {
		return !inUnion(origin) && !slices.Contains(economicArea, origin) && origin != string(ident.NorthernIreland)
	}
	return slices.Contains(strings.Fields(m.origins), origin)
}
