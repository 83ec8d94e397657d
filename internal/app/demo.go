package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/customs"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

// Demo is what a newcomer needs to try the service.
type Demo struct {
	Key            string
	DeclarationID  string // a draft, ready to be submitted
	Email          string // to sign in with, in the console
	Password       string
	OrganisationID tenant.ID
	UserID         string
}

// demoFile holds the demo's key between runs.
const demoFile = "demo.json"

// Demo makes an organisation to try the service with, once for a data folder.
func (a *App) Demo(ctx context.Context) (d Demo, err error) {
	path := filepath.Join(a.Config.Data, demoFile)
	text, err := os.ReadFile(path)
	if err == nil {
		if err := json.Unmarshal(text, &d); err != nil {
			return d, fmt.Errorf("app: demo: %w", err)
		}
		if _, known, err := a.Store.KeyByHash(ctx, access.Hash(d.Key)); err != nil || known && d.Password != "" {
			return d, err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return d, fmt.Errorf("app: demo: %w", err)
	}
	if d, err = a.fillDemo(ctx); err != nil {
		return d, err
	}
	if text, err = json.Marshal(d); err != nil {
		return d, err
	}
	if err := os.MkdirAll(a.Config.Data, 0o700); err != nil {
		return d, err
	}
	return d, os.WriteFile(path, text, 0o600)
}

func (a *App) fillDemo(ctx context.Context) (d Demo, err error) {
	if err := a.Tariff.Refresh(ctx, a.Store); err != nil {
		return d, err
	}
	f, err := a.CreateOrganisation(ctx, "Harbour Customs Services Ltd", "GB987654312000")
	if err != nil {
		return d, err
	}
	d.Key, d.OrganisationID, d.UserID = f.Secret, f.Organisation.ID, f.UserID
	if err := a.letDemoIn(ctx, &d); err != nil {
		return d, err
	}
	call := operatorCall(f.Organisation.ID, f.UserID)
	err = a.Store.Update(ctx, f.Organisation.ID, func(tx *store.Tx) error {
		if _, err := a.Access.EnableHub(tx, call, "tss"); err != nil {
			return err
		}
		d.DeclarationID, err = a.fillRecords(tx, call)
		return err
	})
	return d, err
}

// demoAddress is whom one signs in as. It is nobody's: example.com takes no mail.
const demoAddress = "demo@example.com"

// letDemoIn gives the demo's user a password. A demo of before stays as it is, under
// an address of its own.
func (a *App) letDemoIn(ctx context.Context, d *Demo) error {
	d.Email, d.Password = demoAddress, a.IDs.Text(passwordAlphabet, demoPasswordLength)
	stored, err := a.Accounts.Hasher.Hash(ctx, d.Password)
	if err != nil {
		return err
	}
	return a.Store.Update(ctx, tenant.Operator, func(tx *store.Tx) error {
		if _, taken, err := tx.UserByEmail(d.Email); err != nil {
			return err
		} else if taken {
			d.Email = "demo-" + a.IDs.Text("0123456789", 6) + "@example.com"
		}
		return tx.SaveUser(access.User{ID: d.UserID, Name: "Dana Demo", Email: d.Email, Password: stored})
	})
}

// A password that can be read from one screen and typed into another.
const (
	passwordAlphabet   = "abcdefghjkmnpqrstuvwxyz23456789"
	demoPasswordLength = 12
)

// fillRecords makes a client, its shipment and a declaration of it.
func (a *App) fillRecords(tx *store.Tx, call tenant.Call) (declaration string, err error) {
	client, err := a.demoRecord(tx, call, customs.Clients.Type(), `{"name":"Mill Lane Textiles Ltd","eori":"GB123456789000","vatNumber":"GB123456789",
		"addressLine1":"2 Mill Lane","city":"Ipswich","postcode":"IP1 1AA","country":"GB","role":"IMPORTER","reference":"C-1001"}`)
	if err != nil {
		return "", err
	}
	shipment, err := a.demoRecord(tx, call, customs.Shipments.Type(), `{"clientId":"`+client+`","portOfEntry":"GBFXT","transportMode":"SEA","vesselName":"Ever Tide",
		"transportId":"9811000","transportNationality":"PA","countryOfDispatch":"BD","incoterm":"CIF","containers":["MSKU1234565"],
		"counterpartyName":"Padma Knitwear","counterpartyAddress":"14 Station Road","counterpartyCity":"Chattogram","counterpartyPostcode":"4000","counterpartyCountry":"BD"}`)
	if err != nil {
		return "", err
	}
	return a.demoRecord(tx, call, a.Customs.Type, `{"shipmentId":"`+shipment+`","declarationType":"IMPORT","items":[{"commodityCode":"6109100010",
		"description":"Men's knitted cotton T-shirts","netMassKg":120.5,"grossMassKg":131,"customsValueGbp":1850.00,"countryOfOrigin":"BD","quantity":600,"packageCount":25,"packageType":"CT"}],
		"documents":[{"type":"N935","reference":"INV-2026-0042","status":"AC"}]}`)
}

func (a *App) demoRecord(tx *store.Tx, call tenant.Call, t *filing.Type, body string) (id string, err error) {
	in, err := t.Parse(json.RawMessage(strings.ReplaceAll(strings.ReplaceAll(body, "\n", ""), "\t", "")), tx.Now())
	if err != nil {
		return "", err
	}
	f, err := a.Filings.Create(tx, call, t, in)
	return f.ID, err
}
