package app

import "github.com/tidewaiter/tidewaiter/internal/records/comment"

// comments writes what members say about records.
func (a *App) comments() *comment.Service {
	s := &comment.Service{IDs: a.IDs, Hubs: map[string]string{}}
	for _, t := range a.allKinds() {
		s.Hubs[t.Kind] = t.Hub
	}
	return s
}
