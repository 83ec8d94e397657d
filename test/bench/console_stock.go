package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// Amount of data of the organisation whose pages are measured.
const (
	declared       = 100_000
	differentGoods = 2_000 // different declarations
	traders        = 2_000 // clients
	shipments      = 40    // shipments, each of its own client
	movements      = 2_000 // movements with deadlines
)

// rareWord is in the goods of the oldest declaration and of no other.
const rareWord = "zeppelin"

// usualWords are in many declarations; all other words are random.
var usualWords = []string{"cotton", "shirts", "steel", "screws", "plastic", "boxes", "printed", "parts", "knitted", "machines", "wooden", "glass"}

// stored is a stored declaration.
type stored struct{ ID, LRN string }

// createData creates the organisation's data through the API, and returns the oldest declaration.
func createData(p *server.Process, office server.Office) (oldest stored, err error) {
	if err := office.Call(p.Address, http.MethodPost, "/api/hubs/tss", "", &struct{}{}); err != nil {
		return oldest, err
	}
	if err := office.Call(p.Address, http.MethodPost, "/api/declarations", string(office.DeclarationOf(rareWord)), &oldest); err != nil {
		return oldest, err
	}
	err = load.SendEach(func(n int) load.Target {
		return load.Post(p.Address, office.Secret, "/api/clients", fmt.Appendf(nil, `{"name":"Trader %d Quay Ltd","eori":"GB%012d"}`, n, n))
	}, clients, traders)
	if err != nil {
		return oldest, err
	}
	if err := declare(p, office); err != nil {
		return oldest, err
	}
	dispatch := time.Now().AddDate(0, 0, 9).UTC().Format(time.RFC3339)
	movement := load.Post(p.Address, office.Secret, "/api/tss/declarations", fmt.Appendf(nil, niMovement, dispatch))
	movement.Status = http.StatusOK
	return oldest, load.Send(movement, clients, movements)
}

func declare(p *server.Process, office server.Office) error {
	offices, err := withShipments(p, office)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(1, 2))
	targets := make([]load.Target, differentGoods)
	for i := range targets {
		targets[i] = load.Post(p.Address, office.Secret, "/api/declarations", offices[i%shipments].DeclarationOf(goods(random)))
	}
	return load.SendEach(func(n int) load.Target { return targets[n%differentGoods] }, clients, declared)
}

// withShipments returns the office once for each of its clients, with a shipment of the client.
func withShipments(p *server.Process, office server.Office) (offices []server.Office, err error) {
	var found struct{ Clients []struct{ ID string } }
	if err := office.Call(p.Address, http.MethodGet, fmt.Sprintf("/api/clients?limit=%d", shipments), "", &found); err != nil {
		return nil, err
	}
	for _, client := range found.Clients {
		var shipment struct{ ID string }
		body := `{"clientId":"` + client.ID + `","portOfEntry":"GBFXT","transportMode":"SEA","vesselName":"Ever Tide"}`
		if err := office.Call(p.Address, http.MethodPost, "/api/shipments", body, &shipment); err != nil {
			return nil, err
		}
		office.ShipmentID = shipment.ID
		offices = append(offices, office)
	}
	return offices, nil
}

// goods are six words, two thirds of them usual.
func goods(random *rand.Rand) string {
	words := make([]string, 6)
	for i := range words {
		if words[i] = usualWords[random.IntN(len(usualWords))]; random.IntN(3) == 0 {
			words[i] = fmt.Sprintf("w%xord%d", random.IntN(60), random.IntN(200))
		}
	}
	return strings.Join(words, " ")
}
