// Command integrating has the examples of docs/integrating.md as one program. It needs TIDEWAITER, the address of the
// service, and TIDEWAITER_KEY, a key of role OWNER. Webhooks must be permitted to go to this machine.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	"github.com/oapi-codegen/nullable"

	tidewaiter "github.com/tidewaiter/tidewaiter/clients/go"
)

// api is the client of all examples.
var api *tidewaiter.ClientWithResponses

func main() {
	ctx, end := context.WithTimeout(context.Background(), 2*time.Minute)
	defer end()
	if err := authenticate(ctx); err != nil {
		log.Fatal(err)
	}
	id, err := createOnce(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, example := range []func(context.Context, string) error{steer, pages, errors, limits, retries, change} {
		if err := example(ctx, id); err != nil {
			log.Fatal(err)
		}
	}
	if err := sandbox(ctx); err != nil {
		log.Fatal(err)
	}
	if err := batch(ctx); err != nil {
		log.Fatal(err)
	}
	if err := webhooks(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println("All examples ran.")
}

// [authentication]
func authenticate(ctx context.Context) (err error) {
	if api, err = tidewaiter.New(os.Getenv("TIDEWAITER"), os.Getenv("TIDEWAITER_KEY")); err != nil {
		return err
	}
	me, err := api.GetMeWithResponse(ctx)
	if err != nil {
		return err
	}
	if me.JSON200 == nil {
		return me.JSONDefault.AsError()
	}
	fmt.Println(me.JSON200.Organisation.Name, me.JSON200.Role, me.JSON200.Mode)
	return nil
}

// [end]

// [idempotency]
func createOnce(ctx context.Context) (id string, err error) {
	key := &tidewaiter.CreateClientParams{IdempotencyKey: tidewaiter.Ptr("order-1133-client")}
	for range 2 { // the second answer is the first again; nothing is created
		client, err := api.CreateClientWithResponse(ctx, key, tidewaiter.ClientInput{Name: "Mill Lane Textiles Ltd"})
		if err != nil {
			return "", err
		}
		if client.JSON201 == nil {
			return "", client.JSONDefault.AsError()
		}
		if id != "" && id != client.JSON201.ID {
			return "", fmt.Errorf("a second client %s", client.JSON201.ID)
		}
		id = client.JSON201.ID
	}
	return id, nil
}

// [end]

// [modes]
func steer(ctx context.Context, clientID string) error {
	shipment, err := api.CreateShipmentWithResponse(ctx, nil, tidewaiter.ShipmentInput{
		ClientID: clientID, PortOfEntry: "GBFXT", TransportMode: tidewaiter.ShipmentInputTransportModeSEA,
	})
	if err != nil {
		return err
	}
	if shipment.JSON201 == nil {
		return shipment.JSONDefault.AsError()
	}
	declaration, err := api.CreateDeclarationWithResponse(ctx, nil, tidewaiter.DeclarationInput{
		ShipmentID: shipment.JSON201.ID, DeclarationType: tidewaiter.DeclarationInputDeclarationTypeIMPORT,
		Items: []tidewaiter.DeclarationItemInput{
			{CommodityCode: tidewaiter.Ptr("6109100010"), Description: tidewaiter.Ptr("Cotton T-shirts"), NetMassKg: tidewaiter.Ptr(120.5), CustomsValueGbp: tidewaiter.Ptr(1850.45)},
		},
	})
	if err != nil {
		return err
	}
	if declaration.JSON201 == nil {
		return declaration.JSONDefault.AsError()
	}
	submission, err := api.SubmitDeclarationWithResponse(ctx,
		&tidewaiter.SubmitDeclarationParams{XSimulate: tidewaiter.Ptr("reject CDS12056")},
		tidewaiter.SubmitDeclarationInput{DeclarationID: declaration.JSON201.ID})
	if err != nil {
		return err
	}
	if submission.JSON200 == nil {
		return submission.JSONDefault.AsError()
	}
	fmt.Println(*submission.JSON200.Note) // Simulated: …
	return nil
}

// [end]

// [sandbox]
func sandbox(ctx context.Context) error {
	made, err := api.CreateSandboxKeyWithResponse(ctx, nil,
		tidewaiter.SandboxKeyInput{Name: "CI", Role: tidewaiter.SandboxKeyInputRoleOWNER})
	if err != nil {
		return err
	}
	if made.JSON201 == nil {
		return made.JSONDefault.AsError()
	}
	test, err := tidewaiter.New(os.Getenv("TIDEWAITER"), made.JSON201.Secret)
	if err != nil {
		return err
	}
	set, err := test.SetTestClockWithResponse(ctx, tidewaiter.ClockInput{Advance: tidewaiter.Ptr("P30D")})
	if err != nil {
		return err
	}
	if set.JSON200 == nil {
		return set.JSONDefault.AsError()
	}
	fmt.Println(set.HTTPResponse.Header.Get("X-Tidewaiter-Mode"), set.JSON200.Clock.Now) // test, in 30 days
	_, err = test.ResetSandboxWithResponse(ctx)
	return err
}

// [end]

// [pages]
func pages(ctx context.Context, _ string) error {
	query := tidewaiter.ListClientsParams{Limit: tidewaiter.Ptr(int64(100))}
	for {
		page, err := api.ListClientsWithResponse(ctx, &query)
		if err != nil {
			return err
		}
		if page.JSON200 == nil {
			return page.JSONDefault.AsError()
		}
		for _, client := range page.JSON200.Clients {
			fmt.Println(client.ID, client.Name)
		}
		if !page.JSON200.HasMore {
			return nil
		}
		query.Cursor = page.JSON200.NextCursor
	}
}

// [end]

// [errors]
func errors(ctx context.Context, clientID string) error {
	refused, err := api.CreateShipmentWithResponse(ctx, nil, tidewaiter.ShipmentInput{
		ClientID: clientID, PortOfEntry: "", TransportMode: tidewaiter.ShipmentInputTransportModeSEA,
	})
	if err != nil {
		return err // the service was not reached
	}
	problem := refused.JSONDefault
	if problem == nil || problem.Details == nil {
		return fmt.Errorf("an empty port was accepted: %s", refused.Body)
	}
	fmt.Println(refused.StatusCode(), problem.Error, problem.RequestID)
	for _, detail := range problem.Details {
		fmt.Println(detail.Field, detail.Message)
	}
	return nil
}

// [end]

// [limits]
func limits(ctx context.Context, _ string) error {
	hubs, err := api.ListHubsWithResponse(ctx)
	if err != nil {
		return err
	}
	headers := hubs.HTTPResponse.Header
	fmt.Println(headers.Get("X-RateLimit-Remaining"), "of", headers.Get("X-RateLimit-Limit"))
	return nil
}

// [end]

// [retries]
func retries(ctx context.Context, _ string) error {
	ctx, end := context.WithTimeout(ctx, 30*time.Second) // over all tries
	defer end()
	client, err := api.CreateClientWithResponse(ctx, &tidewaiter.CreateClientParams{IdempotencyKey: tidewaiter.Ptr("order-1134-client")},
		tidewaiter.ClientInput{Name: "Quayside Foods Ltd"})
	if err != nil {
		return err
	}
	return client.JSONDefault.AsError() // nil if it was created
}

// [end]

// [concurrency]
func change(ctx context.Context, clientID string) error {
	read, err := api.GetClientWithResponse(ctx, clientID, nil)
	if err != nil {
		return err
	}
	version := &tidewaiter.UpdateClientParams{IfMatch: tidewaiter.Ptr(read.HTTPResponse.Header.Get("ETag"))}
	for _, city := range []string{"Ipswich", "Felixstowe"} {
		changed, err := api.UpdateClientWithResponse(ctx, clientID, version, tidewaiter.ClientPatchInput{City: nullable.NewNullableWithValue(city)})
		if err != nil {
			return err
		}
		fmt.Println(city, changed.StatusCode()) // Ipswich 200, Felixstowe 412: read it again, and decide
	}
	return nil
}

// [end]

// [batches]
func batch(ctx context.Context) error {
	started, err := api.CreateBatchWithResponse(ctx, &tidewaiter.CreateBatchParams{IdempotencyKey: "monday-1"},
		tidewaiter.BatchInput{Operations: nullable.NewNullableWithValue([]tidewaiter.BatchOperationInput{
			{Method: "POST", Path: "/api/clients", Reference: tidewaiter.Ptr("client"), Body: map[string]any{"name": "Harbour Kitchens Ltd"}},
			{Method: "POST", Path: "/api/shipments", Reference: tidewaiter.Ptr("shipment"),
				Body: map[string]any{"clientId": "$ref:client", "portOfEntry": "GBFXT", "transportMode": "SEA"}},
		})})
	if err != nil {
		return err
	}
	if started.JSON202 == nil {
		return started.JSONDefault.AsError()
	}
	job := started.JSON202.Batch
	for job.Status == tidewaiter.BackgroundJobStatusQUEUED || job.Status == tidewaiter.BackgroundJobStatusRUNNING {
		time.Sleep(200 * time.Millisecond)
		read, err := api.GetBatchWithResponse(ctx, job.ID)
		if err != nil {
			return err
		}
		if read.JSON200 == nil {
			return read.JSONDefault.AsError()
		}
		job = read.JSON200.Batch
	}
	results, err := api.ListBatchResultsWithResponse(ctx, job.ID, nil)
	if err != nil {
		return err
	}
	if results.JSON200 == nil {
		return results.JSONDefault.AsError()
	}
	for _, row := range results.JSON200.Results {
		fmt.Println(*row.Reference, row.Status)
	}
	return nil
}

// [end]

// [webhooks]
func webhooks(ctx context.Context) error {
	var secret string
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var event tidewaiter.Event
		if err != nil || !tidewaiter.VerifyWebhook(secret, r.Header, body) || json.Unmarshal(body, &event) != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Println("received", event.Type) // store it, answer, and process it afterwards
		w.WriteHeader(http.StatusNoContent)
	}))
	defer receiver.Close()
	created, err := api.CreateWebhookEndpointWithResponse(ctx, nil, tidewaiter.WebhookEndpointInput{
		URL: receiver.URL, Events: nullable.NewNullableWithValue([]string{"declaration.*"}),
	})
	if err != nil {
		return err
	}
	if created.JSON200 == nil {
		return created.JSONDefault.AsError()
	}
	secret = *created.JSON200.Endpoint.Secret
	tested, err := api.TestWebhookEndpointWithResponse(ctx, *created.JSON200.Endpoint.ID, nil,
		tidewaiter.TestInput{EventType: tidewaiter.Ptr("declaration.cleared")})
	if err != nil {
		return err
	}
	if tested.JSON200 == nil {
		return tested.JSONDefault.AsError()
	}
	fmt.Println(tested.JSON200.Delivery.Status, *tested.JSON200.Delivery.HTTPStatus) // DELIVERED 204
	return nil
}

// [end]
