// Command journey takes one import from a client to clearance, in the sandbox or at the simulator. It needs TIDEWAITER,
// the address of the service, and TIDEWAITER_KEY, a key of role MEMBER or OWNER.
package main

import (
	"context"
	"fmt"
	"log"
	"math"
	"os"
	"slices"
	"time"

	tidewaiter "github.com/tidewaiter/tidewaiter/clients/go"
)

const value = 1234567.89

func main() {
	if err := journey(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func journey(ctx context.Context) error {
	api, err := tidewaiter.New(os.Getenv("TIDEWAITER"), os.Getenv("TIDEWAITER_KEY"))
	if err != nil {
		return err
	}
	id, err := declare(ctx, api)
	if err != nil {
		return err
	}
	submitted, err := api.SubmitDeclarationWithResponse(ctx, &tidewaiter.SubmitDeclarationParams{XSimulate: tidewaiter.Ptr("clear")},
		tidewaiter.SubmitDeclarationInput{DeclarationID: id})
	if err != nil {
		return err
	}
	if submitted.JSON200 == nil {
		return submitted.JSONDefault.AsError()
	}
	cleared, err := waitUntilCleared(ctx, api, id)
	if err != nil {
		return err
	}
	if cleared.Mrn == nil || len(*cleared.Mrn) != 18 || *cleared.Items[0].CustomsValueGbp != value {
		return fmt.Errorf("cleared as %+v", cleared)
	}
	events, err := api.ListAuditEventsWithResponse(ctx, &tidewaiter.ListAuditEventsParams{EventType: tidewaiter.Ptr("declaration.cleared")})
	if err != nil {
		return err
	}
	if events.JSON200 == nil || !slices.ContainsFunc(events.JSON200.Events, func(e tidewaiter.AuditEvent) bool { return e.ResourceID == id }) {
		return fmt.Errorf("the audit trail has no clearance: %s", events.Body)
	}
	refused, err := api.GetDeclarationWithResponse(ctx, "0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a", nil)
	if err != nil {
		return err
	}
	if refused.StatusCode() != 404 || refused.JSONDefault == nil || refused.JSONDefault.Error != tidewaiter.ProblemDetailsErrorNotFound {
		return fmt.Errorf("an unknown declaration answers %s", refused.Body)
	}
	fmt.Printf("CLEARED %s %.2f\n", *cleared.Mrn, *cleared.Items[0].CustomsValueGbp)
	return nil
}

// declare creates a client, a shipment and a declaration with pennies, and returns the declaration's id.
func declare(ctx context.Context, api *tidewaiter.ClientWithResponses) (id string, err error) {
	client, err := api.CreateClientWithResponse(ctx, nil, tidewaiter.ClientInput{Name: "Mill Lane Textiles Ltd", Eori: tidewaiter.Ptr("GB123456789000")})
	if err != nil {
		return "", err
	}
	if client.JSON201 == nil {
		return "", client.JSONDefault.AsError()
	}
	shipment, err := api.CreateShipmentWithResponse(ctx, nil, tidewaiter.ShipmentInput{
		ClientID: client.JSON201.ID, PortOfEntry: "GBFXT", TransportMode: tidewaiter.ShipmentInputTransportModeSEA,
	})
	if err != nil {
		return "", err
	}
	if shipment.JSON201 == nil {
		return "", shipment.JSONDefault.AsError()
	}
	declaration, err := api.CreateDeclarationWithResponse(ctx, nil, tidewaiter.DeclarationInput{
		ShipmentID: shipment.JSON201.ID, DeclarationType: tidewaiter.DeclarationInputDeclarationTypeIMPORT,
		Items: []tidewaiter.DeclarationItemInput{{
			CommodityCode: tidewaiter.Ptr("6109100010"), Description: tidewaiter.Ptr("Cotton T-shirts"), NetMassKg: tidewaiter.Ptr(120.5), CustomsValueGbp: tidewaiter.Ptr(value),
			CountryOfOrigin: tidewaiter.Ptr("BD"),
		}},
	})
	if err != nil {
		return "", err
	}
	created := declaration.JSON201
	if created == nil {
		return "", declaration.JSONDefault.AsError()
	}
	if *created.Items[0].CustomsValueGbp != value || math.Round(created.TotalDutyGbp*100) != 14814814 {
		return "", fmt.Errorf("the money arrived as %v, with duty of %v", *created.Items[0].CustomsValueGbp, created.TotalDutyGbp)
	}
	return created.ID, nil
}

// waitUntilCleared reads the declaration until customs has cleared it, at most a minute.
func waitUntilCleared(ctx context.Context, api *tidewaiter.ClientWithResponses, id string) (tidewaiter.DeclarationRecord, error) {
	for range 600 {
		read, err := api.GetDeclarationWithResponse(ctx, id, nil)
		if err != nil {
			return tidewaiter.DeclarationRecord{}, err
		}
		if read.JSON200 == nil {
			return tidewaiter.DeclarationRecord{}, read.JSONDefault.AsError()
		}
		if d := read.JSON200.Declaration; d.Status == tidewaiter.DeclarationRecordStatusCLEARED {
			return d, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return tidewaiter.DeclarationRecord{}, fmt.Errorf("the declaration %s was not cleared within a minute", id)
}
