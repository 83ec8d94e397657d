package upgrade

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"
)

// clearLimit is how long the simulator may take to clear a declaration.
const clearLimit = 3 * time.Minute

// clears files a new declaration, and waits until it is cleared.
func (p *host) clears(t *testing.T, address string) {
	t.Helper()
	var made struct{ ID string }
	p.call(t, address, http.MethodPost, "/api/clients", map[string]any{
		"name": "Quayside Knitwear Ltd", "eori": "GB123456789000", "vatNumber": "GB123456789", "addressLine1": "7 Dock Road",
		"city": "Felixstowe", "postcode": "IP11 3SY", "country": "GB", "role": "IMPORTER", "reference": "Q-7",
	}, &made)
	p.call(t, address, http.MethodPost, "/api/shipments", map[string]any{
		"clientId": made.ID, "portOfEntry": "GBFXT", "transportMode": "SEA", "vesselName": "Morning Tern", "transportId": "9811000",
		"transportNationality": "PA", "countryOfDispatch": "BD", "incoterm": "CIF", "containers": []string{"MSKU1234565"},
		"counterpartyName": "Meghna Garments", "counterpartyAddress": "3 Port Link Road", "counterpartyCity": "Chattogram",
		"counterpartyPostcode": "4100", "counterpartyCountry": "BD",
	}, &made)
	p.call(t, address, http.MethodPost, "/api/declarations", map[string]any{
		"shipmentId": made.ID, "declarationType": "IMPORT",
		"items": []map[string]any{{
			"commodityCode": "6109100010", "description": "Cotton T-shirts", "netMassKg": 120.5, "grossMassKg": 131,
			"customsValueGbp": 1850.25, "countryOfOrigin": "BD", "quantity": 600, "packageCount": 25, "packageType": "CT",
		}},
		"documents": []map[string]any{{"type": "N935", "reference": "INV-2026-0042", "status": "AC"}},
	}, &made)
	p.call(t, address, http.MethodPost, "/api/cds/submit", map[string]any{"declarationId": made.ID}, nil)
	var now struct{ Declaration struct{ Status string } }
	for limit := time.Now().Add(clearLimit); time.Now().Before(limit); time.Sleep(50 * time.Millisecond) {
		if p.call(t, address, http.MethodGet, "/api/declarations/"+made.ID, nil, &now); now.Declaration.Status == "CLEARED" {
			return
		}
	}
	t.Errorf("a new declaration is %s after %s", now.Declaration.Status, clearLimit)
}

// call makes a request that must succeed.
func (p *host) call(t *testing.T, address, method, path string, in, out any) {
	t.Helper()
	body, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, address+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+p.manifest.Key)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		t.Fatalf("%s %s: %d %s %v", method, path, answer.StatusCode, text, err)
	}
	if out != nil {
		if err := json.Unmarshal(text, out); err != nil {
			t.Fatalf("%s %s: %v in %s", method, path, err, text)
		}
	}
}
