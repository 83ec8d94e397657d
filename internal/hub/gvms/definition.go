package gvms

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// HubID is the id of the Hub.
const HubID = "gvms"

// Open is the state in which a driver can check in with the record.
const Open lifecycle.State = "OPEN"

// states is the lifecycle of a record. It can be corrected and cancelled until the vehicle checks in; this service does
// not learn of the check-in.
var states = lifecycle.Table{
	Initial: Open,
	States:  []lifecycle.State{Open, lifecycle.Cancelled},
	Created: "created",
	Edges: []lifecycle.Edge{
		{From: []lifecycle.State{Open}, Action: lifecycle.Amend, Guard: lifecycle.Member, Event: "amended", Effects: []lifecycle.Effect{lifecycle.ReplaceBody}},
		{From: []lifecycle.State{Open}, Action: lifecycle.Cancel, To: lifecycle.Cancelled, Guard: lifecycle.Member, Event: "cancelled"},
	},
}

// Adds lists the fields that the service adds to a movement.
type Adds struct {
	GMR string `json:"gmrId" pattern:"^GMRA[0-9A-Z]{8}$" doc:"Id of the goods movement record" example:"GMRA2AMKTC1B"`
	filing.Sourced
	filing.Assignment
}

// Movements is the kind of filing of this Hub.
var Movements = filing.Definition[Movement]{
	Kind: "gvms.movement", Hub: HubID, Path: "/api/gvms/movements", Singular: "movement", Plural: "movements", Tag: "GVMS",
	Description: "The goods movement record (GMR) of one crossing of one vehicle. The driver shows it at check-in.",
	MainFields:  []string{"vehicleReg", "routeFrom", "routeTo", "crossingDate", "gmrId"},
	Plain:       true, Layout: form, Lifecycle: states, Rules: Rules, Adds: Adds{}, ReferenceMember: "gmrId", Driver: driver, Deadlines: deadlines,
	Assign: func(ids *ident.Source, _ time.Time) (filing.Added, []filing.Key) {
		id := string(ids.GMR())
		return filing.Added{"gmrId": id, filing.SourceMember: filing.Simulated}, []filing.Key{{Name: "gvms.movement.gmrId", Value: id}}
	},
}
