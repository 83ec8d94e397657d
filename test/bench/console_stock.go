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

// How much the organisation has whose pages are measured.
const (
	declared = 100_000
	wares    = 2_000 // different declarations
	traders  = 2_000 // clients
	ships    = 40    // shipments, each of a client of its own
	moved    = 2_000 // movements with deadlines
)

// rareWord is in the goods of the oldest declaration and of no other.
const rareWord = "zeppelin"

// usualWords stand in many declarations; the others are made up.
var usualWords = []string{"cotton", "shirts", "steel", "screws", "plastic", "boxes", "printed", "parts", "knitted", "machines", "wooden", "glass"}

// stored is what is looked for of a stored declaration.
type stored struct{ ID, LRN string }

// furnish creates all that the organisation has as its programs would, and gives the
// oldest declaration.
func furnish(p *server.Process, office server.Office) (oldest stored, err error) {
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
	movements := load.Post(p.Address, office.Secret, "/api/tss/declarations", fmt.Appendf(nil, niMovement, dispatch))
	movements.Status = http.StatusOK
	return oldest, load.Send(movements, clients, moved)
}

func declare(p *server.Process, office server.Office) error {
	offices, err := moored(p, office)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(1, 2))
	targets := make([]load.Target, wares)
	for i := range targets {
		targets[i] = load.Post(p.Address, office.Secret, "/api/declarations", offices[i%ships].DeclarationOf(goods(random)))
	}
	return load.SendEach(func(n int) load.Target { return targets[n%wares] }, clients, declared)
}

// moored is the office with shipments of its clients.
func moored(p *server.Process, office server.Office) (offices []server.Office, err error) {
	var found struct{ Clients []struct{ ID string } }
	if err := office.Call(p.Address, http.MethodGet, fmt.Sprintf("/api/clients?limit=%d", ships), "", &found); err != nil {
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

// goods are six words, two of three of them usual.
func goods(random *rand.Rand) string {
	words := make([]string, 6)
	for i := range words {
		if words[i] = usualWords[random.IntN(len(usualWords))]; random.IntN(3) == 0 {
			words[i] = fmt.Sprintf("w%xord%d", random.IntN(60), random.IntN(200))
		}
	}
	return strings.Join(words, " ")
}
