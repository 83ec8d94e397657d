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
	s.mountDeclarationExport(s.Customs.Type)
	s.mountHubExports()
	for _, t := range s.Types {
		switch {
		case t.Kind == customs.Shipments.Kind:
			s.mountExport(t, t.Plural)
		case t.Kind == customs.Clients.Kind:
			s.mountExport(t, t.Plural)
			s.mountImport(t, s.guessClientColumns)
		case t.Tabular:
			s.mountExport(t, t.Plural)
			s.mountImport(t, guessByName(t))
		}
	}
}

// mountImport adds the operations that preview a table and store its rows, with the same checks.
func (s *Server) mountImport(t *filing.Type, guess columnGuesser) {
	importer := &bulk.Importer{Store: s.Tables, Filings: s.Filings, Type: t, CheckRow: s.recordChecker(t)}
	s.mountPreview(importer, guess)
	s.mountCommit(importer)
}

// columnGuesser proposes a column for each field of a kind. It returns the members of the answer that explain the proposal.
type columnGuesser func(context.Context, *bulk.Sheet) (bulk.Mapping, []member, error)

func (s *Server) guessClientColumns(ctx context.Context, sheet *bulk.Sheet) (bulk.Mapping, []member, error) {
	guesses, err := s.Mapper(ctx, sheet.Columns())
	if err != nil {
		return nil, nil, err
	}
	return sheet.Mapping(guesses), []member{{"columns", columnGuesses(sheet.Headers, guesses)}}, nil
}

// guessByName proposes for each field the column with its name.
func guessByName(t *filing.Type) columnGuesser {
	var columns []batch.Column
	for _, field := range t.Fields() {
		columns = append(columns, batch.Column{Path: field})
	}
	return func(_ context.Context, sheet *bulk.Sheet) (bulk.Mapping, []member, error) {
		return batch.Guess(columns, sheet.Headers), nil, nil
	}
}
