// Package usertoken stores the OAuth tokens of the user whose consent the service uses to call CDS. The operator writes
// the file, the service replaces the tokens in it, and doctor reads when the consent ends.
package usertoken

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
)

// File is a file with tokens. A refresh token can be used once.
type File struct {
	path string
	mu   sync.Mutex
}

// New returns the file at a path.
func New(path string) *File { return &File{path: path} }

// Load reads the tokens.
func (f *File) Load(context.Context) (client.Token, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.read()
}

func (f *File) read() (t client.Token, err error) {
	text, err := os.ReadFile(f.path)
	if err != nil {
		return t, fmt.Errorf("user token: %w", err)
	}
	return t, json.Unmarshal(text, &t)
}

// Refresh replaces the tokens, one process at a time. The new tokens are on disk before they are used.
func (f *File) Refresh(_ context.Context, renew func(client.Token) (client.Token, error)) (client.Token, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	lock := flock.New(f.path + ".lock")
	if err := lock.Lock(); err != nil {
		return client.Token{}, fmt.Errorf("user token: %w", err)
	}
	defer func() { _ = lock.Unlock() }()
	old, err := f.read()
	if err != nil {
		return client.Token{}, err
	}
	fresh, err := renew(old)
	if err != nil {
		return client.Token{}, err
	}
	return fresh, f.write(fresh)
}

func (f *File) write(t client.Token) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(f.path), ".token-*")
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	err = errors.Join(err, file.Sync(), file.Close())
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), f.path)
}
