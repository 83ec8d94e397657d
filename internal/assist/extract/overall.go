package extract

// overall is the mean confidence of the essential fields; missing ones count as 0.
func overall(d *TradeDocument) (sum Confidence) {
	parts := essentials(d)
	for _, p := range parts {
		sum += p
	}
	return sum / Confidence(len(parts))
}

// essentials returns the confidence of the fields that a document of its type should have.
func essentials(d *TradeDocument) []Confidence {
	switch d.DocumentType {
	case Invoice:
		grand := Confidence(0)
		if d.Totals != nil {
			grand = sure(d.Totals.Grand)
		}
		return []Confidence{sure(d.InvoiceNumber), sure(d.InvoiceDate), nameOf(d.Seller), nameOf(d.Buyer), sure(d.Currency), linesOf(d), grand}
	case BillOfLading:
		return []Confidence{
			sure(d.BillOfLadingNumber), nameOf(d.Shipper), nameOf(d.Consignee), sure(d.Vessel), sure(d.PortOfLoading), sure(d.PortOfDischarge), max(linesOf(d), containersOf(d)),
		}
	}
	return []Confidence{max(sure(d.PackingListNumber), sure(d.InvoiceReference)), sure(d.PackingListDate), nameOf(d.Seller), nameOf(d.Buyer), sure(d.GrossMassKg), linesOf(d)}
}

func sure[T any](f *Field[T]) Confidence {
	if f == nil {
		return 0
	}
	return f.Confidence
}

func nameOf(p *TradeParty) Confidence {
	if p == nil {
		return 0
	}
	return sure(p.Name)
}

func linesOf(d *TradeDocument) Confidence {
	var sum Confidence
	for _, l := range d.LineItems {
		sum += max(sure(l.Description), sure(l.CommodityCode))
	}
	if sum == 0 {
		return 0
	}
	return sum / Confidence(len(d.LineItems))
}

func containersOf(d *TradeDocument) Confidence {
	if len(d.Containers) == 0 {
		return 0
	}
	return sure(d.Containers[0].Number)
}
