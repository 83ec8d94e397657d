package api

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

// mountBulk adds the imports of clients and of kinds with tables, and the exports.
func (s *Server) mountBulk() {
	s.mountExport(s.Customs.Type)
	for _, t := range s.Types {
		switch {
		case t.Kind == customs.Shipments.Kind:
			s.mountExport(t)
		case t.Kind == customs.Clients.Kind:
			s.mountExport(t)
			s.mountPreview(t, s.guessClientColumns)
			s.mountCommit(t)
		case t.Tabular:
			s.mountExport(t)
			s.mountPreview(t, guessByName(t))
			s.mountCommit(t)
		}
	}
}

// columnGuesser proposes a column for each field of a kind. It returns the members of the answer with the proposal.
type columnGuesser func(context.Context, *bulk.Sheet) ([]member, error)

func (s *Server) guessClientColumns(ctx context.Context, sheet *bulk.Sheet) ([]member, error) {
	guesses, err := s.Mapper(ctx, sheet.Columns())
	if err != nil {
		return nil, err
	}
	return []member{{"mapping", sheet.Mapping(guesses)}, {"columns", columnGuesses(sheet.Headers, guesses)}}, nil
}

// guessByName proposes for each field the column with its name.
func guessByName(t *filing.Type) columnGuesser {
	var columns []batch.Column
	for _, field := range t.Fields() {
		columns = append(columns, batch.Column{Path: field})
	}
	return func(_ context.Context, sheet *bulk.Sheet) ([]member, error) {
		return []member{{"mapping", batch.Guess(columns, sheet.Headers)}}, nil
	}
}
