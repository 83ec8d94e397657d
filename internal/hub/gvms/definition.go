package gvms

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// HubID is the id of the Hub.
const HubID = "gvms"

// Open is the state of a record that a driver can check in with.
const Open lifecycle.State = "OPEN"

// course is the life of a record as far as the haulier has a hand in it: it can be
// corrected and withdrawn until the vehicle has checked in, of which nobody tells
// this service.
var course = lifecycle.Table{
	Initial: Open,
	States:  []lifecycle.State{Open, lifecycle.Cancelled},
	Created: "created",
	Edges: []lifecycle.Edge{
		{From: []lifecycle.State{Open}, By: lifecycle.Amend, Guard: lifecycle.Member, Event: "amended", Then: []lifecycle.Effect{lifecycle.ReplaceBody}},
		{From: []lifecycle.State{Open}, By: lifecycle.Cancel, To: lifecycle.Cancelled, Guard: lifecycle.Member, Event: "cancelled"},
	},
}

// Adds is what the service adds to a movement.
type Adds struct {
	GMR string `json:"gmrId" pattern:"^GMRA[0-9A-Z]{8}$" doc:"Id of the goods movement record" example:"GMRA2AMKTC1B"`
}

// Movements are the Hub's kind of filing.
var Movements = filing.Definition[Movement]{
	Kind: "gvms.movement", Hub: HubID, Path: "/api/gvms/movements", One: "movement", Many: "movements", Tag: "GVMS",
	About:      "The goods movement record (GMR) of one crossing of one vehicle. The driver shows it at check-in.",
	MainFields: []string{"vehicleReg", "routeFrom", "routeTo", "crossingDate", "gmrId"},
	Plain:      true, Lifecycle: course, Rules: Rules, Adds: Adds{}, Deadlines: due,
	Assign: func(ids *ident.Source, _ time.Time) (filing.Added, []filing.Key) {
		id := string(ids.GMR())
		return filing.Added{"gmrId": id}, []filing.Key{{Name: "gvms.movement.gmrId", Value: id}}
	},
}
