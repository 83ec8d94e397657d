package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// pocketbaseFolder holds the PocketBase program, a Go module of its own.
const pocketbaseFolder = "test/bench/pocketbase"

// pocketbaseRecords is the path that creates and lists declarations there.
const pocketbaseRecords = "/api/collections/declarations/records"

// startPocketBase starts PocketBase on an empty folder and returns its user's token.
func (b *bench) startPocketBase(ctx context.Context, folder string) (p *server.Process, token string, err error) {
	data := filepath.Join(b.folder, folder)
	if p, err = server.Start(ctx, []string{b.pocketbase}, data); err != nil {
		return nil, "", err
	}
	text, err := os.ReadFile(filepath.Join(data, "token"))
	if err != nil {
		p.Stop()
		return nil, "", err
	}
	return p, string(text), nil
}

// pocketbaseBody is the declaration that the service gets, too.
func pocketbaseBody() []byte { return server.Office{ShipmentID: "shipment"}.Declaration() }

// createInPocketBase is a contender that creates the same declaration in PocketBase.
func (b *bench) createInPocketBase(ctx context.Context) (*contender, error) {
	p, token, err := b.startPocketBase(ctx, "create-pocketbase")
	if err != nil {
		return nil, err
	}
	target := load.Post(p.Address, token, pocketbaseRecords, pocketbaseBody())
	target.Status = http.StatusOK // PocketBase's answer to a creation
	return &contender{name: "PocketBase", process: p, target: target}, nil
}

// listInPocketBase is a contender that lists 50 of as many declarations in PocketBase, without counting them all.
func (b *bench) listInPocketBase(ctx context.Context, count int) (*contender, error) {
	p, token, err := b.startPocketBase(ctx, "list-pocketbase")
	if err != nil {
		return nil, err
	}
	user := server.Office{Secret: token}
	for range count {
		var made struct{ ID string }
		if err := user.Call(p.Address, http.MethodPost, pocketbaseRecords, string(pocketbaseBody()), &made); err != nil {
			p.Stop()
			return nil, fmt.Errorf("pocketbase: %w", err)
		}
	}
	path := pocketbaseRecords + "?perPage=50&skipTotal=1&sort=-created"
	return &contender{name: "PocketBase", process: p, target: load.Get(p.Address, token, path)}, nil
}
