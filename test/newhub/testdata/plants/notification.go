// Package plants is the Hub for plants and plant products that enter Great Britain: the pre-notification to APHA.
package plants

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// HubID is the id of the Hub.
const HubID = "plants"

// Notification announces one consignment before it arrives.
type Notification struct {
	ImporterName    string     `json:"importerName" minLength:"1" maxLength:"140" doc:"Person or company that imports the goods" example:"Fenland Nurseries Ltd"`
	CommodityCode   string     `json:"commodityCode" minLength:"1" maxLength:"22" doc:"Tariff code of the goods" example:"0602905000"`
	BotanicalName   string     `json:"botanicalName" minLength:"1" maxLength:"140" doc:"Genus and species" example:"Lavandula angustifolia"`
	CountryOfOrigin string     `json:"countryOfOrigin" format:"country" maxLength:"2" doc:"Country where the plants were grown, ISO 3166-1 alpha-2" example:"NL"`
	Certificate     string     `json:"certificateNumber,omitempty" maxLength:"70" doc:"Number of the phytosanitary certificate" example:"EC/NL/0123456"`
	ArrivesAt       *time.Time `json:"arrivesAt,omitempty" doc:"Arrival at the port or airport" example:"2026-12-01T06:30:00.000Z"`

	filing.OwnLabels // the caller's own reference and metadata
}

// Adds lists the fields that the service adds to a notification.
type Adds struct {
	Reference   string `json:"reference,omitempty" doc:"Reference number, after submission" example:"26GB3TTI2CQ1C7FGR4"`
	SubmittedAt string `json:"submittedAt,omitempty" format:"date-time" doc:"Time of submission"`
	Reason      string `json:"reason,omitempty" doc:"Reason for the rejection"`
}

// Notifications is the kind of filing of this Hub.
var Notifications = filing.Definition[Notification]{
	Kind: "plants.notification", Hub: HubID, Path: "/api/plants/notifications", Singular: "notification", Plural: "notifications", Tag: "Plants",
	Description: "Plants and plant products need a pre-notification before they enter Great Britain.",
	MainFields:  []string{"botanicalName", "importerName", "countryOfOrigin", "arrivesAt"},
	Layout:      form, Lifecycle: lifecycle.Regulated, Rules: Rules, Adds: Adds{}, Deadlines: deadlines,
	Reference: func(ids *ident.Source, now time.Time, _ *Notification) filing.Reference {
		return filing.Reference{Field: "reference", Value: ids.MRN(now.Year(), "GB")}
	},
	Note: "Mark the notification accepted after APHA has accepted it.",
}

// deadlines returns the last time for the notification: 4 hours before the arrival.
func deadlines(n *Notification, m filing.Metadata) []filing.Deadline {
	if m.Status != lifecycle.Draft || n.ArrivesAt == nil {
		return nil
	}
	return []filing.Deadline{{
		Name: "notification", Title: "Submit the pre-notification before the goods arrive",
		DueAt: n.ArrivesAt.Add(-4 * time.Hour), Source: guidance,
	}}
}
