package analysis

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/exportcontrol"
)

// licenceNeed is a document that goods require at the border. It applies to certain codes, with certain words in the
// description if there are any, or to a control regime; certain documents, including waivers, satisfy it.
type licenceNeed struct {
	imports, exports bool
	codes, but       string
	words            string
	regime           exportcontrol.Regime // instead of codes
	origins          string               // none for all
	mild             string               // origins for which it is only a note
	documents        string
	goods            string // what the goods are, for the message
	advice           string
}

var licenceRules = ruleSet{
	{Code: "DEC-073", Severity: rules.Warning, Field: "items[].description", Source: "Regulation (EC) No 338/97 as retained (CITES); GOV.UK: CITES imports and exports", Title: "Endangered species, or what is made of them, have no CITES permit",
		Check: requires(licenceNeed{imports: true, exports: true, regime: exportcontrol.CITES, documents: "C400 C402 C638 C404 C405 Y900 Y932", goods: "may be of an endangered species",
			advice: "Name the CITES permit (C400), or Y900 where the species is not listed."})},
	{Code: "DEC-074", Severity: rules.Warning, Field: "items[].commodityCode", Source: "GOV.UK: Import of products, animals, food and feed system (IPAFFS)", Title: "Live animals have no common health entry document",
		Check: requires(licenceNeed{imports: true, codes: "0101 0102 0103 0104 0105 0106 0301", documents: "C640 N853 Y058 Y931", goods: "is of live animals",
			advice: "Pre-notify in IPAFFS and name the health entry document (C640)."})},
	{Code: "DEC-075", Severity: rules.Warning, Field: "items[].commodityCode", Source: "GOV.UK: Import of products, animals, food and feed system (IPAFFS); The Border Target Operating Model", Title: "Products of animal origin have no common health entry document",
		Check: requires(licenceNeed{imports: true, codes: "02 0302 0303 0304 0305 0306 0307 0308 0401 0402 0403 0404 0405 0406 0407 0408 0409 0410 0504 0511 1601 1602 1603 1604 1605 2309 4101 4102 4103", mild: union + " NO IS LI CH",
			documents: "N853 C640 C678 Y058 Y931 C084", goods: "is of animal origin",
			advice: "Pre-notify in IPAFFS and name the health entry document (N853), as far as the risk category of the goods and their origin ask for it."})},
	{Code: "DEC-076", Severity: rules.Warning, Field: "items[].commodityCode", Source: "Council Regulation (EC) No 1005/2008 as retained (illegal, unreported and unregulated fishing)", Title: "Fish and shellfish have no catch certificate",
		Check: requires(licenceNeed{imports: true, codes: "0302 0303 0304 0305 0306 0307 1604 1605", documents: "C673 Y927 C641",
			goods: "is of fish or shellfish", advice: "Name the catch certificate (C673), or Y927 for what is farmed or exempt."})},
	{Code: "DEC-077", Severity: rules.Warning, Field: "items[].commodityCode", Source: "Regulation (EU) 2016/2031 as retained (plant health); GOV.UK: Importing plants, fruit, vegetables or other plant material to the UK", Title: "Plants for planting have no phytosanitary certificate",
		Check: requires(licenceNeed{imports: true, codes: "0601 0602 07011 120991", documents: "N851 C085 Y085 Y146", goods: "is of plants or seeds for planting",
			advice: "Pre-notify in IPAFFS, and name the phytosanitary certificate (N851) and the health entry document (C085)."})},
	{Code: "DEC-078", Severity: rules.Info, Field: "items[].commodityCode", Source: "Regulation (EU) 2016/2031 as retained (plant health); GOV.UK: Importing plants, fruit, vegetables or other plant material to the UK", Title: "Fresh flowers, fruit and vegetables may need a phytosanitary certificate",
		Check: requires(licenceNeed{imports: true, codes: "0603 0604 0701 0702 0703 0704 0705 0706 0707 0708 0709 0806 0807 0808 0809 0810", but: "080620 08105 08106 08107 07095", documents: "N851 C085 N002 9120 Y085",
			goods: "is of fresh produce", advice: "Look up its risk category; name the certificates (N851, C085), and conformity with marketing standards (N002, 9120) where it applies."})},
	{Code: "DEC-079", Severity: rules.Info, Field: "items[].commodityCode", Source: "Commission Implementing Regulation (EU) 2019/1793 as retained (food and feed of higher risk)", Title: "Food of higher risk may need a health entry document",
		Check: requires(licenceNeed{imports: true, codes: "0802 080420 0904 0910 1202 200811 200819 071290 0902 1207 2008", origins: "TR IR US IN EG GH GM BR AR SD CN TH VN LK PK ET NG BO GE AZ MG UG", documents: "C678 N852 Y937 Y978",
			goods: "from this origin may be food of higher risk", advice: "Look it up; name the health entry document (C678), or Y978 where it is not listed."})},
	{Code: "DEC-080", Severity: rules.Warning, Field: "items[].description", Source: "GOV.UK: Importing organic food to the UK; Council Regulation (EC) No 834/2007 as retained", Title: "Organic food has no certificate of inspection",
		Check: requires(licenceNeed{imports: true, codes: "02 03 04 07 08 09 10 11 12 15 16 17 18 19 20 21 22 23", words: "organic", documents: "C644 Y929", goods: "is described as organic",
			advice: "Name the certificate of inspection (C644); without one the goods cannot be sold as organic (Y929)."})},
	{Code: "DEC-081", Severity: rules.Warning, Field: "items[].commodityCode", Source: "Council Regulation (EC) No 2173/2005 as retained (FLEGT); Timber and Timber Products (Placing on the Market) Regulations 2013", Title: "Timber of a licensing country has no FLEGT licence",
		Check: requires(licenceNeed{imports: true, codes: "4401 4403 4406 4407 4408 4409 4410 4411 4412 4413 4414 4415 4416 4418 47 48 940330 940340 940350 940360 940391", but: "4810 4811 4819 4820 4821 4823", origins: "ID", documents: "C690 Y057 Y070",
			goods: "is of timber from a country that licenses it", advice: "Name the FLEGT licence (C690), or Y057 where none is needed."})},
	{Code: "DEC-082", Severity: rules.Warning, Field: "items[].commodityCode", Source: "Transfrontier Shipment of Waste Regulations 2007; Regulation (EC) No 1013/2006 as retained", Title: "Waste moves without its document",
		Check: requires(licenceNeed{imports: true, exports: true, codes: "2618 2619 2620 2621 2710910 2710990 3825 3915 400400 4707 5103 5202 5505 6310 7001001 7112 7204 7404 7503 7602 7802 7902 8002 8549", but: "71129", documents: "C669 C670 C672 Y923",
			goods: "is of waste or scrap", advice: "Name the movement document (C669), or that of Annex VII for green-listed waste (C672), or Y923 if it is not waste."})},
	{Code: "DEC-083", Severity: rules.Warning, Field: "items[].commodityCode", Source: "Explosives Regulations 2014; Pyrotechnic Articles (Safety) Regulations 2015", Title: "Explosives or fireworks have no licence",
		Check: requires(licenceNeed{imports: true, exports: true, codes: "3601 3602 3603 3604", documents: "9 L E0 X0 Y", goods: "is of explosives or fireworks",
			advice: "Have the licence to acquire, keep or transfer them; name it, and notify fireworks to trading standards or HMRC."})},
	{Code: "DEC-084", Severity: rules.Warning, Field: "items[].description", Source: "Misuse of Drugs Regulations 2001; GOV.UK: Controlled drugs: licences, fees and returns", Title: "Controlled drugs or their precursors have no licence",
		Check: requires(licenceNeed{imports: true, exports: true, regime: exportcontrol.Drugs, documents: "L135 X035 9 Y", goods: "may be a controlled drug or a precursor of one",
			advice: "Name the Home Office's licence: L135 and X035 for precursors; or say that none is needed."})},
	{Code: "DEC-085", Severity: rules.Warning, Field: "items[].commodityCode", Source: "Regulation (EC) No 1005/2009 as retained (substances that deplete the ozone layer)", Title: "Substances that deplete the ozone layer have no licence",
		Check: requires(licenceNeed{imports: true, exports: true, codes: "290361 290371 290372 290373 290374 290375 290376 290377 290378 290379 382711 382712 382713 382714 382720", documents: "L100 E013 Y902 Y792",
			goods: "may deplete the ozone layer", advice: "Name the licence (L100 in, E013 out), or Y902 where the substance is not listed."})},
	{Code: "DEC-086", Severity: rules.Warning, Field: "items[].commodityCode", Source: "Regulation (EU) No 517/2014 as retained; GOV.UK: Fluorinated gases (F gases)", Title: "Fluorinated gases, or equipment that is charged with them, have no statement",
		Check: requires(licenceNeed{imports: true, codes: "290341 290342 290343 290344 290345 290346 290347 290348 290349 38276 841510 841520 841581 841582 841810 841830 841840 841850 841861 841869 8703", but: "870310", documents: "C057 C079 C082 Y05 Y12 Y16 Y926 Y95 Y97",
			goods: "may be, or be charged with, fluorinated gases", advice: "Name the declaration of conformity (C057), or why none is needed, such as Y950 for equipment without hydrofluorocarbons or Y053."})},
	{Code: "DEC-087", Severity: rules.Warning, Field: "items[].commodityCode", Source: "Council Regulation (EC) No 2368/2002 as retained (Kimberley Process)", Title: "Rough diamonds have no Kimberley Process certificate",
		Check: requires(licenceNeed{imports: true, exports: true, codes: "710210 710221 710231", documents: "L116 Y015 9115", goods: "is of rough diamonds",
			advice: "Name the Kimberley Process certificate (L116); without one the diamonds may not cross the border."})},
	{Code: "DEC-088", Severity: rules.Info, Field: "items[].description", Source: "Export of Objects of Cultural Interest (Control) Order 2003; Arts Council England: Export licensing", Title: "Objects of cultural interest leave without a licence",
		Check: requires(licenceNeed{exports: true, regime: exportcontrol.Cultural, documents: "E012 9107 Y903", goods: "may be of cultural interest",
			advice: "Name the licence (E012, 9107), or Y903 where age and value are below the limits."})},
	{Code: "DEC-089", Severity: rules.Info, Field: "items[].commodityCode", Source: "Human Medicines Regulations 2012; GOV.UK: Import a human medicine", Title: "Medicines need a licence of their importer",
		Check: requires(licenceNeed{imports: true, codes: "3002 3003 3004", but: "300290", documents: "9 Y E0 L", goods: "is of medicines or biological products",
			advice: "Make sure that the importer has a manufacturer's or wholesaler's licence, or the notification for unlicensed medicines."})},
	{Code: "DEC-090", Severity: rules.Info, Field: "items[].commodityCode", Source: "Regulation (EC) No 1523/2007 as retained (cat and dog fur); Regulation (EC) No 1007/2009 as retained (seal products)", Title: "Furs need the statement that they are not of cats, dogs or seals",
		Check: requires(licenceNeed{imports: true, codes: "4301 4302 4303", documents: "Y922 Y032 C679 C680 C683", goods: "is of fur", advice: "Name Y922 for fur that is not of cats or dogs, and Y032 for what is not of seals."})},
}

// Match strength from which a document of a regime is suggested, and from which it is a warning.
const (
	suspected = 0.55
	plain     = 0.7
)

func requires(n licenceNeed) checkFunc {
	return each("commodityCode", func(c *Case, i *item) remarks {
		if c.imports() && !n.imports || !c.imports() && !n.exports || !n.reaches(i) || c.has(n.documents) {
			return nil
		}
		found := about("", fmt.Sprintf("%s, %q, %s, and the declaration has no document for it.", i.CommodityCode, excerpt(i.Description), n.goods), n.advice)
		if n.words != "" {
			found.Field = "description"
		}
		if isOneOf(i.CountryOfOrigin, n.mild) {
			found.Severity = rules.Info
		}
		if n.regime != "" {
			entry := i.suspicion(n.regime)
			found.Field, found.Message = "description", found.Message+" "+capital(entry.Why)+"."
			if entry.Confidence < plain {
				found.Severity = rules.Info
			}
		}
		return remarks{found}
	})
}

func capital(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func (n licenceNeed) reaches(i *item) bool {
	switch {
	case n.origins != "" && !isOneOf(i.CountryOfOrigin, n.origins):
		return false
	case n.regime != "":
		return i.suspicion(n.regime).Confidence >= suspected
	case n.words != "" && anyOf(i.words, n.words) == "":
		return false
	}
	return hasPrefixOf(i.CommodityCode, n.codes) && !hasPrefixOf(i.CommodityCode, n.but)
}
