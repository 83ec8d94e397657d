package documents

import (
	"fmt"
	"strings"
)

// long are documents of many pages: an invoice and a packing list of 140 lines each,
// with a head on every page and the totals on the last.
func long() []Sample {
	const lines, perPage = 140, 34
	invoice, list := pages{every: perPage}, pages{every: perPage}
	invoice.head = "Invoice No: LONG-1     Invoice date: 5 May 2026     Currency: EUR\n\nSeller: Schraubenhandel Voss GmbH\nBuyer: Bolton Fasteners Ltd\n\n" +
		"Description                     HS code       Qty       Unit price     Amount\n"
	list.head = "Packing list no: LONG-2     Date: 5 May 2026     Invoice no: LONG-1\n\n" +
		"Description                     Cartons       Net kg       Gross kg\n"
	want := map[string]string{
		"invoiceNumber": "LONG-1", "invoiceDate": "2026-05-05", "currency": "EUR", "seller.name": "Schraubenhandel Voss GmbH", "buyer.name": "Bolton Fasteners Ltd",
	}
	packed := map[string]string{"packingListNumber": "LONG-2", "packingListDate": "2026-05-05", "invoiceReference": "LONG-1"}
	total, net, gross := 0, 0, 0
	for i := range lines {
		name, quantity, cents := fmt.Sprintf("Hexagon bolt M%d x %d", 4+i%9, 10+i), 100+i*7, 25+i*3
		invoice.line(fmt.Sprintf("%-32s73181588      %-10d%-15s%s", name, quantity, euros(cents), euros(quantity*cents)))
		list.line(fmt.Sprintf("%-32s%-14d%-13d%d", name, 1+i%5, 20+i, 22+i))
		total, net, gross = total+quantity*cents, net+20+i, gross+22+i
		item := fmt.Sprintf("lineItems[%d].", i)
		if i%35 == 0 || i == lines-1 {
			want[item+"description"], want[item+"quantity"], want[item+"commodityCode"] = name, fmt.Sprint(quantity), "73181588"
			packed[item+"description"], packed[item+"netMassKg"] = name, fmt.Sprint(20+i)
		}
	}
	invoice.line(fmt.Sprintf("%-71s%s", "Total", euros(total)))
	list.line(fmt.Sprintf("%-46s%-13d%d", "Total", net, gross))
	want["totals.grand"] = strings.TrimSuffix(strings.TrimRight(plain(total), "0"), ".")
	packed["netMassKg"], packed["grossMassKg"] = fmt.Sprint(net), fmt.Sprint(gross)
	return []Sample{
		{Name: "inv-long", Type: "invoice", Format: "pdf", File: PDF(invoice.text.String(), Plain), Want: want},
		{Name: "pl-long", Type: "packing_list", Format: "pdf", File: PDF(list.text.String(), Packed), Want: packed},
	}
}

func plain(cents int) string { return fmt.Sprintf("%d.%02d", cents/100, cents%100) }

// euros writes an amount in the German format.
func euros(cents int) string {
	whole := fmt.Sprint(cents / 100)
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "." + whole[at:]
	}
	return fmt.Sprintf("%s,%02d", whole, cents%100)
}

// pages is a text that begins every page with a header.
type pages struct {
	head  string
	every int
	lines int
	text  strings.Builder
}

func (p *pages) line(text string) {
	if p.lines%p.every == 0 {
		if p.lines > 0 {
			p.text.WriteString("\f")
		}
		p.text.WriteString(p.head)
	}
	p.lines++
	p.text.WriteString(text + "\n")
}
