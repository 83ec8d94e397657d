package print

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/pdfwriter"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// writeDeclaration writes the whole declaration.
func (d *Document) writeDeclaration(w *pdfwriter.Writer) {
	d.simulatedNote(w)
	w.Heading("Parties and shipment")
	w.Columns(d.parties(), d.shipment())
	d.writeGoods(w)
	d.writeMoney(w)
	d.writeDocuments(w)
	d.writeMembers(w)
}

func (d *Document) parties() []pdfwriter.Fact {
	own, other := "Exporter", "Consignee"
	if d.imports() {
		own, other = "Importer", "Exporter"
	}
	s := &d.input.Shipment
	return facts(own, named(d.input.Client.Name, d.input.Client.EORI, d.input.Client.City, d.input.Client.Country),
		other, named(s.CounterpartyName, "", s.CounterpartyCity, s.CounterpartyCountry),
		"Declarant", named(d.organisation, d.input.Trader.EORI, d.input.Trader.City, d.input.Trader.Country))
}

func (d *Document) shipment() []pdfwriter.Fact {
	s := &d.input.Shipment
	transport := strings.Join(present(transportModes[s.TransportMode], s.VesselName, s.TransportID), ", ")
	arrival := ""
	if s.ExpectedArrival != nil {
		arrival = moment(*s.ExpectedArrival)
	}
	return facts("Port", worksheet.WithName("ports", s.PortOfEntry), "Transport", transport, "Arrival", arrival, "From", country(s.CountryOfDispatch),
		"To", country(s.CountryOfDestination), "Goods location", s.GoodsLocation, "Delivery terms", strings.Join(present(s.Incoterm, worksheet.WithName("ports", s.IncotermLocation)), " "),
		"Containers", strings.Join(s.Containers, ", "))
}

var transportModes = map[string]string{"SEA": "Sea", "AIR": "Air", "ROAD": "Road", "RAIL": "Rail"}

// facts returns facts of pairs of a name and a value; those without a value are left out.
func facts(pairs ...string) (all []pdfwriter.Fact) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			all = append(all, pdfwriter.Fact{Name: pairs[i], Value: pairs[i+1]})
		}
	}
	return all
}

// named returns a party with its EORI and place.
func named(name, eori, city, code string) string {
	if name == "" {
		return "–"
	}
	text := strings.Join(present(name, city, country(code)), ", ")
	if eori != "" {
		text += "\n" + eori
	}
	return text
}

// present returns the texts that are not empty.
func present(texts ...string) (all []string) {
	for _, text := range texts {
		if text != "" {
			all = append(all, text)
		}
	}
	return all
}

func country(code string) string {
	if code == "" {
		return ""
	}
	return ident.Country(code).NameAndCode()
}

// writeGoods writes the table of goods.
func (d *Document) writeGoods(w *pdfwriter.Writer) {
	w.Heading("Goods")
	columns := []pdfwriter.Column{
		{Title: "No.", Share: 1}, {Title: "Description", Share: 5.6}, {Title: "Code", Share: 2.6}, {Title: "Origin", Share: 1.7}, {Title: "Procedure", Share: 2.4},
		{Title: "Net kg", Share: 2, Right: true}, {Title: "Gross kg", Share: 2.1, Right: true}, {Title: "Packages", Share: 2.3, Right: true}, {Title: "Value", Share: 2.6, Right: true},
	}
	charges := d.itemCharges()
	if charges != nil {
		columns = append(columns, pdfwriter.Column{Title: "Duty", Share: 2.3, Right: true}, pdfwriter.Column{Title: "VAT", Share: 2.3, Right: true})
	}
	items := d.input.Declaration.Items
	w.Table(columns, func(yield func([]string) bool) {
		for i := range items {
			row := goodsRow(i, &items[i])
			if charges != nil {
				row = append(row, chargesOfItem(&charges[i])...)
			}
			if !yield(row) {
				return
			}
		}
	})
	w.Total(columns, []string{"", "Total", "", "", "", "", "", "", d.worth()})
}

func goodsRow(index int, i *customs.Item) []string {
	code, origin, procedure := i.CommodityCode, i.CountryOfOrigin, i.ProcedureCode
	if code == "" && len(i.Classifications) > 0 {
		code = i.Classifications[0].ID
	}
	if procedure == "" && len(i.Procedures) > 0 {
		procedure = i.Procedures[0].Current + i.Procedures[0].Previous
	}
	row := []string{fmt.Sprint(index + 1), cmp.Or(i.Description, "No description"), cmp.Or(code, "–"), cmp.Or(origin, "–"), cmp.Or(procedure, "default"), "–", "–", "–", "–"}
	if i.NetMassKg != nil {
		row[5] = i.NetMassKg.String()
	}
	if i.GrossMassKg != nil {
		row[6] = i.GrossMassKg.String()
	}
	if i.PackageCount != nil {
		row[7] = strings.Join(present(fmt.Sprint(*i.PackageCount), i.PackageType), " ")
	}
	if i.CustomsValueGBP != nil {
		row[8] = pounds(*i.CustomsValueGBP)
	}
	return row
}

// writeDocuments writes the table of declared documents.
func (d *Document) writeDocuments(w *pdfwriter.Writer) {
	var rows [][]string
	for _, doc := range d.input.Declaration.Documents {
		rows = append(rows, []string{worksheet.WithName("documents", doc.Type), doc.Reference, doc.Status, "all"})
	}
	for i := range d.input.Declaration.Items {
		for _, doc := range d.input.Declaration.Items[i].Documents {
			rows = append(rows, []string{worksheet.WithName("documents", doc.Category+doc.Type), doc.Reference, doc.Status, fmt.Sprint(i + 1)})
		}
	}
	if rows == nil {
		return
	}
	w.Heading("Documents")
	w.Table([]pdfwriter.Column{{Title: "Document", Share: 5}, {Title: "Reference", Share: 4}, {Title: "Status", Share: 1}, {Title: "Item", Share: 1}}, each(rows))
}

// each returns the rows one after the other.
func each(rows [][]string) func(func([]string) bool) {
	return func(yield func([]string) bool) {
		for _, row := range rows {
			if !yield(row) {
				return
			}
		}
	}
}

// pounds returns an amount, such as £1,850.00.
func pounds(m quantity.Money) string {
	text, sign := m.Fixed(), ""
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		sign, text = "−", rest
	}
	return sign + "£" + quantity.Grouped(text)
}
