// Command identity runs an OpenID provider for tests: the example server of zitadel/oidc, with one person whose
// address is not verified, and who is in one group. It prints its issuer. POST /test/revoke removes the person:
// their refresh tokens and their password are then refused.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/oidc"
)

const (
	client = "tidewaiter"
	secret = "a secret of the test"
	person = "id1"
	group  = "filers"
)

// directory is the example's storage, with a group of the person and a person who can be removed.
type directory struct {
	*storage.Storage
	removed atomic.Bool
}

// SetUserinfoFromToken adds the groups claim to the answer of the userinfo endpoint.
func (d *directory) SetUserinfoFromToken(ctx context.Context, info *oidc.UserInfo, tokenID, subject, origin string) error {
	info.AppendClaims("groups", []string{group})
	return d.Storage.SetUserinfoFromToken(ctx, info, tokenID, subject, origin)
}

// CheckUsernamePassword signs the person in, and fails after the person was removed.
func (d *directory) CheckUsernamePassword(username, password, id string) error {
	if d.removed.Load() {
		return errors.New("username or password wrong")
	}
	return d.Storage.CheckUsernamePassword(username, password, id)
}

func (d *directory) remove() error {
	d.removed.Store(true)
	return d.TerminateSession(context.Background(), person, client)
}

func main() {
	email := flag.String("email", "nina@quay.example", "e-mail address of the person")
	redirect := flag.String("redirect", "", "redirect address of the client")
	flag.Parse()
	if err := run(*email, *redirect); err != nil {
		log.Fatal(err)
	}
}

func run(email, redirect string) error {
	users, err := people(email)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	issuer := fmt.Sprintf("http://localhost:%d/", listener.Addr().(*net.TCPAddr).Port)
	storage.RegisterClients(storage.WebClient(client, secret, redirect))
	store := &directory{Storage: storage.NewStorage(users)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /test/revoke", func(w http.ResponseWriter, _ *http.Request) {
		if err := store.remove(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	mux.Handle("/", exampleop.SetupServer(issuer, store, nil, false))
	fmt.Println(issuer)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(listener)
}

func people(email string) (storage.UserStore, error) {
	folder, err := os.MkdirTemp("", "identity")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	text, err := json.Marshal(map[string]storage.User{
		person: {ID: person, Username: "nina", Password: "verysecure", FirstName: "Nina", LastName: "Quay", Email: email},
	})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "users.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	return storage.StoreFromFile(file)
}
