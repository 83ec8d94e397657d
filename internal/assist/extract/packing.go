package extract

func (r *reading) readPackingList(d *TradeDocument) {
	d.Seller, d.Buyer = r.party("seller"), r.party("buyer")
	if d.Buyer == nil {
		d.Buyer = r.party("deliverTo")
	}
	if d.Seller == nil || d.Seller.Name == nil {
		if head := r.letterhead(d.Buyer); head != nil {
			d.Seller = head
		}
	}
	r.assignLooseNumbers(d.Seller, d.Buyer)
	r.guessOrder(d.Seller)
	d.PackingListNumber = firstOf(r.candidates("packingListNumber"), r.identifier)
	d.PackingListDate = r.dateOf("packingListDate", "packingListNumber")
	d.InvoiceReference = firstOf(r.candidates("invoiceReference"), r.identifier)
	d.PurchaseOrderNumber = firstOf(r.candidates("purchaseOrderNumber"), r.identifier)
	d.Marks = firstOf(r.candidates("marks"), r.phraseOf)
	r.readShared(d)
	d.LineItems = r.lineItems()
	d.Containers = r.containers()
	r.readIncoterm(d)
}
