// Command identity runs an OpenID provider for tests: the example server of zitadel/oidc, with one
// person whose address it does not confirm. It prints its issuer, and POST /test/revoke ends every
// sign-in of the person, as removing them does at a real provider.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
)

const (
	client = "tidewaiter"
	secret = "a secret of the test"
	person = "id1"
)

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
	store := storage.NewStorage(users)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /test/revoke", func(w http.ResponseWriter, _ *http.Request) {
		if err := store.TerminateSession(context.Background(), person, client); err != nil {
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
