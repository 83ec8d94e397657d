package server

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
)

// Office is an organisation with what its declarations need.
type Office struct {
	Org        string `json:"organisationId"`
	UserID     string `json:"userId"`
	Secret     string `json:"apiKey"`
	ShipmentID string `json:"-"`
}

// Create creates an organisation in a data folder with the program's own command.
func Create(ctx context.Context, program, data string, settings ...string) (o Office, err error) {
	create := exec.CommandContext(ctx, program, "org", "create", "--name", "Harbour Textiles Ltd", "--eori", "GB123456789000", "--json")
	create.Env = append(append(os.Environ(), Environment(data, "127.0.0.1:0")...), settings...)
	out, err := create.Output()
	if err != nil {
		return o, fmt.Errorf("server: create organisation: %w", err)
	}
	if err := json.Unmarshal(out, &o); err != nil {
		return o, fmt.Errorf("server: create organisation: %w", err)
	}
	return o, nil
}

// Found creates an organisation in a data folder, as an operator would: with the program's own commands and its
// API.
func Found(ctx context.Context, program, data string, settings ...string) (o Office, err error) {
	if o, err = Create(ctx, program, data, settings...); err != nil {
		return o, err
	}
	p, err := Start(ctx, []string{program, "serve"}, data, settings...)
	if err != nil {
		return o, err
	}
	defer p.Stop()
	client, err := o.create(p.Address, "/api/clients", `{"name":"Harbour Textiles Ltd","eori":"GB123456789000"}`)
	if err != nil {
		return o, err
	}
	o.ShipmentID, err = o.create(p.Address, "/api/shipments", `{"clientId":"`+client+`","portOfEntry":"GBFXT","transportMode":"SEA","vesselName":"Ever Tide"}`)
	return o, err
}

func (o Office) create(address, path, body string) (id string, err error) {
	var record struct{ ID string }
	err = o.Call(address, http.MethodPost, path, body, &record)
	return record.ID, err
}

// Call makes a request to a running service and parses its answer.
func (o Office) Call(address, method, path, body string, answer any) error {
	request, err := http.NewRequest(method, "http://"+address+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+o.Secret)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("server: %s %s: %s: %s", method, path, response.Status, text)
	}
	return json.Unmarshal(text, answer)
}

// Declaration is the body of a declaration with one item.
func (o Office) Declaration() []byte { return o.DeclarationOf("Men's knitted cotton T-shirts") }

// DeclarationOf is a declaration of other goods; their words must not need quoting.
func (o Office) DeclarationOf(goods string) []byte { return o.declaration(goods, "INV-2026-0042") }

// DeclarationNumbered is a declaration with its own invoice.
func (o Office) DeclarationNumbered(n int) []byte {
	return o.declaration("Men's knitted cotton T-shirts", fmt.Sprintf("INV-2026-%06d", n))
}

func (o Office) declaration(goods, invoice string) []byte {
	return []byte(`{"shipmentId":"` + o.ShipmentID + `","declarationType":"IMPORT","items":[{"commodityCode":"6109100010",` +
		`"description":"` + goods + `","netMassKg":120.5,"customsValueGbp":1850.00,"grossMassKg":131,` +
		`"countryOfOrigin":"BD","quantity":600,"packageCount":25,"packageType":"CT"}],` +
		`"documents":[{"type":"N935","reference":"` + invoice + `"}]}`)
}
