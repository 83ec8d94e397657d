package app_test

import (
	"context"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app/apptest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
)

const excisePath = "/api/emcs/movements"

// recordExcise records what follows the acceptance of excise movements by HMRC's simulator, which the demo does not have.
func (r *recorder) recordExcise() {
	c := apptest.Simulated(r.t)
	c.PublicURL, c.EMCS.Mode = recordedURL, "simulator"
	r.run(c, func(ctx context.Context) {
		r.newOrganisation(ctx)
		r.silently(func() { r.want(r.call("POST", "/api/hubs/emcs", nil)) })
		draft := emcstest.Draft(emcs.V323, recordedAt)
		document, err := emcs.Encode(draft)
		if err != nil {
			r.t.Fatal(err)
		}
		one := excisePath + "/" + r.text(r.rehearsed(excisePath+"/import", string(document)), "movement", "id")
		r.want(r.call("GET", one+"/message.xml", nil))
		r.silently(func() { r.want(r.call("POST", one+"/submit", nil)) })
		r.awaitMovement(one, "sequenceNumber", "1")
		r.recordOperations(one)
		r.want(r.call("GET", one+"/messages?limit=2", nil))
		r.want(r.call("POST", one+"/copy?dryRun=true", nil))
		r.want(r.call("POST", one+"/copy", nil))
		r.keepOtherEvents()
	})
}

// awaitMovement waits until a member of a movement has a value.
func (r *recorder) awaitMovement(one, member, want string) {
	r.eventually(one, func(a answered) bool { return fmt.Sprint(at(a.body, "movement", member)) == want })
}

// awaitReport waits until HMRC has repeated what was sent.
func (r *recorder) awaitReport(one, kind string) {
	r.eventually(one, func(a answered) bool { return at(a.body, "movement", "reports", kind) != nil })
}

// operate calls an operation. The simulator may have answered before the answer was made, so the example has no reports.
func (r *recorder) operate(one, operation string, body object) {
	a := r.want(r.call("POST", one+"/"+operation, body))
	delete(at(a.body, "movement").(object), "reports")
}

// recordOperations calls the operations of an accepted movement, each as the party that may.
func (r *recorder) recordOperations(one string) {
	today := recordedAt.Format(time.DateOnly)
	place := object{"id": "GB00000000001", "name": "Dundee Bond", "street": "Quay Street", "postcode": "DD1 1AA", "city": "Dundee"}
	consignee := object{"id": "GBWK000099999", "name": "Tay Warehousing Ltd", "street": "Quay Street", "postcode": "DD1 1AA", "city": "Dundee"}
	r.operate(one, "destination", object{"type": "1", "consignee": consignee, "place": place, "journeyDays": 3})
	r.awaitMovement(one, "sequenceNumber", "2")
	r.operate(one, "alert", object{"on": today, "rejected": false, "reasons": []any{object{"code": "3"}}})
	r.awaitReport(one, "alerts")
	r.operate(one, "delay", object{"by": "CONSIGNEE", "about": "RECEIPT", "explanation": object{"code": "4"}})
	r.awaitReport(one, "delays")
	r.operate(one, "receipt", object{"conclusion": 2, "arrivedOn": today, "items": []any{object{"item": 1, "shortage": 12.5, "reasons": []any{object{"code": "2"}}}}})
	r.awaitMovement(one, "status", "DELIVERED")
	r.operate(one, "shortage", object{"by": "CONSIGNOR", "items": []any{object{"item": 1, "explanation": "Two cartons were broken"}}})
}
